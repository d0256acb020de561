//! npm: into a folder of our own, without install scripts unless the person allows them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_spec::cli_md::NpmInstall;

use crate::ready::install::ask::{Question, ask};
use crate::ready::install::recipe::{Egress, Hold, Product, Recipe, Run, Word};
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;
use crate::ready::install::sources::{first_address, hosts};
use crate::ready::install::wishes::{Global, Scripts, Wishes};

/// How long npm may take.
const TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// Variables of the user's that say where packages come from and whom to trust there.
const PASSED: [&str; 5] = [
    "npm_config_registry",
    "NPM_CONFIG_REGISTRY",
    "npm_config_userconfig",
    "NPM_CONFIG_USERCONFIG",
    "NODE_EXTRA_CA_CERTS",
];

/// Says what npm will do.
pub(super) fn recipe(site: &Site<'_>, install: &NpmInstall, wishes: &Wishes) -> Result<Recipe, Skip> {
    let program = site.find("npm").ok_or(Skip::Absent("npm"))?;
    let package = install.package.value.as_str();
    let npm = Npm::new(site, &program);
    let names = npm.registries(package);
    if names.is_empty() {
        return Err(Skip::Sources {
            manager: "npm",
            reason: "it names no registry",
        });
    }
    let mut words = vec![Word::text(program.display().to_string()), Word::text("install")];
    let mut notes = Vec::new();
    let mut writes = Vec::new();
    let product = match (install.global, wishes.global) {
        (Some(true), Global::Asked) => {
            let prefix = npm
                .get("prefix")
                .map(PathBuf::from)
                .filter(|path| path.is_absolute());
            let prefix = prefix.ok_or(Skip::Sources {
                manager: "npm",
                reason: "it names no folder for global packages",
            })?;
            writes.extend([prefix.join("lib/node_modules"), prefix.join("bin")]);
            words.push(Word::text("--global"));
            notes.push("it is put into npm's global folder, where every program of this user finds it");
            Product::System(site.packaged.short().to_owned())
        }
        (Some(_) | None, Global::Own | Global::Asked) => {
            words.extend([Word::text("--prefix"), Word::Own(String::new())]);
            Product::Own(format!("node_modules/.bin/{}", site.packaged.short()))
        }
    };
    match wishes.scripts {
        Scripts::Never => words.push(Word::text("--ignore-scripts")),
        Scripts::Allowed => notes.push("install scripts of packages are run, in the sandbox"),
    }
    let quiet = [
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        "--omit=dev",
        "--loglevel=error",
    ];
    words.extend(quiet.map(Word::text));
    words.extend([
        Word::text("--cache"),
        Word::Scratch("cache".to_owned()),
        Word::text("--"),
        Word::text(package),
    ]);
    let run = Run {
        argv: words,
        environment: npm
            .variables
            .into_iter()
            .map(|(name, value)| (name, Word::Text(value)))
            .collect(),
        reads: npm.reads,
        writes,
        egress: Egress::Hosts {
            names,
            index: Vec::new(),
            at: wishes.registries,
        },
        hold: Hold::Sandbox,
        timeout: TIMEOUT,
    };
    Ok(Recipe::of_manager(run, product, notes))
}

/// npm, as this user has set it up.
struct Npm<'n> {
    site: &'n Site<'n>,
    program: &'n Path,
    variables: Vec<(String, String)>,
    /// Settings, which may hold passwords: they are shown to npm and to nobody else.
    reads: Vec<PathBuf>,
}

impl<'n> Npm<'n> {
    fn new(site: &'n Site<'n>, program: &'n Path) -> Self {
        let given = PASSED
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), site.variable(name)?.to_owned())));
        let mut variables: Vec<(String, String)> = given.collect();
        variables.push(("HOME".to_owned(), site.home.display().to_string()));
        let mut reads = vec![site.home.join(".npmrc")];
        let named = [
            "npm_config_userconfig",
            "NPM_CONFIG_USERCONFIG",
            "NODE_EXTRA_CA_CERTS",
        ];
        reads.extend(
            named
                .iter()
                .filter_map(|name| site.variable(name))
                .map(PathBuf::from),
        );
        let prefixes = program.ancestors().skip(2).take(1);
        reads.extend(prefixes.map(|prefix| prefix.join("etc/npmrc")));
        reads.push(site.machine.root.join("etc/npmrc"));
        Self {
            site,
            program,
            variables,
            reads,
        }
    }

    /// Asks for a setting.
    fn get(&self, key: &str) -> Option<String> {
        let said = ask(
            self.site,
            &Question {
                program: self.program,
                words: &["config", "get", key, "--no-update-notifier"],
                environment: &self.variables,
                reads: &self.reads,
            },
        )?;
        let first = said.lines().map(str::trim).find(|line| !line.is_empty())?;
        (first != "undefined" && first != "null").then(|| first.to_owned())
    }

    /// The hosts of the registry, and of that of the package's own scope.
    fn registries(&self, package: &str) -> Vec<String> {
        let scope = package.strip_prefix('@').and_then(|rest| rest.split_once('/'));
        let scope = scope.and_then(|(scope, _)| self.get(&format!("@{scope}:registry")));
        let registry = self.get("registry");
        let addresses = registry
            .iter()
            .chain(&scope)
            .filter_map(|text| first_address(text));
        let mut all: Vec<String> = addresses.flat_map(hosts).collect();
        all.dedup();
        all
    }
}
