//! Taking a bundle into the data home: copied whole, pinned as what a person saw, put in place at once.
//!
//! The copy is made beside its place and exchanged with what is there, so that nobody ever sees half of it. A copy whose
//! maker died lies under a name that no one looks at, and the next one who adds a bundle takes it away.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use argrail_acli::{Code, Error, Text};
use argrail_spec::trust::ProjectPin;
use jiff::Timestamp;
use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::head::About;
use super::standing::pin;
use crate::catalog::project::ProjectError;
use crate::catalog::store_error::StoreError;
use crate::catalog::trust;
use crate::files::atomic::make_directory;
use crate::files::lock::{Lock, LockError, WAIT};
use crate::files::untrusted::FileError;
use crate::places::Places;

/// Where copies are made. Who looks for bundles leaves out what starts with a dot.
const MAKING: &str = ".adding";

/// A file of a bundle that comes from no folder.
#[derive(Debug, Clone)]
pub struct BundleFile {
    /// Its name, from the root of the bundle.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Where a bundle comes from.
#[derive(Debug, Clone)]
pub enum Given {
    /// A folder, without a symlink in its path.
    Folder(PathBuf),
    /// argrail itself.
    Files(Vec<BundleFile>),
}

/// Why a bundle was not taken in.
#[derive(Debug, thiserror::Error)]
pub enum AdoptError {
    /// A file of it cannot be read, or not be pinned.
    #[error(transparent)]
    Read(#[from] ProjectError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// Somebody else is at it.
    #[error(transparent)]
    Busy(#[from] LockError),
    /// What is trusted cannot be read or written.
    #[error(transparent)]
    Trust(#[from] StoreError),
    /// It is another than a person saw.
    #[error("{}: it changed while somebody looked at it", .0.display())]
    Changed(PathBuf),
    /// A name in it cannot be copied.
    #[error("{}: only plain files and folders are taken, and this is neither", .0.display())]
    Special(PathBuf),
}

impl From<&AdoptError> for Error {
    fn from(error: &AdoptError) -> Self {
        let message = Text::new("the bundle was not added: {}").value(error.to_string());
        let (code, hint) = match error {
            AdoptError::Read(error) => return Self::from(error),
            AdoptError::Trust(error) => return Self::from(error),
            AdoptError::Busy(error) => (Code::ExecutionError, error.hint()),
            AdoptError::Write(error) => (Code::ExecutionError, error.hint()),
            AdoptError::Changed(_) => (
                Code::ExecutionError,
                Text::from("Nothing was added: look at it again, and run the same command"),
            ),
            AdoptError::Special(_) => (
                Code::ValidationError,
                Text::from("Put a plain file in the place of links, devices and sockets"),
            ),
        };
        Self::new(code, message).hint(hint)
    }
}

/// Where a manifest's folder lies once it is taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelved {
    /// The directory of all of its kind.
    top: PathBuf,
    /// Its own.
    place: PathBuf,
}

impl Shelved {
    /// A bundle's, by its id and major.
    pub fn bundle(places: &Places, about: &About) -> Self {
        Self::below(
            places.bundles(),
            &format!("{}@{}", about.id, about.major),
            &about.id,
        )
    }

    /// An agent's, by its identity, in a folder that is called as its manifest says.
    pub fn agent(places: &Places, identity: &str, name: &str) -> Self {
        Self::below(places.agents(), identity, name)
    }

    fn below(top: PathBuf, identity: &str, name: &str) -> Self {
        Self {
            place: top.join(identity).join(name),
            top,
        }
    }

    /// Returns the folder.
    pub fn place(&self) -> &Path {
        &self.place
    }
}

/// Copies a bundle to its place and pins it. `shown` is the pin of what a person saw, where it comes from a folder.
///
/// Returns whether anything changed.
///
/// # Errors
/// When it cannot be read or written, or is another by now. Then nothing changed.
pub fn adopt(
    places: &Places,
    shelved: &Shelved,
    given: &Given,
    shown: Option<&ProjectPin>,
    now: Timestamp,
) -> Result<bool, AdoptError> {
    let place = &shelved.place;
    let top = shelved.top.join(MAKING);
    make_directory(&top)?;
    let _lock = Lock::of(&top.join("copy"), WAIT)?;
    let making = top.join("copy");
    remove(&making)?;
    copy(given, &making)?;
    let mut pinned = pin(
        &making
            .canonicalize()
            .map_err(|error| FileError::io(&making, error))?,
        now,
    )?;
    if shown.is_some_and(|shown| shown.digest != pinned.digest) {
        remove(&making)?;
        return Err(AdoptError::Changed(place.clone()));
    }
    let key = real(place);
    let known = trust::read(places)?.projects.get(&key).cloned();
    let same = known.is_some_and(|known| known.digest == pinned.digest) && is_like(place, &pinned, now);
    if same {
        remove(&making)?;
        return Ok(false);
    }
    if let Some(parent) = place.parent() {
        make_directory(parent)?;
    }
    put(&making, place)?;
    pinned.at = Timestamp::from_second(now.as_second()).unwrap_or(now);
    trust::trust_project(places, &real(place), pinned)?;
    remove(&making)?;
    Ok(true)
}

/// Whether a folder is what a pin says.
fn is_like(folder: &Path, pinned: &ProjectPin, now: Timestamp) -> bool {
    let real = folder.canonicalize().ok();
    let found = real.and_then(|real| pin(&real, now).ok());
    found.is_some_and(|found| found.digest == pinned.digest)
}

fn real(path: &Path) -> String {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real.to_string_lossy().into_owned()
}

/// Puts a folder in the place of another, or where none is, at once.
fn put(from: &Path, to: &Path) -> Result<(), FileError> {
    let failed = |error: rustix::io::Errno| FileError::io(to, error.into());
    match renameat_with(CWD, from, CWD, to, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::NOENT) => {
            renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE).map_err(failed)
        }
        Err(error) => Err(failed(error)),
    }
}

fn remove(folder: &Path) -> Result<(), FileError> {
    match fs::remove_dir_all(folder) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(FileError::io(folder, error)),
    }
}

