//! pacman: Arch and its.

use std::path::Path;

use super::system::Manager;
use crate::ready::install::machine::{Family, text};
use crate::ready::install::recipe::Recipe;
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;
use crate::ready::install::sources::hosts;
use crate::ready::install::wishes::Wishes;

/// Says what pacman will do.
pub(super) fn recipe(site: &Site<'_>, package: &str, wishes: &Wishes) -> Result<Recipe, Skip> {
    let manager = Manager {
        program: "pacman",
        family: Family::Arch,
        commands: vec![vec!["-S", "--noconfirm", "--needed", package]],
        environment: vec![("LC_ALL", "C.UTF-8")],
        hosts: sources(&site.machine.root),
    };
    manager.recipe(site, wishes)
}

/// The hosts of servers that are not commented out.
fn sources(root: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for file in ["etc/pacman.conf", "etc/pacman.d/mirrorlist"] {
        let found = text(&root.join(file)).unwrap_or_default();
        let servers = found
            .lines()
            .filter(|line| line.trim_start().starts_with("Server"));
        for host in servers.flat_map(hosts) {
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
    fn hosts_are_those_of_the_servers() {
        let mirrors = "#Server = https://no.example/$repo\nServer = https://m.example/$repo/os/$arch\n";
        let home = Home::new()
            .file(
                "etc/pacman.conf",
                "[x]\nInclude = /srv/x\nServer = https://x.example/\n",
            )
            .file("etc/pacman.d/mirrorlist", mirrors);
        assert_eq!(sources(&home.work()), ["x.example", "m.example"]);
    }
}
