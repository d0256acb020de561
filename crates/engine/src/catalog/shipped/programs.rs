//! Programs of a normal system: files, text, processes, languages, and programs that start others.

use super::Shipped;

/// The descriptions, sorted by name.
pub(super) const PROGRAMS: &[Shipped] = &[];
