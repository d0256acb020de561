//! Modules of a crate form layers: each may use what stands before it, and nothing that stands after.
//!
//! Only the modules at the top of a crate are looked at; below them a folder is one concept. Tests may look anywhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::{Finding, report};
use crate::repository::{self, File};
use crate::source::{Source, line_of, matching, words};

const RULE: &str = "layers";

/// The crates whose layers are fixed, lowest first. The same order stands in docs/architecture.md.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "agents",
        &[
            "catalogue",
            "event",
            "governor",
            "session_options",
            "arm",
            "govern",
            "launch",
            "session",
            "define",
        ],
    ),
    (
        "acli",
        &[
            "host",
            "mask",
            "nearest",
            "pause",
            "system",
            "testing",
            "text",
            "error",
            "envelope",
            "race",
            "rate",
            "tokenize",
            "audit",
            "shell_syntax",
            "record",
            "model",
            "bind",
            "guard",
            "reserved",
            "cli",
            "render",
            "complete",
            "mcp",
        ],
    ),
    (
        "argrail",
        &[
            "address_space",
            "amount",
            "neutral",
            "policy_file",
            "progress",
            "runtime",
            "terminal",
            "token_file",
            "args",
            "foreign",
            "interrupt",
            "serve",
            "describe",
            "verb_path",
            "out",
            "agent",
            "ask",
            "catalogue",
            "metadata_file",
            "setup",
            "deciding",
            "delegation_file",
            "verb",
            "entry",
        ],
    ),
    (
        "engine",
        &[
            "policy",
            "files",
            "places",
            "output",
            "refusal",
            "store",
            "notify",
            "audit",
            "recent",
            "config",
            "profile",
            "catalog",
            "tools_json",
            "extension",
            "run",
            "ready",
            "consent",
            "call",
            "door",
        ],
    ),
    (
        "sandbox",
        &[
            "refusal",
            "denial",
            "home",
            "seccomp",
            "sys",
            "policy",
            "repository",
            "launch",
            "compile",
            "egress",
            "child",
            "probe",
            "prove",
            "entry",
            "replay",
            "bin",
        ],
    ),
];

/// Who uses whom among the modules at the top of one crate, and the first place where.
type Uses = BTreeMap<String, BTreeMap<String, (String, usize)>>;

/// Returns the modules of the crate that reach themselves by way of others.
pub(crate) fn modules_in_cycles(files: &[File], name: &str) -> BTreeSet<String> {
    let uses = uses(files, name);
    uses.keys()
        .filter(|module| reachable(&uses, module).contains(*module))
        .cloned()
        .collect()
}

/// Returns what can be reached from `module`, itself only by way of another.
fn reachable(uses: &Uses, module: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![module.to_owned()];
    while let Some(next) = open.pop() {
        for used in uses.get(&next).into_iter().flat_map(BTreeMap::keys) {
            if seen.insert(used.clone()) {
                open.push(used.clone());
            }
        }
    }
    seen
}

fn uses(files: &[File], name: &str) -> Uses {
    let root = if name == "bench" {
        "bench/src/".to_owned()
    } else {
        format!("crates/{name}/src/")
    };
    let sources: Vec<(&str, &File)> = files
        .iter()
        .filter_map(|file| Some((file.path.strip_prefix(&root)?, file)))
        .filter(|(path, _)| path.ends_with(".rs"))
        .collect();
    let for_tests: Vec<String> = sources
        .iter()
        .filter_map(|(path, file)| Some((*path, file.rust()?)))
        .flat_map(|(path, text)| test_modules(path, text))
        .collect();
    let modules: BTreeSet<&str> = sources.iter().filter_map(|(path, _)| module_of(path)).collect();
    let mut uses = Uses::new();
    for (path, file) in &sources {
        let (Some(module), Some(text)) = (module_of(path), file.rust()) else {
            continue;
        };
        let found = uses.entry(module.to_owned()).or_default();
        let in_tests = |module: &String| {
            path.strip_prefix(module.as_str())
                .is_some_and(|rest| rest.starts_with(['.', '/']))
        };
        if path.split('/').any(|part| matches!(part, "tests" | "tests.rs")) || for_tests.iter().any(in_tests)
        {
            continue;
        }
        for (used, line) in used_modules(text) {
            if used != module && modules.contains(used.as_str()) {
                found.entry(used).or_insert_with(|| (file.path.clone(), line));
            }
        }
    }
    uses
}

/// Returns the paths, without their ending, of the modules that a file declares for tests alone.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let folder = match path.rsplit_once('/') {
        Some((folder, "mod.rs")) => format!("{folder}/"),
        Some(_) => format!("{}/", path.trim_end_matches(".rs")),
        None => String::new(),
    };
    let source = Source::of(text);
    let attributes = source.attributes();
    let attributes = attributes
        .iter()
        .filter(|attribute| attribute.text == "cfg(test)");
    attributes
        .filter_map(|attribute| {
            let item = source.code.get(attribute.end..)?.split(';').next()?;
            let mut words = item.split_whitespace().skip_while(|word| *word != "mod");
            let name = words.nth(1).filter(|_| !item.contains('{'))?;
            Some(format!("{folder}{name}"))
        })
        .collect()
}