fn copy(given: &Given, to: &Path) -> Result<(), AdoptError> {
    make_directory(to)?;
    match given {
        Given::Folder(folder) => copy_folder(folder, to),
        Given::Files(files) => {
            for file in files {
                let path = to.join(&file.name);
                if let Some(parent) = path.parent() {
                    make_directory(parent)?;
                }
                write(&path, &file.bytes, 0o644)?;
            }
            Ok(())
        }
    }
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), AdoptError> {
    let failed = |error| FileError::io(from, error);
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        let target = to.join(entry.file_name());
        if kind.is_dir() {
            make_directory(&target)?;
            copy_folder(&entry.path(), &target)?;
        } else if kind.is_file() {
            let meta = entry.metadata().map_err(failed)?;
            let mode = if meta.permissions().mode() & 0o111 == 0 {
                0o644
            } else {
                0o755
            };
            let bytes = fs::read(entry.path()).map_err(failed)?;
            write(&target, &bytes, mode)?;
        } else {
            return Err(AdoptError::Special(entry.path()));
        }
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8], mode: u32) -> Result<(), FileError> {
    let failed = |error| FileError::io(path, error);
    let mut options = fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)
        .map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    // The mode that was asked for, whatever the process leaves out of new files.
    file.set_permissions(fs::Permissions::from_mode(mode))
        .map_err(failed)?;
    file.sync_all().map_err(failed)
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;
    use crate::catalog::bundle::{BundleStanding, gather, standing};
    use crate::places::testing::places_of;

    fn about() -> About {
        About {
            id: "gh".to_owned(),
            major: 2,
            version: "2.0.0".to_owned(),
            bin: "gh".to_owned(),
            description: String::new(),
            manifest: String::new(),
        }
    }

    #[test]
    fn a_bundle_is_copied_pinned_and_replaced_whole() {
        let home = Home::new()
            .file("b/CLI.md", "one")
            .file("b/tools/x/TOOL.md", "x")
            .file("b/old.md", "");
        let places = places_of(&home);
        let folder = home.work().join("b").canonicalize().unwrap();
        let given = Given::Folder(folder.clone());
        let now = Timestamp::UNIX_EPOCH;
        let take = |given: &Given| adopt(&places, &Shelved::bundle(&places, &about()), given, None, now);
        assert!(take(&given).unwrap());
        let place = Shelved::bundle(&places, &about()).place().canonicalize().unwrap();
        assert_eq!(fs::read_to_string(place.join("tools/x/TOOL.md")).unwrap(), "x");
        assert!(!take(&given).unwrap(), "nothing changed");
        fs::write(folder.join("CLI.md"), "two").unwrap();
        fs::remove_file(folder.join("old.md")).unwrap();
        assert!(take(&given).unwrap());
        assert_eq!(fs::read_to_string(place.join("CLI.md")).unwrap(), "two");
        assert!(!place.join("old.md").exists());
        let trust = trust::read(&places).unwrap();
        let digests = gather(&place).unwrap().digests;
        assert_eq!(standing(&trust, &place, &digests), BundleStanding::Accepted);
        // Somebody else's change is put right by adding it again.
        fs::write(place.join("CLI.md"), "evil").unwrap();
        assert!(take(&given).unwrap());
        assert_eq!(fs::read_to_string(place.join("CLI.md")).unwrap(), "two");
    }

    #[test]
    fn what_changed_since_it_was_shown_is_not_taken() {
        let home = Home::new().file("b/CLI.md", "one");
        let places = places_of(&home);
        let folder = home.work().join("b").canonicalize().unwrap();
        let shown = pin(&folder, Timestamp::UNIX_EPOCH).unwrap();
        fs::write(folder.join("CLI.md"), "two").unwrap();
        let taken = adopt(
            &places,
            &Shelved::bundle(&places, &about()),
            &Given::Folder(folder),
            Some(&shown),
            Timestamp::UNIX_EPOCH,
        );
        assert!(matches!(taken, Err(AdoptError::Changed(_))), "{taken:?}");
        assert!(!Shelved::bundle(&places, &about()).place().exists());
    }

    #[test]
    fn links_are_not_taken_along() {
        let home = Home::new().file("b/CLI.md", "one");
        let (places, folder) = (places_of(&home), home.work().join("b").canonicalize().unwrap());
        std::os::unix::fs::symlink("/etc/hostname", folder.join("link.md")).unwrap();
        let taken = adopt(
            &places,
            &Shelved::bundle(&places, &about()),
            &Given::Folder(folder),
            None,
            Timestamp::UNIX_EPOCH,
        );
        assert!(matches!(taken, Err(AdoptError::Special(_))), "{taken:?}");
    }
}
