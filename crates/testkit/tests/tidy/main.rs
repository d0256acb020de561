//! The rules of the house, checked by `cargo test`: they need nothing but cargo.
//!
//! Each rule is a pure function over text and paths, with a table that shows it failing, and one test
//! that applies it to the repository. A finding names the file, the line, the rule and what to do.

#![expect(clippy::panic, reason = "a panic is how a test reports")]

mod attributes;
mod bans;
mod drafts;
mod figures;
mod finding;
mod graph;
mod headers;
mod hints;
mod layers;
mod licences;
mod lockfile;
mod markdown;
mod metadata;
mod places;
mod readme;
mod reasons;
mod repository;
mod shape;
mod source;
mod spdx;
mod vectors;
mod words;
