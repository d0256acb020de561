//! YAML as the same nodes as JSON: one document, values that JSON has, under the same limits.

mod read;
mod scalar;
mod wrong;

pub(super) use read::read;
