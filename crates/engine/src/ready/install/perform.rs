//! Installing: what is there is used if it will do; else one method after the other, until one gives a program that does.

use std::fs;
use std::path::{Path, PathBuf};

use argrail_sandbox::Cancel;
use argrail_spec::digest::Digest;
use jiff::Timestamp;

use super::act::Worker;
use super::error::{Failure, Fault, InstallError};
use super::fetch::FetchError;
use super::installed::{Installed, InstalledTree, receipt, write};
use super::integrity::{check_integrity, seal};
use super::plan::{Outlook, Plan, Source};
use super::progress::Progress;
use super::recipe::{Product, Recipe};
use super::shelf::{Build, Shelf};
use super::site::Site;
use crate::files::identity::{MAX_EXECUTABLE, fingerprint, look};
use crate::files::is_program;
use crate::files::untrusted::FileError;
use crate::ready::version::{Asking, Known, VersionError, observe};

/// How deep and how wide a program is looked for where its place is not known.
const DEEP: usize = 12;
const WIDE: usize = 200_000;

/// Does what a plan says. At most one process does it at a time; the others wait, and use what it made.
///
/// # Errors
/// Every method with the reason why it gave no program. Nothing of what was tried is left.
pub fn install(
    site: &Site<'_>,
    plan: &Plan,
    progress: &dyn Progress,
    cancel: Option<Cancel>,
) -> Result<Installed, InstallError> {
    let worker = Worker {
        site,
        progress,
        cancel: cancel.as_ref(),
    };
    let work = Work { worker, plan };
    work.all()
}

struct Work<'w> {
    worker: Worker<'w>,
    plan: &'w Plan,
}