/// Returns the module at the top to which a file below `src/` belongs.
fn module_of(path: &str) -> Option<&str> {
    let first = path.split('/').next()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (!matches!(name, "lib" | "main")).then_some(name)
}

/// Returns the first name of each path that starts with `crate`, and its line, before the tests of the file.
fn used_modules(text: &str) -> Vec<(String, usize)> {
    let source = Source::of(text);
    let code = source.code.as_str();
    let until = source.test_module().unwrap_or(usize::MAX);
    let mut found = Vec::new();
    for at in words(code, "crate") {
        let line = line_of(code, at);
        let Some(rest) = code
            .get(at + "crate".len()..)
            .and_then(|rest| rest.strip_prefix("::"))
        else {
            continue;
        };
        if line >= until || is_visibility(code, at) {
            continue;
        }
        let names = match matching(rest, 0, '{', '}') {
            Some(end) => first_names(rest.get(1..end).unwrap_or_default()),
            None => first_names(rest).into_iter().take(1).collect(),
        };
        found.extend(names.into_iter().map(|name| (name, line)));
    }
    found
}

/// Returns whether `crate` at byte `at` says who may see an item: `pub(in crate::policy)` uses nothing.
fn is_visibility(code: &str, at: usize) -> bool {
    code.get(..at).is_some_and(|before| before.ends_with("pub(in "))
}

/// Returns the name with which each entry of a list starts; nested lists belong to their entry.
fn first_names(list: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                let entry = list.get(start..at).unwrap_or_default().trim_start();
                let end = entry
                    .find(|c: char| !c.is_alphanumeric() && c != '_')
                    .unwrap_or(entry.len());
                names.extend(
                    entry
                        .get(..end)
                        .filter(|name| !name.is_empty())
                        .map(str::to_owned),
                );
                start = at + 1;
            }
            _ => {}
        }
    }
    names
}

/// Checks one crate's modules against their order.
fn check(uses: &Uses, name: &str, order: &[&str]) -> Vec<Finding> {
    let rank = |module: &str| order.iter().position(|known| *known == module);
    let mut findings = Vec::new();
    for (module, used) in uses {
        let Some(own) = rank(module) else {
            let message = format!(
                "module '{module}' of {name} is new: give it a place in LAYERS of tidy/layers.rs and in docs/architecture.md"
            );
            findings.push(Finding::new(RULE, &format!("crates/{name}/src"), 1, message));
            continue;
        };
        for (other, (file, line)) in used {
            if rank(other).is_some_and(|other| other > own) {
                let message =
                    format!("{module} → {other} points upwards: move what both need into the lower layer");
                findings.push(Finding::new(RULE, file, *line, message));
            }
        }
    }
    findings
}

#[test]
fn no_module_looks_upwards() {
    let mut findings = Vec::new();
    for (name, order) in LAYERS {
        findings.extend(check(&uses(repository::files(), name), name, order));
    }
    report(&findings);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::assert_findings;

    fn files(texts: &[(&str, &str)]) -> Vec<File> {
        let file = |(path, text): &(&str, &str)| File {
            path: format!("crates/x/src/{path}"),
            text: Some((*text).to_owned()),
        };
        texts.iter().map(file).collect()
    }

    #[test]
    fn what_a_file_uses_is_read_from_its_paths() {
        let check = |text: &str, names: &[&str]| {
            let found: Vec<String> = used_modules(text).into_iter().map(|(name, _)| name).collect();
            assert_eq!(found, names, "{text}");
        };
        check("use crate::a::B;", &["a"]);
        check("use crate::{a::{B, c::D}, e, f as g};", &["a", "e", "f"]);
        check("fn f() -> crate::a::B {}", &["a"]);
        check("pub(in crate::a) struct B;", &[]);
        check("// use crate::a;\nlet s = \"crate::b\";", &[]);
        check("#[cfg(test)]\nmod tests {\n    use crate::a;\n}", &[]);
        check("pub(crate) fn f() {}", &[]);
    }

    #[test]
    fn a_use_that_points_upwards_is_found() {
        let files = files(&[
            ("low/key.rs", "\nuse crate::high::High;\n"),
            ("high.rs", "use crate::low::Key;\n"),
            ("odd.rs", ""),
            ("low/tests.rs", "use crate::odd;\n"),
            ("low/mod.rs", "#[cfg(test)]\npub(crate) mod lines;\n"),
            ("low/lines.rs", "use crate::odd;\n"),
        ]);
        let uses = uses(&files, "x");
        assert_findings(
            &check(&uses, "x", &["low", "high"]),
            &[(2, "low → high points upwards"), (1, "'odd' of x is new")],
            "two layers",
        );
        let cycle: Vec<String> = modules_in_cycles(&files, "x").into_iter().collect();
        assert_eq!(cycle, ["high", "low"]);
    }
}
