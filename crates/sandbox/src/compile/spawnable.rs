//! The programs that a child may start, with all that the kernel starts along with them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::file_format::FileFormat;
use super::program::{ProgramSearch, head, real};
use crate::policy::{PathPattern, Program};
use crate::refusal::Refusal;

/// Directories with parts of a program that it starts itself, from the directory above the one it is in.
const HELPER_DIRECTORIES: &[(&str, &[&str])] = &[("git", &["lib/git-core", "libexec/git-core"])];

/// Files and directories from which programs may be started.
#[derive(Debug, Default)]
pub(super) struct SpawnableFiles {
    /// Programs and loaders, without symlinks in their paths.
    pub(super) files: Vec<PathBuf>,
    /// Loaders as they are named.
    pub(super) loaders: Vec<PathBuf>,
    /// Directories of helpers.
    pub(super) directories: Vec<PathBuf>,
    pub(super) notes: Vec<String>,
}

impl SpawnableFiles {
    /// Adds a program that is allowed anyway.
    pub(super) fn add(&mut self, file: &Path, loader: Option<&Path>) {
        self.files.push(file.to_owned());
        self.loaders.extend(loader.map(Path::to_owned));
        let prefix = file.parent().and_then(Path::parent);
        let helpers = HELPER_DIRECTORIES
            .iter()
            .filter(|(name, _)| file.file_name() == Some(OsStr::new(name)))
            .flat_map(|(_, directories)| *directories)
            .filter_map(|directory| real(&prefix?.join(directory)))
            // A link that leads elsewhere was made by whoever could write here.
            .filter(|helper| prefix.is_some_and(|prefix| helper.starts_with(prefix)));
        self.directories.extend(helpers);
    }

    /// Leaves out what is denied, even where no grant holds it: it is then not there.
    pub(super) fn without(&mut self, denied: &[PathPattern]) {
        let is_free = |path: &PathBuf| !denied.iter().any(|pattern| pattern.matches(path));
        self.files.retain(is_free);
        self.directories.retain(is_free);
    }

    /// Returns every place from which the kernel starts something, without symlinks in their paths.
    pub(super) fn places(&self) -> Vec<PathBuf> {
        let loaders = self.loaders.iter().filter_map(|loader| real(loader));
        self.files
            .iter()
            .chain(&self.directories)
            .cloned()
            .chain(loaders)
            .collect()
    }

    /// Finds the programs of a list. Nothing is taken from a directory that `writable` says the child could fill.
    pub(super) fn list(
        &mut self,
        programs: &[Program],
        search: &ProgramSearch<'_>,
        writable: impl Fn(&Path) -> bool,
    ) -> Result<(), Refusal> {
        let mut scripts = Vec::new();
        for (index, program) in programs.iter().enumerate() {
            let field = format!("exec.spawn[{index}]");
            let found: Vec<PathBuf> = search
                .all(OsStr::new(program.as_str()))
                .into_iter()
                .filter(|file| !writable(file))
                .filter_map(|file| real(&file))
                .collect();
            if found.is_empty() {
                self.notes
                    .push(format!("{field}: {:?} is not installed", program.as_str()));
            }
            let mut script = ListedScript {
                field,
                program: program.as_str(),
                has_binary: false,
                files: Vec::new(),
            };
            for file in found {
                match head(&file).ok() {
                    Some(FileFormat::Binary { loader }) => {
                        script.has_binary = true;
                        self.add(&file, loader.as_deref());
                    }
                    Some(FileFormat::Script {
                        interpreter,
                        argument,
                    }) => {
                        script
                            .files
                            .push((file, interpreter_programs(&interpreter, argument.as_deref())));
                    }
                    Some(FileFormat::Other) | None => {
                        let note = format!("{}: {file:?} is no program that can be read", script.field);
                        self.notes.push(note);
                    }
                }
            }
            scripts.push(script);
        }
        scripts
            .iter()
            .try_for_each(|script| self.add_scripts(script, search))
    }

    /// Adds the scripts of a name whose interpreters are allowed too. A name must have one that can be started.
    fn add_scripts(&mut self, script: &ListedScript<'_>, search: &ProgramSearch<'_>) -> Result<(), Refusal> {
        let is_allowed = |name: &OsString| {
            search
                .all(name)
                .iter()
                .filter_map(|file| real(file))
                .any(|file| self.files.contains(&file))
        };
        let (startable, others): (Vec<_>, Vec<_>) = script
            .files
            .iter()
            .partition(|(_, wanted)| wanted.iter().all(is_allowed));
        if let Some((_, wanted)) = others.first()
            && startable.is_empty()
            && !script.has_binary
        {
            let missing: Vec<String> = wanted
                .iter()
                .filter(|name| !is_allowed(name))
                .map(|name| format!("{:?}", name.to_string_lossy()))
                .collect();
            let missing = missing.join(", ");
            return Err(Refusal::new(
                &script.field,
                script.program,
                format!("it is a script, and what runs it is not in the list: {missing}"),
                format!("Add {missing} to exec.spawn: it can then run any script"),
            ));
        }
        let files: Vec<PathBuf> = startable.iter().map(|(file, _)| file.clone()).collect();
        self.files.extend(files);
        Ok(())
    }
}

/// What a name of the list stands for besides binaries.
struct ListedScript<'s> {
    field: String,
    program: &'s str,
    has_binary: bool,
    /// Scripts, and the programs that run each.
    files: Vec<(PathBuf, Vec<OsString>)>,
}

/// The programs that the kernel and `env` start for a script.
fn interpreter_programs(interpreter: &Path, argument: Option<&OsStr>) -> Vec<OsString> {
    let is_env = interpreter.file_name() == Some(OsStr::new("env"));
    let by_env = argument
        .filter(|_| is_env)
        .and_then(OsStr::to_str)
        .and_then(|line| line.split_whitespace().find(|word| !word.starts_with('-')))
        .map(OsString::from);
    [Some(interpreter.as_os_str().to_owned()), by_env]
        .into_iter()
        .flatten()
        .collect()
}
