//! Outputs that are too long for one answer, on disk, until their caller has paged through them.
//!
//! One directory an output, made under another name and renamed when it is whole. Everything is for its owner alone,
//! and an output is told only to the caller whose call made it: for all others it is not there. Old ones go first, by
//! age and by size, whichever process made them.

mod draft;
mod error;
mod id;
mod page;
mod shelf;
mod sweep;

pub use draft::Draft;
pub(crate) use draft::Kept;
pub use error::KeepError;
pub use id::OutputId;
pub use page::{Page, Want};
pub use shelf::{Keep, KeepLimits};

#[cfg(test)]
mod tests;
