//! Whether an installed program still is what its receipt says, to the last file of its folder.
//!
//! A package is many files, any of which is the program. They are told apart by what the system says of each (device,
//! number, size, times), which costs a look; bytes are read where that is new, and then remembered. What cannot be read
//! has changed.
//!
//! A program that argrail did not put there and that belongs to the system changes with the system's updates, and is
//! held to nothing here.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::SYSTEM_DIRECTORIES;
use argrail_spec::digest::{Digest, Hasher};
use argrail_spec::identity::Identity;
use serde::{Deserialize, Serialize};

use super::installed::{Installed, InstalledTree, folder};
use crate::files::atomic::{self, Access, Durability};
use crate::files::identity::{self, MAX_EXECUTABLE, fingerprint, fingerprint_of};
use crate::files::untrusted::{self, FileError, Keeper, Links, Reading};
use crate::places::Places;

/// The most files and folders of one program, and how deep they lie.
const MOST: usize = 500_000;
const DEEP: usize = 128;
/// How old the last change must be before an identity stands for bytes: the kernel's clock of files goes in steps, and
/// two changes within one step look like one.
const SETTLED: Duration = Duration::from_secs(1);
/// The folder of the cache that says which files were seen to have the digest of their receipt, and its longest file.
const SEEN: &str = "seen-programs";
const LONGEST: u64 = 4096;

/// A program that is not what was installed.
#[derive(Debug, thiserror::Error)]
pub enum ProgramDrift {
    /// It says something else.
    #[error("the program of {id} is not what was installed: {} has changed", path.display())]
    Changed {
        /// Whose it is.
        id: String,
        /// The file, or the folder that it is in.
        path: PathBuf,
    },
    /// Nobody can tell.
    #[error("the program of {id} cannot be held against its receipt: {source}")]
    Unreadable {
        /// Whose it is.
        id: String,
        /// Why.
        source: FileError,
    },
}

impl From<&ProgramDrift> for Error {
    fn from(drift: &ProgramDrift) -> Self {
        let (id, what) = match drift {
            ProgramDrift::Changed { id, path } => {
                let what = Text::new("the program of {} is not what was installed: {} has changed");
                (id, what.value(id).value(path.to_string_lossy()))
            }
            ProgramDrift::Unreadable { id, source } => {
                let what = Text::new("the program of {} cannot be held against its receipt: {}");
                (id, what.value(id).value(source.to_string()))
            }
        };
        let name = id.split('@').next().unwrap_or(id);
        let hint = "A person has to see who changed it, and install it again, with: argrail install {}";
        Self::new(Code::SetupRequired, what)
            .hint(Text::new(hint).value(name))
            .detail("pending", vec!["install"])
            .detail("reason", "drift")
    }
}

/// What was seen to be what a receipt says.
#[derive(Debug, Serialize, Deserialize)]
struct Seen {
    /// The digest in the receipt.
    digest: String,
    /// The identities of all files.
    files: String,
}

/// Holds a program against its receipt.
///
/// # Errors
/// It is not what was installed, or nobody can tell.
pub fn check_integrity(places: &Places, installed: &Installed) -> Result<(), ProgramDrift> {
    check_at(places, installed, SystemTime::now())
}

fn check_at(places: &Places, installed: &Installed, now: SystemTime) -> Result<(), ProgramDrift> {
    // As people read it; see `Packaged::key`.
    let id = installed.id.trim_end_matches("@agent");
    let unreadable = |source| ProgramDrift::Unreadable {
        id: id.to_owned(),
        source,
    };
    let changed = |path: &Path| ProgramDrift::Changed {
        id: id.to_owned(),
        path: path.to_owned(),
    };
    let program = &installed.program;
    let expected = match &installed.tree {
        Some(tree) if program.starts_with(&tree.root) => tree.digest,
        // What lies in our own folder is held as a whole, or not at all.
        Some(_) => return Err(changed(program)),
        None if is_ours(places, program) => return Err(changed(program)),
        None if is_systems(program) => return Ok(()),
        None => installed.digest,
    };
    let tree = installed.tree.as_ref().map(|tree| tree.root.as_path());
    let before = identities(program, tree).map_err(unreadable)?;
    // Beside the folder of programs: what is in that is what was installed, and nothing else.
    let place = folder(places, &installed.id).and_then(|folder| seen_file(places, &folder));
    let seen = place.as_deref().and_then(read);
    let is_seen =
        |seen: &Seen| seen.digest == expected.to_string() && seen.files == before.digest.to_string();
    if seen.as_ref().is_some_and(is_seen) {
        return Ok(());
    }
    let found = match tree {
        Some(tree) => tree_digest(tree).map_err(unreadable)?,
        None => file_digest(program).map_err(unreadable)?,
    };
    if found != expected {
        return Err(changed(&before.latest));
    }
    let after = identities(program, tree).map_err(unreadable)?;
    if after.digest != before.digest {
        return Err(changed(&after.latest));
    }
    if let Some(place) = place.filter(|_| before.is_settled(now)) {
        let seen = Seen {
            digest: expected.to_string(),
            files: before.digest.to_string(),
        };
        if let Ok(text) = serde_json::to_vec(&seen) {
            // Not kept, it is found out again.
            let _ = atomic::replace(&place, &text, Access::Private, Durability::Cached);
        }
    }
    Ok(())
}

