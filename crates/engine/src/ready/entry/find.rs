//! The entry of a bundle and what runs it.
//!
//! Nothing is started to find out: a module is known by its ending, a program by its mode and its first line.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_sandbox::{Cancel, Launcher};

use super::error::EntryError;
use super::runtime::Runtime;
use crate::profile::interpreter;

/// Endings of modules that node runs.
const MODULES: [&str; 3] = ["js", "mjs", "cjs"];
/// Endings of modules with types.
const TYPED: [&str; 2] = ["ts", "mts"];

/// Where an entry is asked.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The user's home, which is never shown.
    pub home: PathBuf,
    /// Where programs are looked for.
    pub search: Vec<PathBuf>,
    /// Who builds the sandbox.
    pub launcher: Launcher,
    /// How long each question may take. Starting node takes a few hundred milliseconds on a busy machine.
    pub timeout: Duration,
    /// A switch that ends it.
    pub cancel: Option<Cancel>,
}

/// An entry that can be asked.
#[derive(Debug, Clone)]
pub struct Entry {
    pub(super) file: PathBuf,
    pub(super) runtime: Runtime,
    pub(super) setting: Setting,
}

impl Entry {
    /// Finds the entry `name` of the bundle in `root`; `name` is a path from there, as `entry` of a `CLI.md` resolves.
    ///
    /// # Errors
    /// It is no file of the bundle, cannot be started, or what runs it is not there.
    pub fn find(root: &Path, name: &str, setting: Setting) -> Result<Self, EntryError> {
        let named = root.join(name);
        let not_there = || EntryError::NotThere { path: named.clone() };
        let root = root.canonicalize().map_err(|_| not_there())?;
        let file = named.canonicalize().map_err(|_| not_there())?;
        // A link that leads out of the bundle shows somebody else's file.
        if !file.starts_with(&root) || !file.is_file() {
            return Err(not_there());
        }
        let runtime = runtime(&file, &setting.search)?;
        Ok(Self {
            file,
            runtime,
            setting,
        })
    }

    /// Returns the file.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

fn runtime(file: &Path, search: &[PathBuf]) -> Result<Runtime, EntryError> {
    let ending = file
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default();
    let missing = |runtime: &str| EntryError::NoRuntime {
        path: file.to_owned(),
        runtime: runtime.to_owned(),
    };
    let node = || find_program("node", search).ok_or_else(|| missing("node"));
    if MODULES.contains(&ending) {
        return Ok(Runtime::Node(node()?));
    }
    if TYPED.contains(&ending) {
        return Ok(Runtime::TypedNode(node()?));
    }
    let mode = file.metadata().map(|metadata| metadata.permissions().mode());
    if mode.map_or(true, |mode| mode & 0o111 == 0) {
        return Err(EntryError::NotExecutable {
            path: file.to_owned(),
        });
    }
    // `#!/usr/bin/env NAME` would have to start a second program; it is found here instead.
    match interpreter(file) {
        None => Ok(Runtime::Own),
        Some(program) if program.is_absolute() => Ok(Runtime::Interpreter(program)),
        Some(name) => {
            let name = name.to_string_lossy().into_owned();
            let program = find_program(&name, search).ok_or_else(|| missing(&name))?;
            Ok(Runtime::Interpreter(program))
        }
    }
}

fn find_program(name: &str, search: &[PathBuf]) -> Option<PathBuf> {
    let places = search.iter().filter(|directory| directory.is_absolute());
    places.map(|directory| directory.join(name)).find(|file| {
        let mode = file.metadata().map(|metadata| metadata.permissions().mode());
        file.is_file() && mode.is_ok_and(|mode| mode & 0o111 != 0)
    })
}
