//! The programs that a child may start, with all that the kernel starts along with them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::elf::Kind;
use super::program::{Search, head, real};
use crate::Refusal;
use crate::policy::Program;

/// Directories with parts of a program that it starts itself, from the directory above the one it is in.
const HELPERS: &[(&str, &[&str])] = &[("git", &["lib/git-core", "libexec/git-core"])];

/// Files and directories from which programs may be started.
#[derive(Debug, Default)]
pub(super) struct Spawnable {
    /// Programs and loaders, without symlinks in their paths.
    pub(super) files: Vec<PathBuf>,
    /// Loaders as they are named.
    pub(super) loaders: Vec<PathBuf>,
    /// Directories of helpers.
    pub(super) directories: Vec<PathBuf>,
    pub(super) notes: Vec<String>,
}

impl Spawnable {
    /// Adds a program that is allowed anyway.
    pub(super) fn add(&mut self, file: &Path, loader: Option<&Path>) {
        self.files.push(file.to_owned());
        self.loaders.extend(loader.map(Path::to_owned));
        let prefix = file.parent().and_then(Path::parent);
        let helpers = HELPERS
            .iter()
            .filter(|(name, _)| file.file_name() == Some(OsStr::new(name)))
            .flat_map(|(_, directories)| *directories)
            .filter_map(|directory| real(&prefix?.join(directory)));
        self.directories.extend(helpers);
    }

    /// Finds the programs of a list. Nothing is taken from a directory that `writable` says the child could fill.
    pub(super) fn list(
        &mut self,
        programs: &[Program],
        search: &Search<'_>,
        writable: impl Fn(&Path) -> bool,
    ) -> Result<(), Refusal> {
        let mut interpreters = Vec::new();
        for (index, program) in programs.iter().enumerate() {
            let field = format!("exec.spawn[{index}]");
            let found: Vec<PathBuf> = search
                .all(OsStr::new(program.as_str()))
                .into_iter()
                .filter(|file| !writable(file))
                .filter_map(|file| real(&file))
                .collect();
            if found.is_empty() {
                self.notes.push(format!("{field}: {:?} is not installed", program.as_str()));
            }
            for file in found {
                match head(&file) {
                    Some(Kind::Binary { loader }) => self.add(&file, loader.as_deref()),
                    Some(Kind::Script { interpreter, argument }) => {
                        self.files.push(file);
                        interpreters.extend(wanted(&interpreter, argument.as_deref()).map(|name| {
                            (field.clone(), program.as_str().to_owned(), name)
                        }));
                    }
                    Some(Kind::Other) | None => {
                        self.notes.push(format!("{field}: {:?} is no program that can be read", program.as_str()));
                    }
                }
            }
        }
        for (field, program, name) in interpreters {
            let files: Vec<PathBuf> = search.all(&name).into_iter().filter_map(|file| real(&file)).collect();
            if !files.iter().any(|file| self.files.contains(file)) {
                return Err(Refusal::new(
                    field,
                    program,
                    format!("it is a script, and its interpreter {name:?} is not in the list"),
                    format!("Add {:?} to exec.spawn: it can then run any script", name.to_string_lossy()),
                ));
            }
        }
        Ok(())
    }
}

/// The programs that the kernel and `env` start for a script.
fn wanted(interpreter: &Path, argument: Option<&OsStr>) -> impl Iterator<Item = std::ffi::OsString> {
    let is_env = interpreter.file_name() == Some(OsStr::new("env"));
    let by_env = argument
        .filter(|_| is_env)
        .and_then(OsStr::to_str)
        .and_then(|line| line.split_whitespace().find(|word| !word.starts_with('-')))
        .map(std::ffi::OsString::from);
    [Some(interpreter.as_os_str().to_owned()), by_env].into_iter().flatten()
}
