//! Which programs there are, what they say they are, and what of that the registry has.
//!
//! Without probing a scan starts nothing: it reads directories, files and what is remembered.

mod candidates;
mod directories;
mod keep;
mod literal;
mod memory;
mod remembered;
mod request;
mod run;
mod settle;
mod shims;
mod skip_list;
mod skipped;
mod user;

pub use candidates::{Candidate, Candidates};
pub use directories::{Belongs, Directories, Eyes, MOST as MAX_DIRECTORIES, too_many};
pub use literal::Literals;
pub use request::{Extent, Found, Mode, OtherVersion, Probing, Progress, Request, Scan, ScanError, Worth};
pub use run::run;
pub use skip_list::SkipList;
pub use skipped::Skipped;
pub use user::user;
