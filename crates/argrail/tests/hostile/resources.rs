//! Resources and staying alive: 62 to 73 of the suite.

use crate::outcome::Attack;

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[];
