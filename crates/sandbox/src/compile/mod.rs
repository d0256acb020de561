//! From a policy to an order: what exists on this machine, what of it the child sees, and what cannot be held.
//!
//! Everything that reads the file system to decide happens here, in the host, before anything is started. What
//! cannot be made true is refused with the field that asks for it.

mod arguments;
mod base;
mod deny;
mod environment;
mod file_format;
mod grants;
mod landlock_only;
mod letter_case;
mod nested;
mod order;
mod pinned;
mod program;
mod protect;
#[cfg(feature = "replay")]
pub(crate) mod replay;
mod resolve;
mod resource_limits;
mod show;
mod spawnable;
mod view;
mod visible;
mod walk;

pub(crate) use arguments::check_words;
pub use base::SYSTEM_DIRECTORIES;
pub(crate) use environment::DEFAULT_PATH;
pub(crate) use nested::NestedWatch;
pub(crate) use order::{CompileRequest, CompiledOrder, compile, remove_empty};
pub(crate) use program::{ProgramSearch, loader_of};
pub(crate) use protect::{PriorState, WatchedPath, is_git_link};
pub(crate) use visible::{PathVisibility, VisiblePaths};
