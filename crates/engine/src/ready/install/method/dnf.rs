//! dnf: Fedora, RHEL and theirs.

use std::fs;
use std::path::Path;

use super::system::Manager;
use crate::ready::install::machine::{Family, text};
use crate::ready::install::recipe::Recipe;
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;
use crate::ready::install::sources::hosts;
use crate::ready::install::wishes::Wishes;

/// Says what dnf will do.
pub(super) fn recipe(site: &Site<'_>, package: &str, wishes: &Wishes) -> Result<Recipe, Skip> {
    let manager = Manager {
        program: "dnf",
        family: Family::Fedora,
        commands: vec![vec!["install", "--assumeyes", package]],
        environment: vec![("LC_ALL", "C.UTF-8")],
        hosts: sources(&site.machine.root),
    };
    manager.recipe(site, wishes)
}

/// The hosts of repositories, or of the lists of their mirrors.
fn sources(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root.join("etc/yum.repos.d")).into_iter().flatten();
    let mut paths: Vec<_> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .take(1000)
        .collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "repo"));
    paths.sort();
    let mut all = Vec::new();
    for found in paths.iter().filter_map(|path| text(path)) {
        let is_place = |line: &&str| {
            let key = line.split('=').next().unwrap_or_default().trim();
            matches!(key, "baseurl" | "mirrorlist" | "metalink" | "proxy")
        };
        for host in found.lines().filter(is_place).flat_map(hosts) {
            if !all.contains(&host) {
                all.push(host);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn hosts_are_those_of_the_repositories() {
        let text =
            "[a]\n#baseurl=http://no.example/\nmetalink=https://m.example/x?a=$basearch\ngpgkey=file:///x\n";
        let home = Home::new()
            .file("etc/yum.repos.d/a.repo", text)
            .file("etc/yum.repos.d/b.repo", "[b]\nbaseurl = https://b.example/x\n")
            .file("etc/yum.repos.d/c.off", "baseurl=https://c.example/x\n");
        assert_eq!(sources(&home.work()), ["m.example", "b.example"]);
    }
}
