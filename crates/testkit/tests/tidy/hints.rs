//! A hint is a command that somebody types: `argrail VERB` in our texts names a verb that there is.
//!
//! The verbs are read from the declarations of the command line. In Rust every literal counts; a word that is no verb
//! has to be one of the few that our sentences go on with. In Markdown code counts, inline and after `$ `.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::{Finding, report};
use crate::repository;
use crate::source::{Source, line_of, matching};

const RULE: &str = "hints";

/// Words with which a sentence of ours goes on after the name. None of them may become a verb unseen.
const PROSE: &[&str] = &[
    "an",
    "as",
    "asks",
    "cannot",
    "configuration",
    "does",
    "failed",
    "has",
    "in",
    "is",
    "never",
    "offers",
    "outside",
    "processes",
    "reads",
    "refuses",
    "runs",
    "speaks",
    "takes",
    "talks",
    "through",
];

/// Texts that are hashed along, so that hashes of two kinds are never equal. Nobody reads them.
const DOMAINS: &[&str] = &["argrail approval 2\"", "argrail project 1\""];

/// The verbs, each with those below it.
type Verbs = BTreeMap<String, BTreeSet<String>>;

/// Reads the verbs from the files that declare them: `args/command_line.rs` has those of the first level, `args/agent.rs`
/// those below `agent`.
fn verbs<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Verbs {
    let (mut first, mut below) = (BTreeSet::new(), Verbs::new());
    for (path, text) in files {
        let declared = path.split_once("/args/").map(|(_, file)| file);
        match declared.and_then(|file| file.strip_suffix(".rs")) {
            Some("command_line") => first.extend(subcommands(text)),
            Some(owner) => below
                .entry(owner.to_owned())
                .or_default()
                .extend(subcommands(text)),
            None => {}
        }
    }
    first
        .into_iter()
        .map(|verb| {
            let acts = below.remove(&verb).unwrap_or_default();
            (verb, acts)
        })
        .collect()
}

/// Returns the names of the variants of every enum of subcommands.
fn subcommands(text: &str) -> Vec<String> {
    let source = Source::of(text);
    let derives = |attribute: &&crate::source::Attribute<'_>| {
        attribute.text.starts_with("derive(") && attribute.text.contains("Subcommand")
    };
    let mut names = Vec::new();
    for attribute in source.attributes().iter().filter(derives) {
        let rest = source.code.get(attribute.end..).unwrap_or_default();
        let Some((start, end)) = rest
            .find('{')
            .and_then(|start| Some((start, matching(rest, start, '{', '}')?)))
        else {
            continue;
        };
        let body = rest.get(start + 1..end).unwrap_or_default();
        let variants = body
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with(char::is_uppercase));
        names.extend(variants.map(|line| {
            kebab(
                line.split(|c: char| !c.is_alphanumeric())
                    .next()
                    .unwrap_or_default(),
            )
        }));
    }
    names
}

fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Returns what follows each `argrail ` in a text: where it stands, and up to two words.
fn named(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut found = Vec::new();
    for (at, name) in text.match_indices("argrail") {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + name.len()..).unwrap_or_default();
        // `x-argrail about` is a command of agents, `/argrail/` a path.
        if before.ends_with(|c: char| c.is_alphanumeric() || "-_/.".contains(c))
            || !after.starts_with([' ', '\\'])
        {
            continue;
        }
        // A literal goes on in the next line behind a backslash.
        let words = after
            .split(|c: char| c.is_whitespace() || c == '\\')
            .filter(|word| !word.is_empty());
        let plain = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
        let whole = |word: &'_ str| -> usize {
            word.find(|c: char| !c.is_ascii_lowercase() && c != '-')
                .unwrap_or(word.len())
        };
        let mut taken = Vec::new();
        for word in words.take(2).take_while(plain) {
            let end = whole(word);
            taken.extend(word.get(..end));
            if end < word.len() {
                break;
            }
        }
        if !taken.is_empty() {
            found.push((at, taken));
        }
    }
    found
}

/// Returns the verb that there is not, if one is named.
fn missing(words: &[&str], verbs: &Verbs) -> Option<String> {
    let (verb, rest) = words.split_first()?;
    match verbs.get(*verb) {
        None => Some((*verb).to_owned()),
        Some(acts) => {
            let act = rest
                .first()
                .filter(|act| !acts.is_empty() && !acts.contains(**act))?;
            Some(format!("{verb} {act}"))
        }
    }
}