/// Where it is kept what was seen of the program of a folder.
fn seen_file(places: &Places, folder: &Path) -> Option<PathBuf> {
    let name = folder.file_name()?.to_str()?;
    Some(places.cache().join(SEEN).join(format!("{name}.json")))
}

/// Returns the folder of a program that argrail put there, with its digest.
pub(super) fn seal(root: &Path) -> Result<InstalledTree, FileError> {
    Ok(InstalledTree {
        root: root.to_owned(),
        digest: tree_digest(root)?,
    })
}

fn read(path: &Path) -> Option<Seen> {
    let reading = Reading {
        keeper: Keeper::Trusted,
        links: Links::Refuse,
        limit: LONGEST,
    };
    let contents = untrusted::read(path, &reading).ok()??;
    serde_json::from_slice(&contents.bytes).ok()
}

/// Whether a program lies where argrail installs.
fn is_ours(places: &Places, program: &Path) -> bool {
    let ours = places.installed();
    let real = ours.canonicalize().unwrap_or_else(|_| ours.clone());
    program.starts_with(ours) || program.starts_with(real)
}

/// Whether a program belongs to the system, so that nobody but root writes it.
fn is_systems(program: &Path) -> bool {
    let Ok(real) = program.canonicalize() else {
        return false;
    };
    let is_roots = |path: &Path| {
        path.metadata()
            .is_ok_and(|found| found.uid() == 0 && found.permissions().mode() & 0o022 == 0)
    };
    SYSTEM_DIRECTORIES.iter().any(|place| real.starts_with(place)) && real.ancestors().all(is_roots)
}

/// The digest of a single file.
fn file_digest(path: &Path) -> Result<Digest, FileError> {
    let found = fingerprint(path, MAX_EXECUTABLE)?;
    found.map(|found| found.digest).ok_or_else(|| gone(path))
}

fn gone(path: &Path) -> FileError {
    FileError::io(path, io::ErrorKind::NotFound.into())
}

/// The digest of everything in a folder: names, kinds, what files say, where links lead.
fn tree_digest(root: &Path) -> Result<Digest, FileError> {
    let mut hasher = Hasher::default();
    walk(root, |folder, entries| {
        hasher.field(folder.below.as_os_str().as_bytes());
        hasher.update(entries.len().to_be_bytes());
        for (name, meta) in entries {
            hasher.field(name.as_bytes());
            let path = folder.path.join(name);
            match meta.file_type() {
                kind if kind.is_dir() => hasher.field("directory"),
                kind if kind.is_symlink() => {
                    let target = fs::read_link(&path).map_err(|error| FileError::io(&path, error))?;
                    hasher.field("link");
                    hasher.field(target.as_os_str().as_bytes());
                }
                kind if kind.is_file() => {
                    let found = fingerprint_of(&path, Links::Refuse, MAX_EXECUTABLE)?;
                    let found = found.ok_or_else(|| gone(&path))?;
                    let is_program = meta.permissions().mode() & 0o111 != 0;
                    hasher.field(if is_program { "program" } else { "file" });
                    hasher.field(found.digest.to_string());
                }
                _ => return Err(FileError::NotRegular { path }),
            }
        }
        Ok(())
    })?;
    Ok(hasher.finish())
}

/// Which files a program is, without what they say.
struct Identities {
    digest: Digest,
    /// The file that changed last, and when, in nanoseconds since 1970.
    latest: PathBuf,
    at: i64,
}

