//! The programs in directories: what a shell would start by its name, and nothing that only looks like it.
//!
//! Links are followed. Nothing is opened here, so a pipe or a device costs nothing. A name stands for the first file
//! that we may execute, as in a shell, also when that file is then left out.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use argrail_spec::atip::check_tool_name;

use super::skip_list::SkipList;
use super::skipped::Skipped;
use crate::files::identity::{self, Identity};
use crate::files::is_program;

/// The most programs of one scan.
const MOST: usize = 20_000;
/// The most entries of one directory.
const ENTRIES: usize = 50_000;
/// Set-user-id and set-group-id.
const SET_ID: u32 = 0o6000;
/// Anybody may write.
const WORLD: u32 = 0o002;

/// A program that could be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// Where it is: directory and name, as they were found.
    pub path: PathBuf,
    /// Which file that is.
    pub identity: Identity,
}

impl Candidate {
    /// Looks at the program at `path`, which stands for its name already.
    ///
    /// # Errors
    /// Why it is never started to ask.
    pub fn named(path: &Path, skip: &SkipList) -> Result<Self, String> {
        match look(path, skip, &mut HashSet::new()) {
            Look::Candidate(candidate) => Ok(candidate),
            Look::Skipped(reason) => Err(reason),
            Look::NoProgram => Err("it is no program that we may execute".to_owned()),
        }
    }
}

/// What stands in some directories.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// The programs, in the order of directories and names.
    pub list: Vec<Candidate>,
    /// What was left out.
    pub skipped: Vec<Skipped>,
}

impl Candidates {
    /// Looks at what is named, then into each directory, in order.
    pub fn of(named: &[(String, PathBuf)], directories: &[PathBuf], skip: &SkipList) -> Self {
        let mut found = Self::default();
        let mut names = HashSet::new();
        for (name, path) in named {
            // The file may have another name than the tool.
            match look(path, skip, &mut HashSet::new()) {
                Look::Candidate(candidate) if names.insert(name.clone()) => found.list.push(Candidate {
                    name: name.clone(),
                    ..candidate
                }),
                Look::Candidate(_) => {}
                Look::Skipped(reason) => found.skipped.push(Skipped::new(path, reason)),
                Look::NoProgram => {
                    let reason = "it is no program that we may execute, and the configuration names it";
                    found.skipped.push(Skipped::new(path, reason));
                }
            }
        }
        for directory in directories {
            let mut entries = match entries(directory) {
                Ok(entries) => entries,
                Err(error) => {
                    let reason = format!("cannot be read: {error}");
                    found.skipped.push(Skipped::new(directory, reason));
                    continue;
                }
            };
            if entries.len() > ENTRIES {
                entries.truncate(ENTRIES);
                let reason = format!("more than {ENTRIES} entries; the others were not looked at");
                found.skipped.push(Skipped::new(directory, reason));
            }
            for path in entries {
                if found.list.len() >= MOST {
                    let reason = format!("more than {MOST} programs; the others were not looked at");
                    found.skipped.push(Skipped::new(directory, reason));
                    return found;
                }
                match look(&path, skip, &mut names) {
                    Look::Candidate(candidate) => found.list.push(candidate),
                    Look::Skipped(reason) => found.skipped.push(Skipped::new(path, reason)),
                    Look::NoProgram => {}
                }
            }
        }
        found
    }
}

/// The paths in a directory, in an order that does not change from scan to scan.
fn entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let read = fs::read_dir(directory)?.take(ENTRIES + 1);
    let mut paths: Vec<PathBuf> = read.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

enum Look {
    Candidate(Candidate),
    Skipped(String),
    NoProgram,
}

fn look(path: &Path, skip: &SkipList, names: &mut HashSet<String>) -> Look {
    let meta = match path.metadata() {
        Ok(meta) => meta,
        Err(error) => return unresolved(path, &error),
    };
    if let Some(reason) = special(&meta) {
        return Look::Skipped(reason.to_owned());
    }
    if !is_program(path) {
        return Look::NoProgram;
    }
    let Some(name) = path.file_name().and_then(OsStr::to_str) else {
        return Look::Skipped("its name is not UTF-8".to_owned());
    };
    if names.contains(name) {
        return Look::NoProgram;
    }
    names.insert(name.to_owned());
    if let Err(problem) = check_tool_name(name) {
        return Look::Skipped(problem.to_string());
    }
    let mode = meta.permissions().mode();
    if mode & SET_ID != 0 {
        return Look::Skipped(
            "it runs as another user or group (set-id), and is never started to ask".to_owned(),
        );
    }
    if mode & WORLD != 0 {
        return Look::Skipped("anybody can write to it".to_owned());
    }
    if let Some(reason) = skip.reason(name) {
        return Look::Skipped(reason.to_owned());
    }
    Look::Candidate(Candidate {
        name: name.to_owned(),
        path: path.to_owned(),
        identity: identity::of(&meta),
    })
}

