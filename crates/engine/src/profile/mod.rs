//! From what a call does to the sandbox it runs in: effects become a policy, and nothing that they do not say.
//!
//! [`profile`] looks at files to find the narrowest thing that can be granted; it changes nothing and starts nothing.
//! What nobody vouches for is not granted: outside of the roots only settled descriptions open anything, and never a
//! path that the caller chose. Credentials and code that nobody vouches for meet only by a person's word. Protected paths
//! are protected in every profile.

mod bounded;
mod denied;
mod digest;
mod driven;
mod environment;
mod exec;
mod git;
mod git_config;
mod git_files;
mod git_hooks;
mod glob;
mod ground;
mod grounds;
mod made;
mod path_words;
mod pointed;
mod protected;
mod quiet;
mod secret_files;
mod spot;
mod summary;
mod timeout;
mod wants;
mod withheld;

pub use bounded::bounded;
pub(crate) use bounded::secret_variables;
pub(crate) use digest::policy_digest;
pub use driven::{Driven, driven};
pub use environment::Environment;
pub(crate) use environment::may_be_passed;
pub(crate) use git_files::settings as git_settings;
pub use ground::Ground;
pub(crate) use grounds::{Grounds, SYSTEM_PATH, interpreter};
pub use made::{Profile, profile};
pub use pointed::Pointer;
pub(crate) use protected::{Git, protected};
pub(crate) use spot::real_path;
pub(crate) use summary::summary;
pub use timeout::timeout;
pub use withheld::{Because, Shut, Thing, Withheld};
