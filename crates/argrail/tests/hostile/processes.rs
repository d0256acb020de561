//! Processes and the kernel: 16 to 28 of the suite.

use crate::outcome::Attack;

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[];
