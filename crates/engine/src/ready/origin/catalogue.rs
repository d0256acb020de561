//! Packages that argrail's own bundles name for a program.

use argrail_spec::bundle;
use argrail_spec::bundle_writer::Found;
use argrail_spec::cli_md::Install;

use crate::ready::shipped::shipped_bundles;

/// Returns the packages of the program `bin`, as a bundle that is compiled in has them. None if there is no such bundle.
pub fn packages(bin: &str) -> Vec<Found> {
    let bundles = shipped_bundles().iter().filter(|bundle| bundle.bin == bin);
    let loaded = bundles.filter_map(|one| bundle::load(Some(one.id), &one.files()).ok());
    let methods = loaded.flat_map(|bundle| bundle.cli.install);
    methods.filter_map(|install| found(&install)).collect()
}

fn found(install: &Install) -> Option<Found> {
    const METHODS: [&str; 10] = [
        "brew", "apt", "dnf", "pacman", "choco", "scoop", "cargo", "go", "npm", "pip",
    ];
    let package = match install {
        Install::Package(install) => &install.package.value,
        Install::Npm(install) => &install.package.value,
        Install::Pip(install) => &install.package.value,
        Install::Curl(_) | Install::Download(_) | Install::Vendored(_) | Install::Unknown(_) => return None,
    };
    let method = METHODS.into_iter().find(|method| *method == install.method())?;
    Some(Found {
        method,
        package: package.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_our_own_bundles_install_is_known() {
        let jq = packages("jq");
        let has = |method: &str, package: &str| {
            jq.iter()
                .any(|found| found.method == method && found.package == package)
        };
        assert!(has("apt", "jq") && has("brew", "jq"), "{jq:?}");
        assert_eq!(packages("no-such-program"), []);
    }
}
