//! Installing the program of a manifest (AIP-29, Install methods; AIP-45 shares them): a plan that a person can read, then exactly that.
//!
//! Methods are tried in their order until one gives a program of a version that will do. Each runs confined, with the
//! hosts of its packages as only egress; what it makes is built aside and put in its place whole. Only a person's
//! command comes here, and only for a manifest that is trusted: an agent's call never installs.

mod act;
mod archive;
mod ask;
mod cancelled;
mod child;
mod error;
mod fetch;
mod installed;
mod integrity;
mod machine;
mod method;
mod perform;
mod plan;
mod progress;
mod recipe;
mod requirement;
mod shelf;
mod site;
mod skip;
mod sources;
mod wishes;

pub use archive::ArchiveError;
pub use error::{Failure, Fault, InstallError};
pub use fetch::FetchError;
pub use installed::{Installed, InstalledTree, receipt};
pub use integrity::{ProgramDrift, check_integrity};
pub use machine::{Family, Machine, Rights};
pub use perform::install;
pub use plan::{Outlook, Plan, Present, Source, Way, plan};
pub use progress::{Progress, Silent};
pub use recipe::{Act, Check, Egress, Fetch, Hold, Index, Product, Recipe, Run, Word};
pub use site::Site;
pub use skip::Skip;
pub use wishes::{Experimental, Global, Hosts, Registries, Scripts, Unconfined, Unverified, Wishes};
