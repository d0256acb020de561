//! apt: Debian, Ubuntu and theirs.

use std::fs;
use std::path::{Path, PathBuf};

use super::system::Manager;
use crate::ready::install::machine::{Family, text};
use crate::ready::install::recipe::Recipe;
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;
use crate::ready::install::sources::hosts;
use crate::ready::install::wishes::Wishes;

/// Says what apt will do.
pub(super) fn recipe(site: &Site<'_>, package: &str, wishes: &Wishes) -> Result<Recipe, Skip> {
    let root = &site.machine.root;
    let mut commands = Vec::new();
    if !has_lists(&root.join("var/lib/apt/lists")) {
        commands.push(vec!["update"]);
    }
    commands.push(vec!["install", "--yes", "--no-install-recommends", package]);
    let manager = Manager {
        program: "apt-get",
        family: Family::Debian,
        commands,
        environment: vec![("DEBIAN_FRONTEND", "noninteractive"), ("LC_ALL", "C.UTF-8")],
        hosts: sources(root),
    };
    manager.recipe(site, wishes)
}

/// The hosts of sources and proxies.
fn sources(root: &Path) -> Vec<String> {
    let mut files = vec![root.join("etc/apt/sources.list"), root.join("etc/apt/apt.conf")];
    for folder in ["etc/apt/sources.list.d", "etc/apt/apt.conf.d"] {
        files.extend(listed(&root.join(folder)));
    }
    let mut all = Vec::new();
    for file in files {
        let ours = file
            .extension()
            .is_none_or(|end| end == "list" || end == "sources" || end == "conf");
        let found = text(&file).filter(|_| ours).unwrap_or_default();
        let lines = found
            .lines()
            .filter(|line| !line.trim_start().starts_with(['#', '/']));
        for host in lines.flat_map(hosts) {
            if !all.contains(&host) {
                all.push(host);
            }
        }
    }
    all
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).take(1000).collect();
    paths.sort();
    paths
}

/// Whether lists of packages were ever got.
fn has_lists(folder: &Path) -> bool {
    listed(folder)
        .iter()
        .any(|path| path.to_string_lossy().ends_with("_Packages"))
        || listed(folder)
            .iter()
            .any(|path| path.to_string_lossy().contains("_Packages."))
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn hosts_are_those_of_the_sources() {
        let home = Home::new()
            .file(
                "etc/apt/sources.list",
                "# deb http://no.example/\ndeb http://a.example/debian x main\n",
            )
            .file(
                "etc/apt/sources.list.d/b.sources",
                "Types: deb\nURIs: https://b.example/debian\n",
            )
            .file(
                "etc/apt/sources.list.d/c.list.disabled",
                "deb http://c.example/ x main\n",
            )
            .file(
                "etc/apt/apt.conf.d/90proxy",
                "Acquire::http::Proxy \"http://p.example:3142\";\n",
            );
        assert_eq!(sources(&home.work()), ["a.example", "b.example", "p.example"]);
        assert!(!has_lists(&home.work().join("var/lib/apt/lists")));
    }
}
