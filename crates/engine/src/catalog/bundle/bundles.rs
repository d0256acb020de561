//! Every bundle that counts here, by the names it can be called by.
//!
//! A bundle is called by its id; of two majors of an id the higher one is, and each by `id@major`. Its program's name
//! leads to it, too, unless that is the id of another. A project's bundle stands before one of the data home.

use std::collections::BTreeMap;

use argrail_spec::atip::check_tool_name;
use argrail_spec::cli_md;

use super::CLI;
use super::head::{About, BundleHead, BundleOrigin};
use super::held::hold;
use super::index;
use crate::catalog::project::{OfferKind, ProjectFiles};
use crate::catalog::resolve::Problem;
use crate::places::Places;

/// All bundles.
#[derive(Debug, Default)]
pub struct Bundles {
    heads: Vec<BundleHead>,
    names: BTreeMap<String, usize>,
    /// What is wrong with the bundles whose manifest cannot be used, by the name that they would be called by.
    broken: BTreeMap<String, Problem>,
    /// Manifests that could not be used.
    pub problems: Vec<Problem>,
}

impl Bundles {
    /// Looks at the data home, and at a project that is trusted.
    pub fn open(places: &Places, project: Option<&ProjectFiles>) -> Self {
        let mut problems = Vec::new();
        let mut heads: Vec<BundleHead> = project
            .into_iter()
            .flat_map(|files| of_project(files, &mut problems))
            .collect();
        let (own, unusable) = index::heads(places);
        heads.extend(own);
        problems.extend(unusable);
        let names = names(&heads);
        let broken = problems.iter().filter_map(|problem| {
            let name = folder_name(problem)?;
            (!names.contains_key(name)).then(|| (name.to_owned(), problem.clone()))
        });
        Self {
            broken: broken.collect(),
            heads,
            names,
            problems,
        }
    }

    /// Returns the bundle that a name leads to.
    pub fn find(&self, name: &str) -> Option<&BundleHead> {
        self.names.get(name).and_then(|index| self.heads.get(*index))
    }

    /// Returns every name that leads to a bundle.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// Returns what is wrong with the manifest of the bundle that lies in a folder of this name. Whoever calls it has to
    /// hear that, and not that there is no such command.
    pub fn broken(&self, name: &str) -> Option<&Problem> {
        self.broken.get(name)
    }

    /// Returns the names of bundles whose manifest cannot be used.
    pub fn broken_names(&self) -> impl Iterator<Item = &str> {
        self.broken.keys().map(String::as_str)
    }

    /// Returns every bundle, the nearest first.
    pub fn heads(&self) -> &[BundleHead] {
        &self.heads
    }
}

/// Returns what is wrong with the bundles of a project, whether it is trusted or not: whoever is to accept it is told.
pub fn project_problems(files: &ProjectFiles) -> Vec<Problem> {
    let mut problems = Vec::new();
    for head in of_project(files, &mut problems) {
        if let Err(error) = hold(&head, Some(files)) {
            problems.push(Problem::new(&head.root, error.to_string()));
        }
    }
    problems
}

/// A bundle lies in a folder that has its name; in the data home its major may stand behind.
fn folder_name(problem: &Problem) -> Option<&str> {
    let folder = problem.path.parent()?.file_name()?.to_str()?;
    let name = folder.split_once('@').map_or(folder, |(name, _)| name);
    check_tool_name(name).is_ok().then_some(name)
}

fn of_project(files: &ProjectFiles, problems: &mut Vec<Problem>) -> Vec<BundleHead> {
    let offers = files
        .offers
        .iter()
        .filter(|offer| offer.kind == OfferKind::Bundle);
    let mut heads = Vec::new();
    for offer in offers {
        let folder = offer.file.strip_suffix(CLI).unwrap_or(&offer.file);
        let folder = folder.trim_end_matches('/');
        let read = files.contents(&offer.file).map_err(|error| error.to_string());
        let said = read.and_then(|text| match cli_md::load(&text) {
            Ok(loaded) => Ok(About::of(&loaded.manifest, &text)),
            Err(refused) => Err(refused.to_string()),
        });
        match said {
            Ok(about) => heads.push(BundleHead {
                root: files.root().join(folder),
                origin: BundleOrigin::Project(folder.to_owned()),
                about,
            }),
            Err(why) => problems.push(Problem::new(&files.root().join(&offer.file), why)),
        }
    }
    heads
}

fn names(heads: &[BundleHead]) -> BTreeMap<String, usize> {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for (index, head) in heads.iter().enumerate() {
        names.entry(head.identity()).or_insert(index);
    }
    // Whose the shorter names are: the nearer's, then the higher major's.
    let is_home = |head: &BundleHead| head.origin == BundleOrigin::Home;
    let mut order: Vec<(usize, &BundleHead)> = heads.iter().enumerate().collect();
    order.sort_by_key(|(_, head)| (is_home(head), std::cmp::Reverse(head.about.major)));
    for (index, head) in &order {
        names.entry(head.about.id.clone()).or_insert(*index);
    }
    for (index, head) in &order {
        names.entry(head.program().to_owned()).or_insert(*index);
    }
    names.retain(|name, _| check_tool_name(name).is_ok());
    names
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn head(id: &str, major: u64, bin: &str, origin: BundleOrigin) -> BundleHead {
        BundleHead {
            root: PathBuf::from("/srv").join(format!("{id}-{major}")),
            origin,
            about: About {
                id: id.to_owned(),
                major,
                version: format!("{major}.0.0"),
                bin: bin.to_owned(),
                description: String::new(),
                manifest: String::new(),
            },
        }
    }

    #[test]
    fn names_lead_to_the_nearest_and_highest() {
        let heads = [
            head("gh", 1, "gh", BundleOrigin::Home),
            head("gh", 2, "gh", BundleOrigin::Home),
            head("ripgrep", 1, "bin/rg", BundleOrigin::Home),
            head("rust-gh", 1, "gh", BundleOrigin::Home),
            head("fd", 1, "fd", BundleOrigin::Project(".cli/fd".to_owned())),
            head("fd", 3, "fd", BundleOrigin::Home),
        ];
        let names = names(&heads);
        let check = |name: &str, index: Option<usize>| assert_eq!(names.get(name).copied(), index, "{name}");
        check("gh", Some(1));
        check("gh@1", Some(0));
        check("gh@2", Some(1));
        check("rg", Some(2));
        check("ripgrep", Some(2));
        check("rust-gh", Some(3));
        check("fd", Some(4));
        check("fd@3", Some(5));
        check("bin/rg", None);
    }
}
