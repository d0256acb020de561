//! A downloaded file becomes a directory with the program in it.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::Path;

use super::decoder::decoder;
use super::entry_name::EntryName;
use super::error::ArchiveError;
use super::format::{Format, HEAD, is_tar};
use super::meter::{Meter, most};
use super::unpacker::Unpacker;
use super::{tarball, zipped};

/// The mode of a file that is the program itself.
const PROGRAM: u32 = 0o755;

/// Unpacks `file` into `directory`, which is there and empty. `program` is where the program must be afterwards; a file
/// that is no archive is put there.
///
/// # Errors
/// When the archive is hostile, damaged, or does not hold the program. What was unpacked until then is there.
pub(in crate::ready::install) fn unpack(
    mut file: File,
    directory: &Path,
    program: &str,
) -> Result<(), ArchiveError> {
    let packed = file.metadata().map_err(ArchiveError::Disk)?.len();
    let format = Format::of(&head(&mut file).map_err(ArchiveError::Disk)?);
    file.rewind().map_err(ArchiveError::Disk)?;
    let name = EntryName::parse(program.as_bytes())?;
    let mut unpacker = Unpacker::new(directory);
    match format {
        Format::Zip => zipped::unpack(file, most(packed), &mut unpacker)?,
        Format::Bare => unpacker.file(&name, PROGRAM, &mut file)?,
        Format::Tar | Format::Gzip | Format::Xz | Format::Zstd => {
            let mut inside = decoder(file, format);
            let start = head(&mut inside).map_err(|error| ArchiveError::of_reading(&error))?;
            let archive = is_tar(&start);
            let whole: Box<dyn Read> = Box::new(Cursor::new(start).chain(inside));
            let mut stream = Meter::new(whole, most(packed));
            match archive {
                true => tarball::unpack(stream, &mut unpacker)?,
                // One compressed program, and no archive.
                false => unpacker.file(&name, PROGRAM, &mut stream)?,
            }
        }
    }
    unpacker.finish()?;
    let found = directory.join(name.path()).metadata();
    match found.is_ok_and(|found| found.is_file()) {
        true => Ok(()),
        false => Err(ArchiveError::NoProgram { name: name.shown() }),
    }
}

/// Reads the first block, or less where there is less.
fn head(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    from.by_ref()
        .take(u64::try_from(HEAD).unwrap_or(u64::MAX))
        .read_to_end(&mut head)?;
    Ok(head)
}
