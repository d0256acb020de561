//! pip: into a virtual environment of our own, from wheels unless the person allows more.
//!
//! A virtual environment, since only there a console script finds its package without a variable; without pip in it,
//! so that nothing but the package is put there.

use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_spec::cli_md::PipInstall;

use crate::profile::interpreter;
use crate::ready::install::ask::{Question, ask};
use crate::ready::install::recipe::{Act, Check, Egress, Hold, Index, Product, Recipe, Run, Word};
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;
use crate::ready::install::sources::{first_address, hosts};
use crate::ready::install::wishes::{Global, Scripts, Wishes};

/// How long pip may take.
const TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// Variables of the user's that say where packages come from and whom to trust there.
const PASSED: [&str; 8] = [
    "PIP_CERT",
    "PIP_CONFIG_FILE",
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_INDEX_URL",
    "PIP_NO_INDEX",
    "PIP_TRUSTED_HOST",
    "XDG_CONFIG_HOME",
];

/// Says what pip will do.
pub(super) fn recipe(site: &Site<'_>, install: &PipInstall, wishes: &Wishes) -> Result<Recipe, Skip> {
    // A script of that name stands for another Python, somewhere else: a version manager's.
    let program = site.all("python3").find(|path| interpreter(path).is_none());
    let program = program.ok_or(Skip::Absent("python3"))?;
    let pip = Pip::new(site, &program);
    let help = pip.ask(&["install", "--help"]);
    if !help.contains("--index-url") {
        return Err(Skip::Absent("pip"));
    }
    let package = install.package.value.as_str();
    let (names, index) = sources(&help, &pip.ask(&["config", "list"]), package);
    let mut acts = Vec::new();
    let mut notes = Vec::new();
    let mut words = vec![program.display().to_string(), "-m".to_owned(), "pip".to_owned()]
        .into_iter()
        .map(Word::Text)
        .collect::<Vec<_>>();
    let mut writes = Vec::new();
    let product = match (install.user, wishes.global) {
        (Some(true), Global::Asked) => {
            words.extend(["install", "--user"].map(Word::text));
            writes.push(site.home.join(".local"));
            notes.push("it is put into this user's folder of Python, where every program finds it");
            Product::System(site.packaged.short().to_owned())
        }
        (Some(_) | None, Global::Own | Global::Asked) => {
            let venv = ["-m", "venv", "--without-pip"].map(Word::text);
            let argv = std::iter::once(Word::text(program.display().to_string()))
                .chain(venv)
                .chain([Word::Own(String::new())]);
            acts.push(pip.run(argv.collect(), Egress::None, Vec::new()));
            words.extend([
                Word::text("--python"),
                Word::Own(String::new()),
                Word::text("install"),
            ]);
            Product::Own(format!("bin/{}", site.packaged.short()))
        }
    };
    match wishes.scripts {
        Scripts::Never => words.extend(["--only-binary", ":all:"].map(Word::text)),
        Scripts::Allowed => {
            notes.push("packages may be built from source, which runs their code in the sandbox")
        }
    }
    let quiet = [
        "--no-input",
        "--disable-pip-version-check",
        "--no-cache-dir",
        "--no-warn-script-location",
        "--",
    ];
    words.extend(quiet.map(Word::text));
    words.push(Word::text(package));
    if !index.is_empty() {
        notes.push("the index says on which hosts its files are; those are reached, too");
    }
    acts.push(pip.run(
        words,
        Egress::Hosts {
            names,
            index,
            at: wishes.registries,
        },
        writes,
    ));
    Ok(Recipe {
        acts,
        check: Check::Manager,
        product,
        notes,
    })
}

/// pip, as this user has set it up.
struct Pip<'p> {
    site: &'p Site<'p>,
    program: &'p Path,
    variables: Vec<(String, String)>,
    /// Settings, which may hold passwords, and folders of wheels.
    reads: Vec<PathBuf>,
}

