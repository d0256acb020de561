//! zip: by its directory at the end; what overlaps or is encrypted is refused.

use std::fs::File;
use std::io::Read;

use zip::result::ZipError;
use zip::{System, ZipArchive};

use super::entry_name::EntryName;
use super::error::ArchiveError;
use super::meter::Meter;
use super::unpacker::Unpacker;

/// Which kind of file a Unix mode says.
const KIND: u32 = 0o170_000;
const FILE: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;
const LINK: u32 = 0o120_000;
/// The longest target of a link.
const TARGET: u64 = 4096;

/// Unpacks a zip, of which no more than `most` bytes come.
pub(super) fn unpack(file: File, most: u64, to: &mut Unpacker<'_>) -> Result<(), ArchiveError> {
    let mut archive = ZipArchive::new(file).map_err(damaged)?;
    if archive.has_overlapping_entries().map_err(damaged)? {
        return Err(ArchiveError::TooMuch {
            what: "entries that share their bytes",
        });
    }
    let mut left = most;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(damaged)?;
        let name = EntryName::parse(entry.name_raw())?;
        // Whole: the reader's own idea of a mode leaves out what has to be refused.
        let mode = match entry.system() {
            System::Unix => entry.external_attributes() >> 16,
            _ => 0o644,
        };
        let is_directory = entry.is_dir();
        let size = entry.size();
        if size > left {
            return Err(ArchiveError::TooMuch {
                what: "bytes for its size",
            });
        }
        left -= size;
        let mut contents = Meter::new(entry, size);
        match (mode & KIND, is_directory) {
            (DIRECTORY, _) | (0 | FILE, true) => to.directory(&name)?,
            (0 | FILE, false) => to.file(&name, mode, &mut contents)?,
            (LINK, _) => {
                let mut target = Vec::new();
                contents
                    .by_ref()
                    .take(TARGET + 1)
                    .read_to_end(&mut target)
                    .map_err(|error| ArchiveError::of_reading(&error))?;
                to.symlink(&name, &target)?;
            }
            (_, _) => {
                return Err(ArchiveError::Kind {
                    name: name.shown(),
                    what: "a device or a pipe",
                });
            }
        }
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn damaged(error: ZipError) -> ArchiveError {
    ArchiveError::Damaged {
        reason: error.to_string(),
    }
}
