//! Starting programs: 54 to 61 of the suite.

use crate::outcome::Attack;

/// The attacks of this file.
pub(crate) const ATTACKS: &[Attack] = &[];
