//! The rules, a file for each family. Adding one is a constant, a line in the family's table, a check and a case.

mod all;
mod authentication;
mod draft;
mod effects;
mod examples;
mod extension_shapes;
mod extensions;
mod fields;
mod flags;
mod order;
mod patterns;
mod quality;
mod reading;
mod secrets;
mod values;
mod wording;

pub use all::rules;
pub(super) use all::{manifest, metadata, pattern_file};
pub use wording::speaks_to_a_model;