/// A name that leads nowhere.
fn unresolved(path: &Path, error: &io::Error) -> Look {
    let is_link = path.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
    match error.kind() {
        // It went between listing and looking.
        io::ErrorKind::NotFound if !is_link => Look::NoProgram,
        io::ErrorKind::NotFound => Look::Skipped("a symlink that leads nowhere".to_owned()),
        _ if is_link => Look::Skipped(format!("a symlink that cannot be followed: {error}")),
        _ => Look::Skipped(format!("cannot be looked at: {error}")),
    }
}

/// What is no file and no directory.
fn special(meta: &Metadata) -> Option<&'static str> {
    let kind = meta.file_type();
    if kind.is_fifo() {
        Some("a pipe")
    } else if kind.is_socket() {
        Some("a socket")
    } else if kind.is_char_device() || kind.is_block_device() {
        Some("a device")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use argrail_testkit::Home;
    use rustix::fs::{FileType, Mode, mknodat};

    use super::*;

    fn program(path: &Path, mode: u32) {
        fs::write(path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn only_programs_are_candidates_and_the_first_of_a_name_wins() {
        let home = Home::new();
        let (one, two) = (home.root().join("one"), home.root().join("two"));
        fs::create_dir(&one).unwrap();
        fs::create_dir(&two).unwrap();
        program(&one.join("tool"), 0o755);
        program(&two.join("tool"), 0o755);
        program(&two.join("later"), 0o755);
        program(&one.join("plain"), 0o644);
        program(&two.join("plain"), 0o755);
        program(&one.join("raised"), 0o4755);
        program(&two.join("raised"), 0o755);
        program(&one.join("shared"), 0o757);
        program(&one.join("a b"), 0o755);
        program(&one.join(OsStr::from_bytes(b"\xff")), 0o755);
        program(&one.join("reboot"), 0o755);
        fs::create_dir(one.join("folder")).unwrap();
        symlink("nowhere", one.join("dangling")).unwrap();
        symlink("loop", one.join("loop")).unwrap();
        symlink("tool", one.join("alias")).unwrap();
        symlink("/dev/null", one.join("device")).unwrap();
        mknodat(
            rustix::fs::CWD,
            one.join("pipe"),
            FileType::Fifo,
            Mode::from_raw_mode(0o777),
            0,
        )
        .unwrap();
        let _socket = UnixListener::bind(one.join("socket")).unwrap();

        let skip = SkipList::new(&[]);
        let found = Candidates::of(&[], &[one.clone(), two.clone(), home.root().join("gone")], &skip);
        let names: Vec<(&str, &Path)> = found
            .list
            .iter()
            .map(|candidate| (candidate.name.as_str(), candidate.path.parent().unwrap()))
            .collect();
        assert_eq!(
            names,
            [("alias", &*one), ("tool", &one), ("later", &two), ("plain", &two)]
        );
        assert_eq!(found.list[0].identity, found.list[1].identity);
        let skipped = |name: &str| {
            let path = one.join(name);
            let found = found.skipped.iter().find(|skipped| skipped.path == path);
            found.map_or("", |skipped| skipped.reason.as_str()).to_owned()
        };
        for (name, reason) in [
            ("raised", "set-id"),
            ("shared", "anybody can write"),
            ("a b", "white space"),
            ("reboot", "never started"),
            ("dangling", "leads nowhere"),
            ("loop", "cannot be followed"),
            ("device", "a device"),
            ("pipe", "a pipe"),
            ("socket", "a socket"),
        ] {
            assert!(skipped(name).contains(reason), "{name}: {:?}", skipped(name));
        }
        assert!(
            found
                .skipped
                .iter()
                .any(|skipped| skipped.reason.contains("UTF-8"))
        );
        assert!(
            found
                .skipped
                .iter()
                .any(|skipped| skipped.reason.contains("cannot be read"))
        );
        assert_eq!(found.skipped.len(), 11, "{:?}", found.skipped);
    }
}