fn check_rust(path: &str, text: &str, verbs: &Verbs) -> Vec<Finding> {
    let literals = Source::of(text).literals;
    let is_prose = |at: usize, words: &[&str]| {
        let rest = literals.get(at..).unwrap_or_default();
        words.first().is_some_and(|word| PROSE.contains(word))
            || DOMAINS.iter().any(|domain| rest.starts_with(domain))
    };
    let wrong = named(&literals)
        .into_iter()
        .filter(|(at, words)| !is_prose(*at, words));
    wrong
        .filter_map(|(at, words)| {
            let missing = missing(&words, verbs)?;
            Some(Finding::new(
                RULE,
                path,
                line_of(&literals, at),
                format!(
                    "`argrail {missing}` is no verb: name one that exists, or write the sentence otherwise"
                ),
            ))
        })
        .collect()
}

fn check_markdown(path: &str, text: &str, verbs: &Verbs) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let console = line.trim_start().strip_prefix("$ ");
        let spans = line.split('`').skip(1).step_by(2);
        for code in spans.chain(console).filter(|code| code.starts_with("argrail ")) {
            let words = named(code)
                .into_iter()
                .next()
                .map(|(_, words)| words)
                .unwrap_or_default();
            if let Some(missing) = missing(&words, verbs) {
                findings.push(Finding::new(
                    RULE,
                    path,
                    index + 1,
                    format!("`argrail {missing}` is no verb: show one that exists"),
                ));
            }
        }
    }
    findings
}

#[test]
fn verbs_that_do_not_exist_are_found() {
    let declared = [
        (
            "crates/argrail/src/args/command_line.rs",
            "#[derive(Debug, Subcommand)]\npub enum Verb {\n /// Lists.\n List(A),\n Agent(B),\n Repl,\n}\n#[derive(Debug)]\npub enum Other { No }",
        ),
        (
            "crates/argrail/src/args/agent.rs",
            "#[derive(Subcommand)]\nenum Act {\n Run(C),\n LastWords,\n}",
        ),
    ];
    let verbs = verbs(declared);
    assert_eq!(verbs.keys().collect::<Vec<_>>(), ["agent", "list", "repl"]);
    let rust = |text: &str, expected: &[(usize, &str)]| {
        crate::finding::assert_findings(
            &check_rust("crates/engine/src/a.rs", text, &verbs),
            expected,
            text,
        );
    };
    rust("f(\"run: argrail list\"); // argrail nope", &[]);
    rust("f(\"argrail agent run {}\", \"argrail agent last-words\")", &[]);
    rust(
        "\nf(\"run: argrail setup {}\")",
        &[(2, "`argrail setup` is no verb")],
    );
    rust(
        "f(\"argrail agent walk\")",
        &[(1, "`argrail agent walk` is no verb")],
    );
    rust(
        "f(\"see: argrail \\\n   secret set\")",
        &[(1, "`argrail secret` is no verb")],
    );
    rust(
        "f(\"x-argrail about\", \"argrail --agent\", \"argrail {}\", \"argrail-engine of\", \"argrail ID\")",
        &[],
    );
    rust("f(\"argrail asks a person\")", &[]);
    let markdown = |text: &str, expected: &[(usize, &str)]| {
        crate::finding::assert_findings(&check_markdown("docs/a.md", text, &verbs), expected, text);
    };
    markdown(
        "argrail installs it: `argrail list`\n$ argrail agent run goose",
        &[],
    );
    markdown("`argrail setup`", &[(1, "`argrail setup` is no verb")]);
    markdown("\n$ argrail nope x", &[(2, "`argrail nope` is no verb")]);
}

#[test]
fn every_hint_names_a_verb_that_exists() {
    let files = repository::files();
    let declared = files
        .iter()
        .filter(|file| file.path.starts_with("crates/argrail/src/"));
    let verbs = verbs(declared.filter_map(|file| Some((file.path.as_str(), file.rust()?))));
    assert!(verbs.len() > 20 && verbs["audit"].contains("verify"), "{verbs:?}");
    let prose: Vec<_> = PROSE.iter().filter(|word| verbs.contains_key(**word)).collect();
    assert!(prose.is_empty(), "these are verbs now: {prose:?}");
    let shipped = |path: &str| path.starts_with("crates/") && path.split('/').nth(2) == Some("src");
    let mut findings = Vec::new();
    for file in files {
        if let Some(text) = file.rust().filter(|_| shipped(&file.path)) {
            findings.extend(check_rust(&file.path, text, &verbs));
        } else if file.path == "README.md" || file.path.starts_with("docs/") && file.path.ends_with(".md") {
            findings.extend(check_markdown(
                &file.path,
                file.text.as_deref().unwrap_or_default(),
                &verbs,
            ));
        }
    }
    report(&findings);
}
