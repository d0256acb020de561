//! The file behind a name, and everything the kernel starts with it: interpreters of scripts, loaders of binaries.
//!
//! A script is started by us as interpreter and script, so that the kernel has to start one binary only.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::file_format::{self, FileFormat};
use crate::refusal::Refusal;

/// How many scripts may stand behind one another.
const MAX_SCRIPT_DEPTH: usize = 4;

/// How much of a file tells what it is.
const HEAD_BYTES: u64 = 4096;

/// A program that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResolvedProgram {
    /// The binary that the kernel starts, without a symlink in its path.
    pub(crate) binary: PathBuf,
    /// Its arguments, its name first.
    pub(crate) argv: Vec<OsString>,
    /// Files that must be readable for it: the scripts.
    pub(crate) scripts: Vec<PathBuf>,
    /// Symlinks by which scripts were named, and the scripts. Some do one thing or another by that name.
    pub(crate) links: Vec<(PathBuf, PathBuf)>,
    /// The loader that the kernel starts with it, as the binary names it.
    pub(crate) loader: Option<PathBuf>,
}

/// Where programs are looked for.
#[derive(Debug, Clone)]
pub(crate) struct ProgramSearch<'s> {
    /// Directories for names without a slash.
    pub(crate) path: &'s [PathBuf],
    /// Where names with a slash start.
    pub(crate) directory: &'s Path,
}

impl ResolvedProgram {
    /// Tells a script the name of a symlink as its own, as the kernel would.
    pub(crate) fn call(&mut self, script: &Path, link: &Path) {
        if let Some(word) = self.argv.iter_mut().find(|word| *word == script) {
            *word = link.as_os_str().to_owned();
        }
    }
}

impl ProgramSearch<'_> {
    /// Finds every file of that name, first the one that a shell would take.
    pub(crate) fn all(&self, name: &OsStr) -> Vec<PathBuf> {
        if name.as_bytes().contains(&b'/') {
            return Some(self.directory.join(name))
                .filter(|file| is_program(file))
                .into_iter()
                .collect();
        }
        let absolute = self.path.iter().filter(|directory| directory.is_absolute());
        absolute
            .map(|directory| directory.join(name))
            .filter(|file| is_program(file))
            .collect()
    }

    /// Finds what `argv` starts.
    pub(crate) fn resolve(&self, argv: &[OsString]) -> Result<ResolvedProgram, Refusal> {
        let name = argv
            .first()
            .filter(|name| !name.is_empty())
            .ok_or_else(|| refuse(OsStr::new(""), "no program is named", "Name a program after '--'"))?;
        let file = self
            .all(name)
            .into_iter()
            .next()
            .ok_or_else(|| refuse(name, "no such program", "Check the name, or give its full path"))?;
        let mut resolved = ResolvedProgram {
            binary: file,
            argv: argv.to_vec(),
            scripts: Vec::new(),
            links: Vec::new(),
            loader: None,
        };
        for _ in 0..MAX_SCRIPT_DEPTH {
            let named = resolved.binary;
            resolved.binary =
                real(&named).ok_or_else(|| refuse(name, "the program vanished", "Check the path"))?;
            match head(&resolved.binary) {
                Ok(FileFormat::Binary { loader }) => {
                    resolved.loader = loader;
                    return Ok(resolved);
                }
                Ok(FileFormat::Script {
                    interpreter,
                    argument,
                }) => {
                    let link = name_of(&named).filter(|link| *link != resolved.binary);
                    resolved
                        .links
                        .extend(link.map(|link| (link, resolved.binary.clone())));
                    self.interpret(name, &mut resolved, &interpreter, argument)?;
                }
                Ok(FileFormat::Other) => {
                    let reason = "it is neither a program for this machine nor a script that begins with #!";
                    return Err(refuse(name, reason, "Add a #! line that names its interpreter"));
                }
                Err(error) => return Err(unread(name, &error)),
            }
        }
        Err(refuse(
            name,
            "too many interpreters behind one another",
            "Name the interpreter itself",
        ))
    }

    /// Puts the interpreter of a script in its place.
    fn interpret(
        &self,
        name: &OsStr,
        resolved: &mut ResolvedProgram,
        interpreter: &Path,
        argument: Option<OsString>,
    ) -> Result<(), Refusal> {
        let script = resolved.binary.clone();
        let mut words: Vec<OsString> = Vec::new();
        let is_env = interpreter.file_name() == Some(OsStr::new("env"));
        match argument {
            // `env` would look the name up and start it: one start more than needed, so we look.
            Some(argument) if is_env => {
                let line = argument.as_bytes();
                let line = line.strip_prefix(b"-S").unwrap_or(line);
                let split = line
                    .split(u8::is_ascii_whitespace)
                    .filter(|word| !word.is_empty());
                words.extend(split.map(|word| OsStr::from_bytes(word).to_owned()));
                let is_plain =
                    |word: &OsString| !word.as_bytes().starts_with(b"-") && !word.as_bytes().contains(&b'=');
                let wanted = words.first().filter(|word| is_plain(word)).ok_or_else(|| {
                    refuse(
                        &argument,
                        "this use of env in a #! line is not understood",
                        "Name the interpreter itself",
                    )
                })?;
                resolved.binary = self.all(wanted).into_iter().next().ok_or_else(|| {
                    refuse(
                        name,
                        &format!("its interpreter {wanted:?} is not installed"),
                        "Install the interpreter",
                    )
                })?;
            }
            argument => {
                if !interpreter.is_absolute() || !is_program(interpreter) {
                    let reason = format!("its interpreter {interpreter:?} is not installed");
                    return Err(refuse(
                        name,
                        &reason,
                        "Install the interpreter, or correct the #! line",
                    ));
                }
                words.push(interpreter.as_os_str().to_owned());
                words.extend(argument);
                resolved.binary = interpreter.to_owned();
            }
        }
        let rest = std::mem::take(&mut resolved.argv).into_iter().skip(1);
        words.push(script.clone().into_os_string());
        words.extend(rest);
        resolved.argv = words;
        resolved.scripts.push(script);
        Ok(())
    }
}

