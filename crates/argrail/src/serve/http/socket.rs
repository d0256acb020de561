//! A unix socket in a directory that is ours.
//!
//! The socket is made under another name, closed to others, and then moved to its place, so that there
//! is no moment at which others could connect or half a socket stands there. One that is there already
//! is replaced only if nobody answers on it.

use std::fs::{DirBuilder, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tokio::net::{UnixListener, UnixStream};

use super::error::Error;
use crate::token_file::{directory_of, draft_beside};

/// The name of a socket, removed with the value if it still stands for our socket.
#[derive(Debug)]
pub(super) struct SocketFile {
    path: PathBuf,
    inode: u64,
}

impl SocketFile {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if self
            .path
            .symlink_metadata()
            .is_ok_and(|now| now.ino() == self.inode)
        {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Returns our own (effective) uid: what the kernel says about a socket between us and ourselves.
pub(super) fn own_uid() -> std::io::Result<u32> {
    let (one, _other) = UnixStream::pair()?;
    Ok(one.peer_cred()?.uid())
}

/// Listens at `path`.
pub(super) async fn bind(path: &Path, us: u32) -> Result<(UnixListener, SocketFile), Error> {
    let directory = directory_of(path);
    check_directory(directory, us)?;
    make_way(path).await?;
    let failed = |source| Error::Bind {
        place: path.display().to_string(),
        source,
    };
    let draft = draft_beside(directory).map_err(failed)?;
    let listener = UnixListener::bind(&draft).map_err(failed)?;
    let placed = std::fs::set_permissions(&draft, Permissions::from_mode(0o600))
        .and_then(|()| draft.symlink_metadata())
        .and_then(|metadata| std::fs::rename(&draft, path).map(|()| metadata.ino()));
    match placed {
        Ok(inode) => Ok((
            listener,
            SocketFile {
                path: path.to_owned(),
                inode,
            },
        )),
        Err(source) => {
            let _ = std::fs::remove_file(&draft);
            Err(failed(source))
        }
    }
}

/// Makes the directory if it is not there, and refuses one in which others could move things about.
fn check_directory(directory: &Path, us: u32) -> Result<(), Error> {
    let failed = |source| Error::Bind {
        place: directory.display().to_string(),
        source,
    };
    let wrong = |why| Error::Place {
        path: directory.to_owned(),
        why,
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(failed)?;
    let metadata = directory.metadata().map_err(failed)?;
    if metadata.uid() != us {
        return Err(wrong("the directory belongs to another user"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(wrong("others can write to the directory"));
    }
    Ok(())
}

/// Refuses what must not be replaced at `path`. A dead socket is left for the new one to cover.
async fn make_way(path: &Path) -> Result<(), Error> {
    let metadata = match path.symlink_metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(source) => {
            return Err(Error::Bind {
                place: path.display().to_string(),
                source,
            });
        }
    };
    if !metadata.file_type().is_socket() {
        return Err(Error::Place {
            path: path.to_owned(),
            why: "something else than a socket is there",
        });
    }
    match UnixStream::connect(path).await {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => Ok(()),
        // Connected, or not told why not: somebody may be there.
        _ => Err(Error::InUse {
            path: path.to_owned(),
        }),
    }
}
