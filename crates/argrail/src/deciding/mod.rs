//! What a person decides with: a question in full, who may answer it, and the answer.
//!
//! [`sheet`](sheet::sheet) is the one way in which a question is shown, on a line-by-line terminal, in the full screen
//! and to clients that ask for us.

mod age;
mod asked;
mod exact;
#[cfg(test)]
pub(crate) mod example;
mod line;
mod look_alike;
mod screen;
mod sheet;

pub(crate) use asked::Asked;
