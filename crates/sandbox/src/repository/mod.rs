//! Git repositories on the host, as far as a child must not change them: where hooks and settings are, wherever the
//! files of a repository lead git to.
//!
//! Git itself is not started. Its files are read as it reads them, within bounds; what cannot be read is a refusal,
//! since git might make more of it.

mod directory;
mod nested;
mod protect;
mod settings;

pub(crate) use nested::PASSED_BY;
pub use protect::git_hook_directories;
pub(crate) use protect::{protected_by_git, settings_directory, starts_programs};
