//! cargo: compiled here, in the sandbox, into a folder of our own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::ready::install::ask::{Question, ask};
use crate::ready::install::machine::text;
use crate::ready::install::recipe::{Egress, Hold, Index, Product, Recipe, Run, Word};
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;
use crate::ready::install::sources::{first_address, hosts};
use crate::ready::install::wishes::Wishes;

/// How long compiling may take.
const TIMEOUT: Duration = Duration::from_secs(2 * 60 * 60);

/// Says what cargo will do.
pub(super) fn recipe(site: &Site<'_>, package: &str, wishes: &Wishes) -> Result<Recipe, Skip> {
    let program = site.find("cargo").ok_or(Skip::Absent("cargo"))?;
    let cargo = Cargo::new(site, &program);
    let (names, index) = cargo.sources()?;
    let mut argv = vec![Word::text(program.display().to_string())];
    if let Some(config) = &cargo.config {
        argv.extend([Word::text("--config"), Word::text(config.display().to_string())]);
    }
    argv.extend(["install", "--locked", "--root"].map(Word::text));
    argv.extend([Word::Own(String::new()), Word::text("--"), Word::text(package)]);
    let folders = [
        ("CARGO_HOME", "cargo"),
        ("CARGO_TARGET_DIR", "target"),
        ("HOME", "home"),
        ("TMPDIR", "tmp"),
    ];
    let folders = folders.map(|(name, folder)| (name.to_owned(), Word::Scratch(folder.to_owned())));
    let given = cargo
        .variables
        .iter()
        .map(|(name, value)| (name.clone(), Word::text(value.as_str())));
    let run = Run {
        argv,
        environment: given.chain(folders).collect(),
        reads: cargo.reads,
        writes: Vec::new(),
        egress: Egress::Hosts {
            names,
            index,
            at: wishes.registries,
        },
        hold: Hold::Sandbox,
        timeout: TIMEOUT,
    };
    Ok(Recipe::of_manager(
        run,
        Product::Own(format!("bin/{}", site.packaged.short())),
        vec![
            "code is compiled, and build scripts of packages are run, in the sandbox",
            "the index says on which hosts its files are; those are reached, too",
        ],
    ))
}

/// cargo, as this user has set it up.
struct Cargo<'c> {
    site: &'c Site<'c>,
    program: &'c Path,
    variables: Vec<(String, String)>,
    reads: Vec<PathBuf>,
    /// The user's settings: other places of packages, and proxies.
    config: Option<PathBuf>,
}

impl<'c> Cargo<'c> {
    fn new(site: &'c Site<'c>, program: &'c Path) -> Self {
        let folder = |name: &str, default: &str| {
            let named = site
                .variable(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute());
            named.unwrap_or_else(|| site.home.join(default))
        };
        let rustup = folder("RUSTUP_HOME", ".rustup");
        let home = folder("CARGO_HOME", ".cargo");
        let mut configs = ["config.toml", "config"].map(|name| home.join(name)).into_iter();
        let config = configs.find(|path| path.is_file());
        let mut variables = vec![("CARGO_TERM_PROGRESS_WHEN".to_owned(), "never".to_owned())];
        if rustup.is_dir() {
            variables.push(("RUSTUP_HOME".to_owned(), rustup.display().to_string()));
        }
        if let Some(toolchain) = site.variable("RUSTUP_TOOLCHAIN") {
            variables.push(("RUSTUP_TOOLCHAIN".to_owned(), toolchain.to_owned()));
        }
        let reads = std::iter::once(rustup).chain(config.clone()).collect();
        Self {
            site,
            program,
            variables,
            reads,
            config,
        }
    }

    /// The hosts of the settings, and the index that cargo itself would ask: without a network it says which one it
    /// could not reach.
    fn sources(&self) -> Result<(Vec<String>, Vec<Index>), Skip> {
        let settings = self.config.as_deref().and_then(text).unwrap_or_default();
        let lines = settings
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'));
        let mut names: Vec<String> = lines.flat_map(hosts).collect();
        let mut variables = self.variables.clone();
        for (name, value) in [
            ("CARGO_HOME", "/tmp/cargo"),
            ("CARGO_NET_RETRY", "0"),
            ("HOME", "/tmp"),
        ] {
            variables.push((name.to_owned(), value.to_owned()));
        }
        let config = self.config.as_ref().map(|config| config.display().to_string());
        let mut words: Vec<&str> = Vec::new();
        if let Some(config) = &config {
            words.extend(["--config", config.as_str()]);
        }
        words.extend(["install", "--root", "/tmp/root", "a"]);
        let question = Question {
            program: self.program,
            words: &words,
            environment: &variables,
            reads: &self.reads,
        };
        let said = ask(self.site, &question).unwrap_or_default();
        let index = index(&said);
        names.extend(index.iter().map(|index| index.host.clone()));
        let mut all: Vec<String> = Vec::new();
        for name in names {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        match all.is_empty() {
            true => Err(Skip::Sources {
                manager: "cargo",
                reason: "it names no index",
            }),
            false => Ok((all, index)),
        }
    }
}

/// The page of an index that says where its files are, from what cargo says when it cannot reach it.
fn index(said: &str) -> Vec<Index> {
    let mut found: Vec<Index> = Vec::new();
    for line in said.lines() {
        let Some(address) = first_address(line).filter(|address| !address.contains('@')) else {
            continue;
        };
        let page = match address.ends_with("/config.json") {
            true => address.to_owned(),
            false => format!("{}/config.json", address.trim_end_matches('/')),
        };
        let known = |index: &Index| index.page == page;
        if let (Some(host), false) = (hosts(address).pop(), found.iter().any(known)) {
            found.push(Index { page, host });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_read_from_what_cargo_says() {
        let said = "warning: spurious network error\nerror: download of config.json failed\n\nCaused by:\n  \
                    failed to download from `https://i.example/config.json`\n\nCaused by:\n  [6] Could not resolve\n";
        let found = index(said);
        assert_eq!(found.len(), 1);
        let found = found.first().unwrap();
        assert_eq!(
            (found.page.as_str(), found.host.as_str()),
            ("https://i.example/config.json", "i.example")
        );
        assert_eq!(index("error: nothing"), []);
        assert_eq!(index("from `https://u:p@i.example/x`"), []);
    }
}