impl Identities {
    /// Whether the last change is long enough ago.
    fn is_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let at = Duration::from_nanos(u64::try_from(self.at).unwrap_or_default());
        now.checked_sub(at).is_some_and(|age| age >= SETTLED)
    }
}

fn identities(program: &Path, tree: Option<&Path>) -> Result<Identities, FileError> {
    let mut bytes = Vec::new();
    let mut latest = (i64::MIN, program.to_owned());
    match tree {
        Some(root) => walk(root, |folder, entries| {
            put_name(&mut bytes, folder.below.as_os_str());
            bytes.extend(entries.len().to_be_bytes());
            for (name, meta) in entries {
                let found = identity::of(meta);
                put_name(&mut bytes, name);
                put_identity(&mut bytes, &found);
                if found.ctime > latest.0 {
                    latest = (found.ctime, folder.path.join(name));
                }
            }
            Ok(())
        })?,
        None => {
            let real = program
                .canonicalize()
                .map_err(|error| FileError::io(program, error))?;
            let found = identity::look(&real)?.ok_or_else(|| gone(program))?;
            put_name(&mut bytes, real.as_os_str());
            put_identity(&mut bytes, &found);
            latest.0 = found.ctime;
        }
    }
    let (at, latest) = latest;
    Ok(Identities {
        digest: Digest::of(bytes),
        latest,
        at,
    })
}

fn put_name(bytes: &mut Vec<u8>, name: &OsStr) {
    bytes.extend(name.len().to_be_bytes());
    bytes.extend_from_slice(name.as_bytes());
}

fn put_identity(bytes: &mut Vec<u8>, found: &Identity) {
    let Identity {
        device,
        inode,
        size,
        mtime,
        ctime,
    } = found;
    [device, inode, size]
        .iter()
        .for_each(|number| bytes.extend(number.to_be_bytes()));
    [mtime, ctime]
        .iter()
        .for_each(|time| bytes.extend(time.to_be_bytes()));
}

/// A folder on the way.
struct Folder {
    path: PathBuf,
    /// The same from where the way began.
    below: PathBuf,
}

