//! Archives from strangers, unpacked into a fresh directory that nobody else writes.
//!
//! tar (plain, gzip, xz, zstd), zip, or the bare program. Everything is read as a stream within bounds. An archive that
//! tries to leave the directory, to be more than it seems, or that is not whole is refused as a whole; whoever gave the
//! directory removes it.

mod decoder;
mod entry_name;
mod error;
mod format;
mod meter;
mod tarball;
mod unpack;
mod unpacker;
mod zipped;

pub use error::ArchiveError;
pub(super) use unpack::unpack;
