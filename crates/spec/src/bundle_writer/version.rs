//! How the version of a program is found and which will do, from what it printed.

use serde_json::{Map, Value, json};

use super::known::SaidVersion;

/// What finds a version anywhere. Digits are written out: `\d` takes those of every script, and versions have none of them.
const ANYWHERE: &str = r"([0-9]+\.[0-9]+(?:\.[0-9]+)*)";
/// How much of the words before a version is kept.
const BEFORE: usize = 40;
/// How many digits a number of a version has at most.
const DIGITS: usize = 9;
/// How much of an output is looked at.
const LOOKED: usize = 4_000;

/// Returns the `version_check` of a program.
pub(super) fn version_check(bin: &str, said: Option<&SaidVersion>) -> Map<String, Value> {
    let found = said.and_then(|said| Some((said, find(&said.text)?)));
    let (words, parse, range) = match &found {
        Some((said, version)) => (said.words.join(" "), pattern(&version.before), version.range()),
        None => ("--version".to_owned(), ANYWHERE.to_owned(), ">=0".to_owned()),
    };
    let check = json!({"cmd": format!("{bin} {words}"), "parse": parse, "range": range});
    match check {
        Value::Object(check) => check,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

/// Returns the version in what a program printed.
pub fn version_in(text: &str) -> Option<String> {
    find(text).map(|version| version.text)
}

/// A version, and what stands before it on its line.
#[derive(Debug, PartialEq, Eq)]
struct Version {
    before: String,
    text: String,
}

impl Version {
    /// From this one on, up to the next major version.
    fn range(&self) -> String {
        let mut numbers = self.text.split('.').filter_map(|part| part.parse::<u64>().ok());
        let major = numbers.next().unwrap_or_default();
        let minor = numbers.next().unwrap_or_default();
        format!(">={major}.{minor} <{}", major.saturating_add(1))
    }
}

/// Finds what [`ANYWHERE`] finds first, unless its numbers are too long to be a version's.
fn find(text: &str) -> Option<Version> {
    let text: String = text.chars().take(LOOKED).collect();
    let found = text.lines().find_map(|line| {
        let mut last = ' ';
        let starts = line.char_indices().filter(move |(_, c)| {
            let before = std::mem::replace(&mut last, *c);
            c.is_ascii_digit() && !before.is_ascii_digit()
        });
        starts.map(|(at, _)| at).find_map(|at| {
            let run = run(line.get(at..)?);
            run.contains('.').then(|| Version {
                before: line.get(..at).unwrap_or_default().to_owned(),
                text: run,
            })
        })
    });
    found.filter(|version| version.text.split('.').all(|part| part.len() <= DIGITS))
}

/// Numbers with one dot between them.
fn run(text: &str) -> String {
    let mut run = String::new();
    for (index, part) in text.split('.').enumerate() {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        if digits.is_empty() {
            break;
        }
        if index > 0 {
            run.push('.');
        }
        run.push_str(&digits);
        if digits.len() < part.len() {
            break;
        }
    }
    run
}

/// Returns what finds the version behind the same words. Words with numbers in them change, so they are left out.
fn pattern(before: &str) -> String {
    let steady = |c: char| !c.is_ascii_digit() && !c.is_control();
    let is_steady =
        before.chars().count() <= BEFORE && before.chars().all(steady) && !before.trim().is_empty();
    if !is_steady {
        return ANYWHERE.to_owned();
    }
    let mut out = String::new();
    for c in before.chars() {
        if !c.is_alphanumeric() && !matches!(c, ' ' | '_' | '-' | '/' | ',' | ':') {
            out.push('\\');
        }
        out.push(c);
    }
    out + ANYWHERE
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::manifest::{VersionPattern, VersionRange};

    #[test]
    fn a_check_is_made_of_what_was_printed() {
        let check = |text: &str, parse: &str, range: &str| {
            let said = SaidVersion {
                words: vec!["--version".into()],
                text: text.into(),
            };
            let made = version_check("x", Some(&said));
            assert_eq!(made["parse"], parse, "{text}");
            assert_eq!(made["range"], range, "{text}");
            assert_eq!(made["cmd"], "x --version");
        };
        check(
            "git version 2.47.3\n",
            r"git version ([0-9]+\.[0-9]+(?:\.[0-9]+)*)",
            ">=2.47 <3",
        );
        check("jq-1.6\n", r"jq-([0-9]+\.[0-9]+(?:\.[0-9]+)*)", ">=1.6 <2");
        check("11.19.1\n", ANYWHERE, ">=11.19 <12");
        check(
            "psql (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)",
            r"psql \(PostgreSQL\) ([0-9]+\.[0-9]+(?:\.[0-9]+)*)",
            ">=15.18 <16",
        );
        check(
            "Docker version 28.2.2, build e6534b4",
            r"Docker version ([0-9]+\.[0-9]+(?:\.[0-9]+)*)",
            ">=28.2 <29",
        );
        check("tool 3 of 2020, v0.4.1", ANYWHERE, ">=0.4 <1");
        check("no numbers at all", ANYWHERE, ">=0");
        check("7\n", ANYWHERE, ">=0");
        check("0.0\u{17e0}", ANYWHERE, ">=0.0 <1");
    }

    proptest! {
        #[test]
        fn whatever_is_printed_the_check_can_be_used(text in "\\PC{0,200}") {
            let said = SaidVersion { words: vec!["-V".into()], text: text.clone() };
            let made = version_check("x", Some(&said));
            let parse = VersionPattern::parse(made["parse"].as_str().unwrap());
            let range = VersionRange::parse(made["range"].as_str().unwrap());
            prop_assert!(parse.is_ok() && range.is_ok());
            if let Some(version) = version_in(&text) {
                prop_assert_eq!(parse.unwrap().find(&text), Some(version.as_str()));
                prop_assert_eq!(range.unwrap().contains(&version), Some(true));
            }
        }
    }
}
