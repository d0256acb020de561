//! tar: entry by entry, with the long names of GNU and of POSIX.

use std::io::{self, Read};

use tar::{Archive, EntryType};

use super::entry_name::EntryName;
use super::error::ArchiveError;
use super::meter::Meter;
use super::unpacker::Unpacker;

/// Unpacks a tar.
pub(super) fn unpack(mut stream: Meter<Box<dyn Read>>, to: &mut Unpacker<'_>) -> Result<(), ArchiveError> {
    let reading = |error: io::Error| ArchiveError::of_reading(&error);
    let mut archive = Archive::new(&mut stream);
    for entry in archive.entries().map_err(reading)? {
        let mut entry = entry.map_err(reading)?;
        let kind = entry.header().entry_type();
        if kind.is_pax_global_extensions() {
            continue;
        }
        let name = EntryName::parse(&entry.path_bytes())?;
        let target = entry.link_name_bytes().map(|bytes| bytes.into_owned());
        let mode = entry.header().mode().map_err(reading)?;
        match kind {
            EntryType::Regular | EntryType::Continuous => {
                to.file(&name, mode, &mut Whole::new(&mut entry))?
            }
            EntryType::Directory => to.directory(&name)?,
            EntryType::Symlink => to.symlink(&name, &target.unwrap_or_default())?,
            EntryType::Link => to.hard_link(&name, &target.unwrap_or_default())?,
            other => {
                return Err(ArchiveError::Kind {
                    name: name.shown(),
                    what: what(other),
                });
            }
        }
    }
    stream.drain().map_err(reading)?;
    match stream.ends_empty() {
        true => Ok(()),
        false => Err(ArchiveError::Damaged {
            reason: "it ends before its end".to_owned(),
        }),
    }
}

/// Reads an entry, and takes one that is shorter than its size for damage.
struct Whole<'e, R> {
    inner: &'e mut R,
    left: u64,
}

impl<'e, 'a, R: Read> Whole<'e, tar::Entry<'a, R>> {
    fn new(entry: &'e mut tar::Entry<'a, R>) -> Self {
        Self {
            left: entry.size(),
            inner: entry,
        }
    }
}

impl<R: Read> Read for Whole<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        if count == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left = self.left.saturating_sub(u64::try_from(count).unwrap_or(u64::MAX));
        Ok(count)
    }
}

fn what(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Fifo => "a pipe",
        EntryType::GNUSparse => "a file with holes",
        _ => "nothing that is known here",
    }
}
