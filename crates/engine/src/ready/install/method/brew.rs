//! Homebrew: macOS and Linux, into brew's own prefix.

use std::path::Path;
use std::time::Duration;

use argrail_spec::cli_md::Os;

use crate::ready::install::machine::{Rights, text};
use crate::ready::install::recipe::{Egress, Hold, Product, Recipe, Run, Word};
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;
use crate::ready::install::sources::hosts;
use crate::ready::install::wishes::Wishes;

/// How long brew may take.
const TIMEOUT: Duration = Duration::from_secs(60 * 60);
/// Variables by which a user says where brew gets things.
const PLACES: [&str; 3] = [
    "HOMEBREW_ARTIFACT_DOMAIN",
    "HOMEBREW_BOTTLE_DOMAIN",
    "HOMEBREW_API_DOMAIN",
];

/// Says what brew will do.
pub(super) fn recipe(site: &Site<'_>, package: &str, wishes: &Wishes) -> Result<Recipe, Skip> {
    if !matches!(site.machine.os, Some(Os::Linux | Os::Darwin)) {
        return Err(Skip::Os(vec![Os::Darwin, Os::Linux]));
    }
    let program = site.find("brew").ok_or(Skip::Absent("brew"))?;
    if site.machine.rights == Rights::Root {
        return Err(Skip::Sources {
            manager: "brew",
            reason: "it refuses to run as root",
        });
    }
    let real = program.canonicalize().unwrap_or_else(|_| program.clone());
    let above = |path: &Path| path.parent().and_then(Path::parent).map(Path::to_owned);
    let (Some(prefix), Some(repository)) = (above(&program), above(&real)) else {
        return Err(Skip::Absent("brew"));
    };
    let names = sources(site, &repository);
    if names.is_empty() {
        return Err(Skip::Sources {
            manager: "brew",
            reason: "neither variables nor its own script name a host",
        });
    }
    let scratch = [
        ("HOME", "home"),
        ("HOMEBREW_CACHE", "cache"),
        ("HOMEBREW_TEMP", "tmp"),
    ];
    let fixed = [
        "HOMEBREW_NO_AUTO_UPDATE",
        "HOMEBREW_NO_ANALYTICS",
        "HOMEBREW_NO_ENV_HINTS",
        "HOMEBREW_NO_INSTALL_CLEANUP",
    ];
    let scratch = scratch.map(|(name, folder)| (name.to_owned(), Word::Scratch(folder.to_owned())));
    let fixed = fixed.map(|name| (name.to_owned(), Word::text("1")));
    let given = PLACES
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), Word::text(site.variable(name)?))));
    let run = Run {
        argv: [
            program.display().to_string().as_str(),
            "install",
            "--formula",
            package,
        ]
        .map(Word::text)
        .into(),
        environment: scratch.into_iter().chain(fixed).chain(given).collect(),
        reads: vec![prefix.clone(), repository.clone()],
        writes: vec![prefix],
        egress: Egress::Hosts {
            names,
            index: Vec::new(),
            at: wishes.registries,
        },
        hold: Hold::Sandbox,
        timeout: TIMEOUT,
    };
    Ok(Recipe::of_manager(
        run,
        Product::System(site.packaged.short().to_owned()),
        vec!["it is put into brew's own prefix, where every program of this user finds it"],
    ))
}

/// The hosts that variables name, else those that brew's own script has for when they do not.
fn sources(site: &Site<'_>, repository: &Path) -> Vec<String> {
    let mut all: Vec<String> = PLACES
        .iter()
        .filter_map(|name| site.variable(name))
        .flat_map(hosts)
        .collect();
    if all.is_empty() {
        let script = text(&repository.join("Library/Homebrew/brew.sh")).unwrap_or_default();
        let lines = script.lines().filter(|line| line.contains("_DOMAIN="));
        all.extend(lines.flat_map(hosts));
    }
    all.sort();
    all.dedup();
    all
}
