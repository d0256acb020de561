//! Descriptors, variables and terminals: 29 to 36 of the suite.

use crate::outcome::Attack;

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[];