impl Work<'_> {
    fn all(&self) -> Result<Installed, InstallError> {
        let (site, id, key) = (self.worker.site, &self.plan.id, &self.plan.key);
        let shelf = Shelf::of(site.places, key)?;
        let _lock = shelf.lock(self.worker.progress)?;
        let mut failures = Vec::new();
        // Looked at again: whoever held the lock may have installed it.
        for (program, from) in self.present() {
            let used = self.unchanged(&program).and_then(|()| self.known(&program));
            match used.and_then(|version| self.found(&program, from, &version)) {
                Ok(installed) => return Ok(installed),
                Err(fault) => failures.push(failure("present", fault)),
            }
        }
        shelf.sweep(site.places, key);
        for (way, recipe) in self.plan.tries() {
            match self.attempt(&shelf, &way.method, recipe) {
                Ok(installed) => return Ok(installed),
                Err(Fault::Cancelled) => return Err(InstallError::Cancelled { id: id.clone() }),
                Err(Fault::Fetch(source @ FetchError::Hash { .. })) => {
                    let id = id.clone();
                    return Err(InstallError::Tampered { id, source });
                }
                Err(fault) => failures.push(failure(&way.method, fault)),
            }
        }
        Err(self.failed(failures))
    }

    /// Sees that a program of ours, before it is asked anything, is what was installed. One of somebody else's may have
    /// become another: a person installs it again, and so says that it will do.
    fn unchanged(&self, program: &Path) -> Result<(), Fault> {
        let places = self.worker.site.places;
        let known = receipt(places, &self.plan.key);
        match known.filter(|installed| installed.program == program && installed.tree.is_some()) {
            Some(installed) => Ok(check_integrity(places, &installed)?),
            None => Ok(()),
        }
    }

    /// What is there already, by the receipt first.
    fn present(&self) -> Vec<(PathBuf, Source)> {
        let known = receipt(self.worker.site.places, &self.plan.key);
        let known = known.map(|installed| (installed.program, Source::Receipt));
        let planned = self.plan.present.iter();
        let planned = planned.map(|present| (present.program.clone(), present.from));
        let mut all: Vec<(PathBuf, Source)> = Vec::new();
        for (program, from) in known.into_iter().chain(planned) {
            if is_program(&program) && !all.iter().any(|(other, _)| *other == program) {
                all.push((program, from));
            }
        }
        all
    }

    /// Uses a program that is there.
    fn found(&self, program: &Path, from: Source, version: &str) -> Result<Installed, Fault> {
        let site = self.worker.site;
        let before = receipt(site.places, &self.plan.key).filter(|installed| installed.program == program);
        let digest = digest(program)?;
        let tree = before.as_ref().and_then(|installed| installed.tree.clone());
        match (from, before) {
            (Source::Receipt, Some(installed))
                if installed.digest == digest
                    && installed.version == version
                    && installed.manifest_version == self.plan.manifest_version =>
            {
                Ok(installed)
            }
            (Source::Receipt | Source::Search | Source::Bundle, before) => {
                let method = before.map_or_else(|| "present".to_owned(), |installed| installed.method);
                self.record(program.to_owned(), &method, version, (digest, tree))
            }
        }
    }

    /// Tries one method.
    fn attempt(&self, shelf: &Shelf, method: &str, recipe: &Recipe) -> Result<Installed, Fault> {
        let build = shelf.build()?;
        self.worker.follow(recipe, &build)?;
        let (program, place) = self.locate(&recipe.product, &build)?;
        // What is made here lies where nobody finds it again if it will not do: its name says more.
        let shown = match place {
            Place::Own => program.file_name().map_or(program.as_path(), Path::new),
            Place::Elsewhere => program.as_path(),
        };
        let version = observe(&self.asking(&program))?.required(shown)?;
        let made = digest(&program)?;
        let (program, tree) = match place {
            Place::Own => {
                let digits = made.to_string().replace("sha256:", "");
                let (root, program) = shelf.place(&build, &program, &version, &digits)?;
                (program, Some(seal(&root)?))
            }
            Place::Elsewhere => (program, None),
        };
        let made = digest(&program)?;
        if let Some(file) = look(&program)? {
            let check = self.worker.site.packaged.version_check;
            Known::of(self.worker.site.places).remember(check, &program, &file, &version);
        }
        self.record(program, method, &version, (made, tree))
    }

    fn record(
        &self,
        program: PathBuf,
        method: &str,
        version: &str,
        (digest, tree): (Digest, Option<InstalledTree>),
    ) -> Result<Installed, Fault> {
        let installed = Installed {
            id: self.plan.key.clone(),
            program,
            method: method.to_owned(),
            version: version.to_owned(),
            manifest_version: self.plan.manifest_version.clone(),
            digest,
            tree,
            at: Timestamp::now(),
        };
        write(self.worker.site.places, &installed)?;
        Ok(installed)
    }

    /// Returns the version of a program that is there, if it will do.
    fn known(&self, program: &Path) -> Result<String, Fault> {
        let known = Known::of(self.worker.site.places);
        Ok(known.observe(&self.asking(program))?.required(program)?)
    }

    fn asking<'a>(&'a self, program: &'a Path) -> Asking<'a> {
        let site = self.worker.site;
        Asking {
            check: site.packaged.version_check,
            bin: site.packaged.bin,
            program,
            launcher: site.launcher,
            places: site.places,
            home: site.home,
            search: site.search,
            cancel: self.worker.cancel,
        }
    }

    /// Finds what a method made.
    fn locate(&self, product: &Product, build: &Build) -> Result<(PathBuf, Place), Fault> {
        let absent = |name: &str| Fault::NoProgram {
            name: name.to_owned(),
        };
        match product {
            Product::Own(below) => {
                let path = build.own.join(below);
                within(&path, &build.own).ok_or_else(|| absent(below))?;
                Ok((path, Place::Own))
            }
            Product::Somewhere(name) => {
                let found = search(&build.own, name).ok_or_else(|| absent(name))?;
                Ok((found, Place::Own))
            }
            Product::System(name) => {
                let found = self.worker.site.find(name).ok_or_else(|| absent(name))?;
                Ok((found, Place::Elsewhere))
            }
            Product::Bundle(path) => {
                let root = self.worker.site.root;
                let found = within(&root.join(path), root).ok_or_else(|| absent(path))?;
                Ok((found, Place::Elsewhere))
            }
        }
    }

    fn failed(&self, mut failures: Vec<Failure>) -> InstallError {
        let id = self.plan.id.clone();
        let is_other =
            |failure: &Failure| matches!(failure.fault, Fault::Version(VersionError::Mismatch { .. }));
        let (installed, present): (Vec<_>, Vec<_>) = failures
            .iter()
            .enumerate()
            .partition(|(_, failure)| failure.method != "present");
        // What was installed and is another version says more than a method that failed.
        let other = installed
            .iter()
            .chain(&present)
            .find(|(_, failure)| is_other(failure));
        let only_present = installed.is_empty() || installed.iter().any(|(_, failure)| is_other(failure));
        if let Some(at) = other.map(|(at, _)| *at).filter(|_| only_present)
            && let Fault::Version(source) = failures.swap_remove(at).fault
        {
            return InstallError::Version { id, source };
        }
        let skipped = self.plan.ways.iter().filter_map(|way| match &way.outlook {
            Outlook::Skipped(skip) => Some((way.method.clone(), skip.clone())),
            Outlook::Will(_) => None,
        });
        InstallError::Failed {
            id,
            failures,
            skipped: skipped.collect(),
        }
    }
}

/// Whose folder a program is in.
enum Place {
    /// That which was built.
    Own,
    /// Somebody else's.
    Elsewhere,
}

fn failure(method: &str, fault: Fault) -> Failure {
    Failure {
        method: method.to_owned(),
        fault,
    }
}

fn digest(program: &Path) -> Result<Digest, Fault> {
    let found = fingerprint(program, MAX_EXECUTABLE)?;
    let gone = || FileError::io(program, std::io::ErrorKind::NotFound.into());
    Ok(found.ok_or_else(gone)?.digest)
}

/// Returns a program that lies in a folder, links followed; `None` when it is none, or lies outside.
fn within(path: &Path, folder: &Path) -> Option<PathBuf> {
    let (real, folder) = (path.canonicalize().ok()?, folder.canonicalize().ok()?);
    (real.starts_with(folder) && is_program(&real)).then_some(real)
}

/// Looks for a program of this name, the shallowest first.
fn search(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut level = vec![folder.to_owned()];
    let mut seen = 0;
    for _ in 0..DEEP {
        let mut below = Vec::new();
        for directory in &level {
            let candidate = directory.join(name);
            if within(&candidate, folder).is_some() {
                return Some(candidate);
            }
            for entry in fs::read_dir(directory)
                .into_iter()
                .flatten()
                .filter_map(Result::ok)
            {
                seen += 1;
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    below.push(entry.path());
                }
            }
            if seen > WIDE {
                return None;
            }
        }
        below.sort();
        level = below;
    }
    None
}
