//! No secret in what an agent reads: known values first of all, then what looks like a key.
//!
//! A stream is judged as a whole, however it is cut into pieces. Every byte that is part of a secret is covered, and a
//! run of covered bytes becomes one [`REDACTED`]; the rest is unchanged, byte for byte. Time is linear in the text, and
//! memory does not grow with it.
//!
//! A tool that wants to hide a secret from us can encode it in another way: this is against accidents.

mod forms;
mod kind;
mod measure;
mod redactor;
mod run;
mod secrets;
mod text;

pub use redactor::{Ending, REDACTED, Redactor};
pub use secrets::Secrets;
pub(crate) use text::{Hidden, Mark, Sought, joined, marked};

#[cfg(test)]
mod tests;
