//! Where something is installed: what its manifest says, the machine, the user, and what everything is started with.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use argrail_sandbox::Launcher;

use super::machine::Machine;
use crate::config::NetworkOverrides;
use crate::files::programs_named;
use crate::places::Places;
use crate::ready::packaged::Packaged;

/// Everything that an installation depends on. Whether the manifest is trusted was decided before.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// The program, as its manifest says.
    pub packaged: Packaged<'a>,
    /// The folder of the manifest.
    pub root: &'a Path,
    /// The user's directories.
    pub places: &'a Places,
    /// Who builds sandboxes.
    pub launcher: &'a Launcher,
    /// Our own variables. Package managers get those few that say where packages come from.
    pub environment: &'a BTreeMap<OsString, OsString>,
    /// The user's home, without symlinks.
    pub home: &'a Path,
    /// Where programs are looked for.
    pub search: &'a [PathBuf],
    /// What is different about the network.
    pub reach: &'a NetworkOverrides,
    /// What kind of machine this is.
    pub machine: &'a Machine,
}

impl Site<'_> {
    /// Returns a variable of ours that is text and not empty.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        let value = self.environment.get(OsStr::new(name))?.to_str()?;
        (!value.is_empty()).then_some(value)
    }

    /// Looks for a program.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        self.all(name).next()
    }

    /// Returns every program of that name, in the order in which they are found.
    pub(super) fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = PathBuf> + 's {
        programs_named(OsStr::new(name), self.search)
    }
}
