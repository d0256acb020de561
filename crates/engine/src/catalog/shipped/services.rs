//! Programs that talk to services, build, install and administer.

use super::Shipped;

/// The descriptions, sorted by name.
pub(super) const SERVICES: &[Shipped] = &[];
