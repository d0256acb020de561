//! `CLI.md` bundles: where they lie, what they are called, whether they are what a person accepted, and what is in them.
//!
//! [`Bundles`] knows every bundle by its head alone, which an index remembers; [`Held`] is one that was read whole. A
//! bundle of a project counts only if the project is trusted. One of the data home may be there without anybody having
//! accepted it: then it is only a claim, and nothing is installed for it.
//!
//! Reads files, writes nothing but the index, starts nothing.

mod adopt;
mod bundles;
mod folder;
mod head;
mod held;
mod index;
mod standing;

pub use adopt::{AdoptError, BundleFile, Given, Shelved, adopt};
pub use bundles::{Bundles, project_problems};
pub use folder::{Folder, FolderError, gather};
pub use head::{About, BundleHead, BundleOrigin};
pub use held::{BundleError, Held, hold, project_files};
pub use index::folders;
pub use standing::{BundleStanding, pin, standing};

/// The manifest of a bundle.
pub const CLI: &str = "CLI.md";
