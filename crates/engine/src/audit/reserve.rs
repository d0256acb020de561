//! Room that is kept for the last word: a file beside the record, given up when the disk is full so that a record can
//! still say so.
//!
//! Without it nothing more is recorded, and so nothing runs, until there is room for it and for some records besides:
//! a disk that is full to the last byte would otherwise take one call and refuse the next.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FallocateFlags, OFlags, fallocate};
use rustix::io::Errno;

use super::error::{RecordError, is_full};

const NAME: &str = "reserve";
/// Several notes of the largest size, and whole blocks of every file system.
const BYTES: u64 = 64 * 1024;
/// What has to be free beside it before records are kept again.
const HEADROOM: u64 = 1024 * 1024;

/// The reserve of a record.
#[derive(Debug)]
pub(super) struct Reserve(PathBuf);

impl Reserve {
    pub(super) fn of(directory: &Path) -> Self {
        Self(directory.join(NAME))
    }

    /// Sees that it is there, and makes it if there is room.
    ///
    /// # Errors
    /// When there is none. A file system that cannot set room aside has none to give up either, and is no error.
    pub(super) fn ensure(&self) -> Result<(), RecordError> {
        let is_there = |found: fs::Metadata| found.is_file() && found.len() >= BYTES;
        if self.0.symlink_metadata().is_ok_and(is_there) {
            return Ok(());
        }
        match self.make() {
            Err(error) if is_full(&error) => Err(RecordError::io(&self.0)(error)),
            // Whatever else is wrong there, the next record tells better.
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Gives it up. Returns whether there was one.
    pub(super) fn give_up(&self) -> bool {
        fs::remove_file(&self.0).is_ok()
    }

    fn make(&self) -> io::Result<()> {
        let draft = self.0.with_extension(std::process::id().to_string());
        let made = create(&draft)
            .and_then(|file| fill(&file))
            .and_then(|()| fs::rename(&draft, &self.0));
        if made.is_err() {
            let _ = fs::remove_file(&draft);
        }
        made
    }
}

fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
        .open(path)
}

/// Takes the room, with what has to be free beside it, and lets go of that.
fn fill(mut file: &File) -> io::Result<()> {
    match fallocate(file, FallocateFlags::empty(), 0, BYTES + HEADROOM) {
        Ok(()) => file.set_len(BYTES),
        // Bytes that are written are taken as well, as long as nobody packs them.
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => file.write_all(&vec![0; BYTES as usize]),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn it_takes_room_and_gives_it_back() {
        let home = Home::new();
        let reserve = Reserve::of(&home.state());
        reserve.ensure().unwrap();
        let found = home.state().join(NAME).metadata().unwrap();
        assert_eq!((found.len(), found.mode() & 0o777), (BYTES, 0o600));
        assert!(found.blocks() * 512 >= BYTES, "{} blocks", found.blocks());
        reserve.ensure().unwrap();
        let same = home.state().join(NAME).metadata().unwrap();
        assert_eq!(same.ino(), found.ino());
        assert!(reserve.give_up() && !reserve.give_up());
        assert_eq!(fs::read_dir(home.state()).unwrap().count(), 0);
    }
}
