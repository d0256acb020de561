//! What a project offers and wants, as a person and as a program see it.
//!
//! All of it is the project's own word, so it is escaped, one thing a line, and never shortened: what is cut off
//! could be what matters.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use argrail_engine::call::{RemoteHosts, remote_hosts};
use argrail_engine::catalog::bundle::project_problems;
use argrail_engine::catalog::project::{Difference, ProjectTrust, Surveyed, Wants};
use argrail_engine::catalog::resolve::Problem;
use argrail_spec::registry::Registry;
use argrail_spec::trust::TrustFile;
use serde_json::{Value, json};

use crate::foreign::{Page, Part};

/// A project, laid out for a decision.
pub(super) struct Plan<'a> {
    surveyed: &'a Surveyed,
    wants: Wants,
    /// Names that are not known yet.
    adds: BTreeSet<&'a str>,
    /// Names that are known: the project may not take them.
    known: BTreeSet<&'a str>,
    /// What is wrong with its bundles.
    broken: Vec<Problem>,
    /// Hosts of its git remotes, which are no new hosts once it is accepted.
    remotes: RemoteHosts,
}

impl<'a> Plan<'a> {
    /// Reads what the files want. `path` is the value of `PATH`, and `home` what `~` means to git.
    pub(super) fn of(
        surveyed: &'a Surveyed,
        trust: &TrustFile,
        registry: &Registry,
        path: Option<&OsStr>,
        home: &Path,
    ) -> Self {
        let tools = surveyed.files.offers.iter().filter(|offer| offer.kind.is_tool());
        let is_known = |name: &str| {
            registry.tools.contains_key(name)
                || trust.tools.contains_key(name)
                || is_on_path(surveyed, path, name)
        };
        let (known, adds) = tools
            .map(|offer| offer.name.as_str())
            .partition(|name| is_known(name));
        Self {
            wants: Wants::of(&surveyed.files),
            broken: project_problems(&surveyed.files),
            remotes: remote_hosts(surveyed.project.root(), home),
            surveyed,
            adds,
            known,
        }
    }

    /// The hosts of remotes that the screen shows.
    pub(super) fn remotes(&self) -> &[String] {
        &self.remotes.hosts
    }

    /// The `data` for programs.
    pub(super) fn data(&self) -> Value {
        let files = &self.surveyed.files;
        let offers = files
            .offers
            .iter()
            .map(|offer| json!({"kind": offer.kind.as_str(), "name": offer.name, "file": offer.file}));
        let skipped = files
            .skipped
            .iter()
            .map(|(file, why)| json!({"file": file, "reason": why}));
        let broken = self
            .broken()
            .map(|(file, why)| json!({"file": file, "reason": why}));
        let mut data = json!({
            "project": self.surveyed.project.root().to_string_lossy(),
            "standing": self.surveyed.trust.as_str(),
            "digest": files.digest(),
            "files": files.tree.files.len(),
            "offers": offers.collect::<Vec<_>>(),
            "adds": self.adds,
            "mayNotShadow": self.known,
            "remotes": self.remotes.hosts,
            "remotesNotTold": self.remotes.untold,
            "wants": {
                "programs": self.wants.programs,
                "hosts": self.wants.hosts,
                "paths": self.wants.paths,
                "secrets": self.wants.secrets,
                "network": self.wants.network,
                "notRead": self.wants.silent,
            },
            "skipped": skipped.collect::<Vec<_>>(),
            "problems": broken.collect::<Vec<_>>(),
        });
        if let ProjectTrust::Changed(difference) = &self.surveyed.trust {
            data["difference"] = json!({
                "added": difference.added,
                "removed": difference.removed,
                "changed": difference.changed,
            });
        }
        data
    }

    /// The screen for a person.
    pub(super) fn page(&self) -> Page {
        let files = &self.surveyed.files;
        let mut page = Page::default();
        page.line("project", &self.surveyed.project.root().to_string_lossy());
        page.line("digest", &files.digest().to_string());
        if let ProjectTrust::Changed(changed) = &self.surveyed.trust {
            difference(&mut page, changed);
        }
        let offers = files.offers.iter().map(|offer| {
            vec![
                Part::ours(offer.kind.as_str()),
                Part::ours(" "),
                Part::Quoted(offer.name.clone()),
                Part::ours(" in "),
                Part::Quoted(offer.file.clone()),
            ]
        });
        page.items("offers", offers);
        page.list("would add", self.adds.iter());
        page.list("may not shadow, since it is known", self.known.iter());
        page.list("git remotes lead to", &self.remotes.hosts);
        page.list(
            "git remotes that cannot be told, and stay strange",
            &self.remotes.untold,
        );
        page.list("programs", &self.wants.programs);
        page.list("hosts", &self.wants.hosts);
        page.list("uses the network", &self.wants.network);
        page.list("paths", &self.wants.paths);
        page.list("secrets and other variables", &self.wants.secrets);
        page.list("says more than argrail reads", &self.wants.silent);
        let left_out = files.skipped.iter();
        page.items(
            "left out",
            left_out.map(|(file, why)| {
                vec![
                    Part::Quoted(file.to_string()),
                    Part::ours(": "),
                    Part::Foreign(why.to_string()),
                ]
            }),
        );
        page.items(
            "cannot be used before somebody mends it",
            self.broken().map(|(file, why)| {
                vec![
                    Part::Quoted(file),
                    Part::ours(": "),
                    Part::Foreign(why.to_owned()),
                ]
            }),
        );
        page
    }

    /// Each file of a bundle that is wrong, by its path in the project, and what is.
    pub(super) fn broken(&self) -> impl Iterator<Item = (String, &str)> {
        let root = self.surveyed.project.root();
        self.broken.iter().map(move |problem| {
            let file = problem.path.strip_prefix(root).unwrap_or(&problem.path);
            (file.to_string_lossy().into_owned(), problem.message.as_str())
        })
    }
}

/// Adds what changed since somebody accepted it.
fn difference(page: &mut Page, difference: &Difference) {
    let lists = [
        ("+", &difference.added),
        ("-", &difference.removed),
        ("~", &difference.changed),
    ];
    if lists.iter().any(|(_, files)| !files.is_empty()) {
        page.title("changed since it was accepted: + is new, - is gone, ~ is another");
    }
    for (mark, files) in lists {
        files.iter().for_each(|file| page.line(mark, file));
    }
}

/// Whether another program of this name is found first, outside the project.
fn is_on_path(surveyed: &Surveyed, path: Option<&OsStr>, name: &str) -> bool {
    let folders = path.map(std::env::split_paths).into_iter().flatten();
    let outside = folders.filter(|folder| folder.is_absolute()).filter(|folder| {
        let real = folder.canonicalize();
        real.is_ok_and(|real| !surveyed.project.holds(&real))
    });
    let mut found = outside.map(|folder| folder.join(name));
    found.any(|program| Path::is_file(&program))
}
