//! The project that one works in, and what it offers: hostile until a person accepts it, and again when it changes.
//!
//! A project is a directory that holds files about tools. Accepting it pins a digest of all of them; from then on any
//! other byte, name, link or executable bit makes it a stranger again.

mod find;
mod offers;
mod project_error;
mod project_trust;
mod survey;
mod tree;
mod wants;

pub use find::{Found, Project, ProjectFinder};
pub use offers::{Offer, OfferKind, ProjectFiles};
pub use project_error::ProjectError;
pub use project_trust::{Difference, ProjectTrust, project_trust};
pub use survey::{Survey, Surveyed, survey};
pub(super) use tree::Walk;
pub use tree::{Bounds, Tree};
pub use wants::Wants;