/// What a file is, by its beginning.
pub(super) fn head(file: &Path) -> io::Result<FileFormat> {
    let mut head = Vec::new();
    File::open(file)?.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok(file_format::file_format(&head))
}

/// A program whose file was not read: for want of rights, or because the host had nothing left to open it with.
fn unread(name: &OsStr, error: &io::Error) -> Refusal {
    Refusal::exhausted(error).unwrap_or_else(|| refuse(name, "it cannot be read", "Make the file readable"))
}

/// Returns the loader that a program asks for.
pub(crate) fn loader_of(file: &Path) -> Option<PathBuf> {
    match head(file).ok()? {
        FileFormat::Binary { loader } => loader,
        FileFormat::Script { .. } | FileFormat::Other => None,
    }
}

/// The path without symlinks.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// The path with symlinks in its directories followed, and its last name kept.
pub(super) fn name_of(path: &Path) -> Option<PathBuf> {
    Some(real(path.parent()?)?.join(path.file_name()?))
}

fn is_program(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

fn refuse(name: &OsStr, reason: &str, fix: &str) -> Refusal {
    Refusal::new("argv[0]", name.to_string_lossy(), reason, fix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn write(path: &Path, text: &str) {
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn resolve(directory: &Path, argv: &[&str]) -> Result<ResolvedProgram, Refusal> {
        let path = [
            directory.to_owned(),
            PathBuf::from("/usr/bin"),
            PathBuf::from("/bin"),
        ];
        let argv: Vec<OsString> = argv.iter().map(Into::into).collect();
        ProgramSearch {
            path: &path,
            directory,
        }
        .resolve(&argv)
    }

    #[test]
    fn scripts_become_their_interpreter() {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().canonicalize().unwrap();
        write(&directory.join("plain"), "#!/bin/sh -e\n");
        write(&directory.join("byenv"), "#!/usr/bin/env sh\n");
        write(&directory.join("split"), "#!/usr/bin/env -S sh -eu\n");
        let shell = Path::new("/bin/sh").canonicalize().unwrap();
        for (name, argv) in [
            ("plain", vec!["/bin/sh", "-e", "SCRIPT", "a"]),
            ("byenv", vec!["sh", "SCRIPT", "a"]),
            ("split", vec!["sh", "-eu", "SCRIPT", "a"]),
        ] {
            let script = directory.join(name);
            let resolved = resolve(&directory, &[name, "a"]).unwrap();
            assert_eq!(resolved.binary, shell);
            let argv: Vec<OsString> = argv
                .into_iter()
                .map(|word| {
                    if word == "SCRIPT" {
                        script.clone().into()
                    } else {
                        word.into()
                    }
                })
                .collect();
            assert_eq!(resolved.argv, argv);
            assert_eq!(resolved.scripts, [script]);
        }
    }

    #[test]
    fn a_script_keeps_the_name_of_its_symlink() {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().canonicalize().unwrap();
        let (script, link) = (directory.join("wrapper"), directory.join("psql"));
        write(&script, "#!/bin/sh\n");
        std::os::unix::fs::symlink("wrapper", &link).unwrap();
        assert_eq!(resolve(&directory, &["wrapper"]).unwrap().links, []);
        let mut resolved = resolve(&directory, &["psql", "-c"]).unwrap();
        assert_eq!(resolved.links, [(link.clone(), script.clone())]);
        assert_eq!(resolved.scripts, std::slice::from_ref(&script));
        resolved.call(&script, &link);
        assert_eq!(
            resolved.argv,
            [OsStr::new("/bin/sh"), link.as_os_str(), OsStr::new("-c")]
        );
    }

    #[test]
    fn what_cannot_be_started_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().canonicalize().unwrap();
        write(&directory.join("text"), "no program");
        write(&directory.join("lost"), "#!/nowhere/x\n");
        write(&directory.join("odd"), "#!/usr/bin/env FOO=1 sh\n");
        write(
            &directory.join("a"),
            &format!("#!{}\n", directory.join("b").display()),
        );
        write(
            &directory.join("b"),
            &format!("#!{}\n", directory.join("a").display()),
        );
        for (name, reason) in [
            ("absent", "no such program"),
            ("", "no program is named"),
            ("text", "neither a program"),
            ("lost", "is not installed"),
            ("odd", "not understood"),
            ("a", "too many interpreters"),
        ] {
            let refusal = resolve(&directory, &[name]).unwrap_err();
            assert!(refusal.reason.contains(reason), "{name}: {refusal}");
        }
    }
}
