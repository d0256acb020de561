//! What an installation will do: what is there already, and each method in its order, or why it is skipped.
//!
//! Making a plan downloads nothing, writes nothing and starts nothing of the bundle. Package managers are asked in a
//! closed sandbox where their packages come from.

use std::path::PathBuf;

use argrail_spec::cli_md::Install;

use super::installed::receipt;
use super::method::recipe;
use super::recipe::Recipe;
use super::requirement::missing;
use super::site::Site;
use super::skip::Skip;
use super::wishes::{Experimental, Wishes};
use crate::files::is_program;

/// A plan. It holds for the manifest and the wishes that it was made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The manifest: `gh@1`.
    pub id: String,
    /// What its receipt hangs on.
    pub key: String,
    /// The version of its manifest.
    pub manifest_version: String,
    /// What its program is called.
    pub bin: String,
    /// Programs that are there already. The first whose version will do is used, and nothing is installed.
    pub present: Vec<Present>,
    /// The methods.
    pub ways: Vec<Way>,
}

/// A program that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Present {
    /// Where.
    pub program: PathBuf,
    /// Who says so.
    pub from: Source,
}

/// How a program was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// It was installed, or found, before.
    Receipt,
    /// It is on the search path.
    Search,
    /// It is a file of the bundle.
    Bundle,
}

/// One method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Its name.
    pub method: String,
    /// The package, address or file.
    pub subject: String,
    /// What will become of it.
    pub outlook: Outlook,
}

/// What will become of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outlook {
    /// This is done when its turn comes.
    Will(Recipe),
    /// It is not tried.
    Skipped(Skip),
}

impl Plan {
    /// Returns the methods that will be tried, in order.
    pub fn tries(&self) -> impl Iterator<Item = (&Way, &Recipe)> {
        self.ways.iter().filter_map(|way| match &way.outlook {
            Outlook::Will(recipe) => Some((way, recipe)),
            Outlook::Skipped(_) => None,
        })
    }
}

/// Says what installing would do.
pub fn plan(site: &Site<'_>, wishes: &Wishes) -> Plan {
    let packaged = &site.packaged;
    let key = packaged.key();
    let blocked = missing(packaged.requires, site.machine);
    let ways = packaged.install.iter().map(|install| {
        let outlook = match (&blocked, install.is_experimental(), wishes.experimental) {
            (Some(skip), _, _) => Outlook::Skipped(skip.clone()),
            (None, true, Experimental::Skipped) if !is_unknown(install) => {
                Outlook::Skipped(Skip::Experimental)
            }
            (None, true | false, Experimental::Skipped | Experimental::Tried) => {
                recipe(site, install, wishes).map_or_else(Outlook::Skipped, Outlook::Will)
            }
        };
        Way {
            method: install.method().to_owned(),
            subject: subject(install),
            outlook,
        }
    });
    Plan {
        id: packaged.identity(),
        manifest_version: packaged.version.to_owned(),
        bin: packaged.bin.to_owned(),
        present: present(site, &key),
        ways: ways.collect(),
        key,
    }
}

fn is_unknown(install: &Install) -> bool {
    matches!(install, Install::Unknown(_))
}

fn subject(install: &Install) -> String {
    match install {
        Install::Package(install) => install.package.value.clone(),
        Install::Npm(install) => install.package.value.clone(),
        Install::Pip(install) => install.package.value.clone(),
        Install::Curl(install) => install.url.value.clone(),
        Install::Download(install) => install.url.value.clone(),
        Install::Vendored(install) => install.path.as_str().to_owned(),
        Install::Unknown(_) => String::new(),
    }
}

fn present(site: &Site<'_>, key: &str) -> Vec<Present> {
    let mut found: Vec<Present> = Vec::new();
    // Directories of the search path may be one and the same.
    let mut files: Vec<PathBuf> = Vec::new();
    let mut push = |program: PathBuf, from| {
        let file = program.canonicalize().unwrap_or_else(|_| program.clone());
        if !files.contains(&file) {
            files.push(file);
            found.push(Present { program, from });
        }
    };
    let bin = site.packaged.bin;
    if bin.contains('/') {
        let file = site.root.join(bin);
        if is_program(&file) {
            push(file, Source::Bundle);
        }
        return found;
    }
    if let Some(installed) = receipt(site.places, key) {
        push(installed.program, Source::Receipt);
    }
    for program in site.all(bin) {
        push(program, Source::Search);
    }
    found
}
