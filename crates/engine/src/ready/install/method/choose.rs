//! Which file knows which method.

use argrail_spec::cli_md::{Install, Manager};

use super::{apt, brew, cargo, choco, curl, dnf, download, go, npm, pacman, pip, scoop, vendored};
use crate::ready::install::recipe::Recipe;
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;
use crate::ready::install::wishes::Wishes;

/// Says what a method will do.
///
/// # Errors
/// Why it is not tried.
pub(in crate::ready::install) fn recipe(
    site: &Site<'_>,
    install: &Install,
    wishes: &Wishes,
) -> Result<Recipe, Skip> {
    match install {
        Install::Package(install) => {
            let package = install.package.value.as_str();
            match install.method {
                Manager::Brew => brew::recipe(site, package, wishes),
                Manager::Apt => apt::recipe(site, package, wishes),
                Manager::Dnf => dnf::recipe(site, package, wishes),
                Manager::Pacman => pacman::recipe(site, package, wishes),
                Manager::Choco => choco::recipe(),
                Manager::Scoop => scoop::recipe(),
                Manager::Cargo => cargo::recipe(site, package, wishes),
                Manager::Go => go::recipe(site, package, wishes),
            }
        }
        Install::Npm(install) => npm::recipe(site, install, wishes),
        Install::Pip(install) => pip::recipe(site, install, wishes),
        Install::Curl(install) => curl::recipe(site, install, wishes),
        Install::Download(install) => download::recipe(install, wishes),
        Install::Vendored(install) => vendored::recipe(site, install),
        Install::Unknown(_) => Err(Skip::Unknown),
    }
}
