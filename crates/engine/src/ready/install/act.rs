//! Does what a recipe says, one act after the other.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use argrail_sandbox::Cancel;
use argrail_sandbox::policy::HostPattern;

use super::archive::unpack;
use super::cancelled::is_cancelled;
use super::child::{self, Reached};
use super::error::Fault;
use super::fetch::{self, Address, Promise};
use super::progress::Progress;
use super::recipe::{Act, Egress, Fetch, Index, Recipe, Run, Word};
use super::shelf::Build;
use super::site::Site;
use super::sources::hosts;
use super::wishes::Registries;
use crate::files::untrusted::FileError;

/// What an index is asked for: its answer for programs, else its page for people.
const ACCEPT: &str = "application/vnd.pypi.simple.v1+json, application/json, text/html;q=0.5";
/// The mode of a program.
const PROGRAM: u32 = 0o755;

/// Whoever does it.
#[derive(Clone, Copy)]
pub(super) struct Worker<'w> {
    pub(super) site: &'w Site<'w>,
    pub(super) progress: &'w dyn Progress,
    pub(super) cancel: Option<&'w Cancel>,
}

impl Worker<'_> {
    /// Does everything that a recipe says, in the folders of `build`.
    ///
    /// # Errors
    /// The first thing that fails.
    pub(super) fn follow(&self, recipe: &Recipe, build: &Build) -> Result<(), Fault> {
        let mut fetched: Option<File> = None;
        for act in &recipe.acts {
            if is_cancelled(self.cancel) {
                return Err(Fault::Cancelled);
            }
            match act {
                Act::Fetch(file) => fetched = Some(self.fetch(file)?),
                Act::Unpack { program } => {
                    self.progress.step("unpacking");
                    unpack(taken(&mut fetched)?, &build.own, program)?;
                }
                Act::Keep { to } => put(&mut taken(&mut fetched)?, &build.path(to), 0o644)?,
                Act::Copy { from, to } => self.copy(from, to, build)?,
                Act::Run(run) => self.run(run, build)?,
            }
        }
        Ok(())
    }

    fn fetch(&self, file: &Fetch) -> Result<File, Fault> {
        self.progress.step(&format!("downloading {}", file.url));
        let downloads = self.site.places.downloads();
        let source = fetch::Source {
            url: &file.url,
            expected: file.sha256.as_deref(),
            folder: &downloads,
            environment: self.site.environment,
            reach: self.site.reach,
        };
        fetch::fetch(&source, self.progress, self.cancel).map_err(|error| match error {
            fetch::FetchError::Cancelled => Fault::Cancelled,
            error => Fault::Fetch(error),
        })
    }

    fn copy(&self, from: &str, to: &Word, build: &Build) -> Result<(), Fault> {
        self.progress.step(&format!("copying {from}"));
        let fail = |path: &Path, error| Fault::File(FileError::io(path, error));
        let root = self
            .site
            .root
            .canonicalize()
            .map_err(|error| fail(self.site.root, error))?;
        let named = root.join(from);
        let file = named.canonicalize().map_err(|error| fail(&named, error))?;
        if !file.starts_with(&root) {
            return Err(FileError::NotRegular { path: named }.into());
        }
        let mut source = crate::files::untrusted::open_at_once(&file).map_err(|error| fail(&file, error))?;
        put(&mut source, &build.path(to), PROGRAM)
    }

    fn run(&self, run: &Run, build: &Build) -> Result<(), Fault> {
        let words: Vec<String> = run.argv.iter().map(Word::shown).collect();
        self.progress.step(&format!("running {}", words.join(" ")));
        for (_, word) in &run.environment {
            make_folder(word, build)?;
        }
        let reached = match &run.egress {
            Egress::None => Reached::default(),
            Egress::Public => Reached {
                hosts: vec![HostPattern::public()],
                anywhere: Vec::new(),
            },
            Egress::Hosts { names, index, at } => {
                let mut all = names.clone();
                for index in index {
                    all.extend(self.told(index, *at));
                }
                let patterns = all
                    .iter()
                    .filter_map(|name| HostPattern::parse("hosts", name).ok());
                Reached {
                    hosts: patterns.collect(),
                    anywhere: match at {
                        Registries::Public => Vec::new(),
                        Registries::Anywhere => all,
                    },
                }
            }
        };
        child::run(self.site, run, reached, build, self.cancel)
    }

    /// Hosts that an index names. One that does not answer names none, and then the manager says what is wrong.
    fn told(&self, index: &Index, at: Registries) -> Vec<String> {
        let Ok(address) = Address::parse(&index.page, Promise::Nothing) else {
            return Vec::new();
        };
        let page = fetch::page(&address, at, ACCEPT, self.site.environment, self.site.reach);
        page.map_or_else(|_| Vec::new(), |page| hosts(&page))
    }
}

fn taken(fetched: &mut Option<File>) -> Result<File, Fault> {
    let missing = || FileError::io(Path::new("download"), io::ErrorKind::NotFound.into());
    Ok(fetched.take().ok_or_else(missing)?)
}

/// Folders that variables name are there before the program is.
fn make_folder(word: &Word, build: &Build) -> Result<(), Fault> {
    match word {
        Word::Text(_) => Ok(()),
        Word::Own(_) | Word::Scratch(_) => {
            let path = build.path(word);
            fs::create_dir_all(&path).map_err(|error| FileError::io(&path, error).into())
        }
    }
}

/// Writes a file whole.
fn put(from: &mut File, to: &Path, mode: u32) -> Result<(), Fault> {
    let fail = |error| Fault::File(FileError::io(to, error));
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(fail)?;
    }
    let mut file = File::create_new(to).map_err(fail)?;
    io::copy(from, &mut file).map_err(fail)?;
    file.set_permissions(Permissions::from_mode(mode)).map_err(fail)
}
