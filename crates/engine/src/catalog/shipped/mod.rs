//! What argrail knows of well-known tools: descriptions that are compiled in, one JSON file per tool.
//!
//! They are ATIP metadata with the keys of `docs/descriptions.md`, and they are settled words: grammar and effects are
//! believed as they stand, so a wrong line here runs something that nobody was asked about. `lines/` holds command lines
//! and what each has to count as.
//!
//! Adding a tool is one JSON file and one file of lines: `build.rs` lists the folder and packs what it finds.

mod entry;
mod table;

pub use entry::Shipped;
pub use table::{find, names};

#[cfg(test)]
mod confusion;
#[cfg(test)]
mod hosts;
#[cfg(test)]
pub(crate) mod lines;
#[cfg(test)]
mod reads;
#[cfg(test)]
mod tests;