/// Visits every folder of a tree with what is in it, in the order of names. No link is followed.
fn walk(
    root: &Path,
    mut visit: impl FnMut(&Folder, &[(OsString, Metadata)]) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let top = root
        .symlink_metadata()
        .map_err(|error| FileError::io(root, error))?;
    if !top.is_dir() {
        return Err(FileError::NotRegular {
            path: root.to_owned(),
        });
    }
    let first = Folder {
        path: root.to_owned(),
        below: PathBuf::new(),
    };
    let mut waiting = vec![(first, 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = waiting.pop() {
        let fail = |error| FileError::io(&folder.path, error);
        let mut entries = Vec::new();
        for entry in fs::read_dir(&folder.path).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            entries.push((entry.file_name(), entry.metadata().map_err(fail)?));
        }
        seen += entries.len();
        if seen > MOST || depth > DEEP {
            return Err(fail(io::Error::other("it has too many files")));
        }
        entries.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        visit(&folder, &entries)?;
        for (name, _) in entries.iter().rev().filter(|(_, meta)| meta.is_dir()) {
            let inside = Folder {
                path: folder.path.join(name),
                below: folder.below.join(name),
            };
            waiting.push((inside, depth + 1));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;
    use jiff::Timestamp;

    use super::*;
    use crate::files::identity::testing::rewrite;
    use crate::places::testing::places_of;

    /// A package of a few files, installed.
    struct Package {
        _home: Home,
        places: Places,
        installed: Installed,
    }

    impl Package {
        fn new() -> Self {
            let home = Home::new();
            let places = places_of(&home);
            let root = places.installed().join("tool@1/1.0.0-0");
            let put = |path: &str, text: &str| {
                fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
                fs::write(root.join(path), text).unwrap();
            };
            put("lib/main.js", "main();\n");
            put("lib/deep/part.js", "part();\n");
            fs::set_permissions(root.join("lib/main.js"), fs::Permissions::from_mode(0o755)).unwrap();
            fs::create_dir(root.join("bin")).unwrap();
            symlink("../lib/main.js", root.join("bin/tool")).unwrap();
            let installed = Installed {
                id: "tool@1".to_owned(),
                program: root.join("bin/tool"),
                method: "npm".to_owned(),
                version: "1.0.0".to_owned(),
                manifest_version: "1.0.0".to_owned(),
                digest: Digest::of("main();\n"),
                tree: Some(seal(&root).unwrap()),
                at: Timestamp::UNIX_EPOCH,
            };
            Self {
                _home: home,
                places,
                installed,
            }
        }

        fn path(&self, below: &str) -> PathBuf {
            self.installed.tree.as_ref().unwrap().root.join(below)
        }

        fn seen(&self) -> PathBuf {
            self.places.cache().join("seen-programs/tool@1.json")
        }

        fn check(&self) -> Result<(), ProgramDrift> {
            check_at(&self.places, &self.installed, later())
        }
    }

    /// Long after everything that a test does.
    fn later() -> SystemTime {
        SystemTime::now() + Duration::from_secs(60)
    }

    #[test]
    fn any_file_of_a_package_is_the_program() {
        let changes: [fn(&Package); 8] = [
            |package| rewrite(&package.path("lib/main.js"), "evil();\n"),
            |package| rewrite(&package.path("lib/deep/part.js"), "evil();\n"),
            |package| fs::write(package.path("lib/deep/more.js"), "").unwrap(),
            |package| fs::remove_file(package.path("lib/deep/part.js")).unwrap(),
            |package| fs::create_dir(package.path("lib/new")).unwrap(),
            |package| {
                fs::remove_file(package.path("bin/tool")).unwrap();
                symlink("../lib/deep/part.js", package.path("bin/tool")).unwrap();
            },
            |package| {
                fs::remove_file(package.path("lib/deep/part.js")).unwrap();
                symlink("../main.js", package.path("lib/deep/part.js")).unwrap();
            },
            |package| {
                let mode = fs::Permissions::from_mode(0o755);
                fs::set_permissions(package.path("lib/deep/part.js"), mode).unwrap();
            },
        ];
        for (index, change) in changes.iter().enumerate() {
            let package = Package::new();
            package.check().unwrap();
            change(&package);
            let drift = package.check().unwrap_err();
            assert!(matches!(drift, ProgramDrift::Changed { .. }), "{index}: {drift}");
        }
    }

    #[test]
    fn bytes_are_read_only_where_a_file_is_new() {
        let mut package = Package::new();
        // Within the steps of the clock nothing is taken for granted.
        check_at(&package.places, &package.installed, SystemTime::now()).unwrap();
        assert!(!package.seen().exists());
        package.check().unwrap();
        assert!(package.seen().exists());
        // A digest that no file has, and a note that it was seen: nobody reads a byte.
        let wrong = Digest::of("wrong");
        let tree = package.installed.tree.as_mut().unwrap();
        let note = fs::read_to_string(package.places.cache().join("seen-programs/tool@1.json")).unwrap();
        let note = note.replace(&tree.digest.to_string(), &wrong.to_string());
        tree.digest = wrong;
        fs::write(package.seen(), note).unwrap();
        package.check().unwrap();
        // The same bytes in another file are read.
        let copy = package.path("lib/copy.js");
        fs::copy(package.path("lib/deep/part.js"), &copy).unwrap();
        fs::rename(copy, package.path("lib/deep/part.js")).unwrap();
        package.check().unwrap_err();
    }

    #[test]
    fn a_restored_copy_is_what_was_installed() {
        let package = Package::new();
        package.check().unwrap();
        let part = package.path("lib/deep/part.js");
        let copy = package.path("lib/deep/copy.js");
        fs::copy(&part, &copy).unwrap();
        fs::rename(copy, &part).unwrap();
        package.check().unwrap();
    }

    #[test]
    fn what_nobody_can_tell_is_no_match() {
        let package = Package::new();
        let mut elsewhere = package.installed.clone();
        elsewhere.program = "/bin/sh".into();
        assert!(check_at(&package.places, &elsewhere, later()).is_err());
        let mut unsealed = package.installed.clone();
        unsealed.tree = None;
        assert!(check_at(&package.places, &unsealed, later()).is_err());
        // A program of the system's is held to nothing; its updates are the system's.
        let mut systems = unsealed;
        systems.program = Path::new("/bin/sh").canonicalize().unwrap();
        check_at(&package.places, &systems, later()).unwrap();
        fs::remove_dir_all(package.path("")).unwrap();
        let drift = package.check().unwrap_err();
        let told = Error::from(&drift);
        assert_eq!((told.code(), told.exit()), (&Code::SetupRequired, 4));
        assert_eq!(told.get_detail("reason"), Some(&"drift".into()));
        assert!(told.hint_text().unwrap().contains("argrail install 'tool'"));
    }
}