impl<'p> Pip<'p> {
    fn new(site: &'p Site<'p>, program: &'p Path) -> Self {
        let given = PASSED
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), site.variable(name)?.to_owned())));
        let mut variables: Vec<(String, String)> = given.collect();
        variables.push(("HOME".to_owned(), site.home.display().to_string()));
        let config = site.variable("XDG_CONFIG_HOME").map(PathBuf::from);
        let config = config.unwrap_or_else(|| site.home.join(".config"));
        let mut reads = vec![
            site.machine.root.join("etc/pip.conf"),
            site.machine.root.join("etc/xdg/pip/pip.conf"),
            site.home.join(".pip/pip.conf"),
            config.join("pip/pip.conf"),
        ];
        for name in ["PIP_CONFIG_FILE", "PIP_CERT", "PIP_FIND_LINKS"] {
            let listed = site.variable(name).unwrap_or_default().split_whitespace();
            reads.extend(listed.map(PathBuf::from).filter(|path| path.is_absolute()));
        }
        Self {
            site,
            program,
            variables,
            reads,
        }
    }

    fn ask(&self, words: &[&str]) -> String {
        let words: Vec<&str> = ["-m", "pip"].iter().chain(words).copied().collect();
        let question = Question {
            program: self.program,
            words: &words,
            environment: &self.variables,
            reads: &self.reads,
        };
        ask(self.site, &question).unwrap_or_default()
    }

    fn run(&self, argv: Vec<Word>, egress: Egress, writes: Vec<PathBuf>) -> Act {
        let given = self
            .variables
            .iter()
            .map(|(name, value)| (name.clone(), Word::text(value.as_str())));
        let own = ("TMPDIR".to_owned(), Word::Scratch("tmp".to_owned()));
        Act::Run(Box::new(Run {
            argv,
            environment: given.chain([own]).collect(),
            reads: self.reads.clone(),
            writes,
            egress,
            hold: Hold::Sandbox,
            timeout: TIMEOUT,
        }))
    }
}

/// The hosts of every index that pip names, and the pages on which those say where their files are.
fn sources(help: &str, config: &str, package: &str) -> (Vec<String>, Vec<Index>) {
    // The help shows the index that counts, settings and variables included; the list has the others.
    let option = help.split_once("--index-url").map_or("", |(_, after)| after);
    let is_place = |line: &&str| {
        let key = line.split('=').next().unwrap_or_default();
        ["index-url", "find-links", "extra-index-url"]
            .iter()
            .any(|name| key.ends_with(name))
    };
    let listed = config.lines().filter(is_place);
    let mut names: Vec<String> = Vec::new();
    let mut index = Vec::new();
    for text in std::iter::once(option.split_once("--").map_or(option, |(text, _)| text)).chain(listed) {
        let Some(address) = first_address(text) else {
            continue;
        };
        for host in hosts(address) {
            if !names.contains(&host) {
                names.push(host.clone());
                if !address.contains('@') {
                    index.push(Index {
                        page: format!("{}/{}/", address.trim_end_matches('/'), project(package)),
                        host,
                    });
                }
            }
        }
    }
    (names, index)
}

/// The name of a package as an index spells it: without extras and versions, in lower case.
fn project(package: &str) -> String {
    let name = package
        .split(['[', '=', '<', '>', '!', '~', '@', ';'])
        .next()
        .unwrap_or_default();
    name.to_ascii_lowercase().replace(['_', '.'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_read_from_what_pip_says() {
        let help = "  -i, --index-url <url>  Base URL of the index (default\n      https://i.example/simple). This\n  \
                    --extra-index-url <url>  Extra\n";
        let check = |config: &str, want: &[&str], pages: &[&str]| {
            let (names, index) = sources(help, config, "Tool_x[all]==1.2");
            assert_eq!(names, want, "{config}");
            let found: Vec<&str> = index.iter().map(|index| index.page.as_str()).collect();
            assert_eq!(found, pages, "{config}");
        };
        let own = "https://i.example/simple/tool-x/";
        check("global.cert='/x'\n", &["i.example"], &[own]);
        check(
            "global.extra-index-url='https://u:p@e.example/s'\n:env:.find-links='/srv/wheels'\n",
            &["i.example", "e.example"],
            &[own],
        );
        check(
            "install.index-url='https://i.example/simple'\n",
            &["i.example"],
            &[own],
        );
    }
}
