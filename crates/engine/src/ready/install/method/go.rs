//! go: compiled here, in the sandbox, into a folder of our own, from module proxies only.

use std::path::PathBuf;
use std::time::Duration;

use crate::ready::install::ask::{Question, ask};
use crate::ready::install::recipe::{Egress, Hold, Product, Recipe, Run, Word};
use crate::ready::install::site::Site;
use crate::ready::install::skip::Skip;
use crate::ready::install::sources::hosts;
use crate::ready::install::wishes::Wishes;

/// How long compiling may take.
const TIMEOUT: Duration = Duration::from_secs(60 * 60);
/// Variables of the user's that say where modules come from.
const PASSED: [&str; 6] = [
    "GOENV",
    "GONOPROXY",
    "GONOSUMDB",
    "GOPRIVATE",
    "GOPROXY",
    "GOSUMDB",
];

/// Says what go will do.
pub(super) fn recipe(site: &Site<'_>, package: &str, wishes: &Wishes) -> Result<Recipe, Skip> {
    let program = site.find("go").ok_or(Skip::Absent("go"))?;
    let mut given: Vec<(String, String)> = PASSED
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), site.variable(name)?.to_owned())))
        .collect();
    let settings = site.variable("GOENV").map(PathBuf::from);
    let settings = settings.unwrap_or_else(|| site.home.join(".config/go/env"));
    // What the program is made of, wherever its link leads.
    let root = program
        .canonicalize()
        .ok()
        .and_then(|real| Some(real.parent()?.parent()?.to_owned()));
    let reads: Vec<PathBuf> = std::iter::once(settings).chain(root).collect();
    let asked: Vec<(String, String)> = given
        .iter()
        .cloned()
        .chain([("HOME".to_owned(), site.home.display().to_string())])
        .collect();
    let question = Question {
        program: &program,
        words: &["env", "GOPROXY", "GOSUMDB"],
        environment: &asked,
        reads: &reads,
    };
    let said = ask(site, &question).unwrap_or_default();
    let mut lines = said.lines();
    let (proxies, sums) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let sources = Sources::of(proxies, sums);
    if sources.hosts.is_empty() {
        return Err(Skip::Sources {
            manager: "go",
            reason: "GOPROXY names no proxy",
        });
    }
    given.retain(|(name, _)| name != "GOPROXY" && name != "GOSUMDB" && name != "GOENV");
    let fixed = [
        ("GOPROXY", sources.proxies.as_str()),
        ("GOSUMDB", sums.trim()),
        ("GOENV", "off"),
        ("GOFLAGS", "-modcacherw"),
        ("GOTOOLCHAIN", "local"),
        ("GO111MODULE", "on"),
    ];
    let folders = [
        ("GOPATH", "go"),
        ("GOCACHE", "cache"),
        ("HOME", "home"),
        ("TMPDIR", "tmp"),
    ];
    let given = given.into_iter().map(|(name, value)| (name, Word::Text(value)));
    let fixed = fixed.map(|(name, value)| (name.to_owned(), Word::text(value)));
    let folders = folders.map(|(name, folder)| (name.to_owned(), Word::Scratch(folder.to_owned())));
    let bin = ("GOBIN".to_owned(), Word::Own("bin".to_owned()));
    let package = match package.contains('@') {
        true => package.to_owned(),
        false => format!("{package}@latest"),
    };
    let run = Run {
        argv: vec![
            Word::text(program.display().to_string()),
            Word::text("install"),
            Word::text("--"),
            Word::Text(package),
        ],
        environment: given.chain(fixed).chain(folders).chain([bin]).collect(),
        reads,
        writes: Vec::new(),
        egress: Egress::Hosts {
            names: sources.hosts,
            index: Vec::new(),
            at: wishes.registries,
        },
        hold: Hold::Sandbox,
        timeout: TIMEOUT,
    };
    Ok(Recipe::of_manager(
        run,
        Product::Own(format!("bin/{}", site.packaged.short())),
        vec![
            "code is compiled, in the sandbox",
            "modules come from proxies only, never from the hosts of their sources",
        ],
    ))
}

/// Where modules and their sums come from.
#[derive(Debug, PartialEq, Eq)]
struct Sources {
    proxies: String,
    hosts: Vec<String>,
}

impl Sources {
    fn of(proxies: &str, sums: &str) -> Self {
        let kept: Vec<&str> = proxies
            .split([',', '|'])
            .map(str::trim)
            .filter(|proxy| proxy.starts_with("http"))
            .collect();
        let mut all: Vec<String> = kept.iter().flat_map(|proxy| hosts(proxy)).collect();
        if !all.is_empty() {
            let named = hosts(sums);
            let plain = sums.split([' ', '+']).next().unwrap_or_default();
            match (named.is_empty(), plain) {
                (true, "" | "off") => {}
                (true, plain) => all.push(plain.to_owned()),
                (false, _) => all.extend(named),
            }
        }
        all.dedup();
        Self {
            proxies: kept.join(","),
            hosts: all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_proxies_and_sums_are_reached() {
        let check = |proxies: &str, sums: &str, kept: &str, want: &[&str]| {
            let found = Sources::of(proxies, sums);
            assert_eq!(found.proxies, kept, "{proxies}");
            assert_eq!(found.hosts, want, "{proxies}");
        };
        check(
            "https://p.example,direct",
            "s.example",
            "https://p.example",
            &["p.example", "s.example"],
        );
        check(
            "https://p.example|https://q.example",
            "off",
            "https://p.example,https://q.example",
            &["p.example", "q.example"],
        );
        check("direct", "s.example", "", &[]);
        check("off", "", "", &[]);
        check(
            "https://p.example",
            "s.example+key https://t.example/x",
            "https://p.example",
            &["p.example", "t.example"],
        );
    }
}
