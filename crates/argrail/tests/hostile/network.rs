//! The network: 37 to 53 of the suite.

use crate::outcome::Attack;

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[];
