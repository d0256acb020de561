//! Whether somebody's credential stands in the file. What was found is never repeated, only where it stands.

use super::super::findings::Findings;
use crate::doc::{Node, Value, rules};

/// The beginning of a credential, and how many characters follow at least.
const SHAPES: [(&str, usize); 18] = [
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("github_pat_", 40),
    ("glpat-", 18),
    ("AKIA", 16),
    ("ASIA", 16),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xapp-", 20),
    ("sk-", 32),
    ("sk_live_", 20),
    ("rk_live_", 20),
    ("AIza", 33),
    ("npm_", 34),
    ("hf_", 30),
    ("eyJhbGciOi", 40),
];
/// A placeholder repeats itself; a credential does not.
const DIFFERENT: usize = 9;
/// The shortest credential.
const SHORTEST: usize = 20;
/// How many places of one text are looked at.
const TRIES: usize = 3;

rules! {
    SECRET = "safety/secret", "something that looks like a credential",
        "Metadata is cached, exported and sent to models.";
    => pub(super) RULES
}

pub(super) fn check(node: &Node, findings: &mut Findings) {
    match &node.value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => {
            if let Some(what) = credential(text) {
                let message = format!("the text holds what looks like a credential ({what})");
                let hint = "replace it by a placeholder such as <TOKEN>, and revoke it";
                findings.push(SECRET.error(node.span, message).hint(hint));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| check(item, findings)),
        Value::Object(object) => object
            .members
            .iter()
            .for_each(|member| check(&member.node, findings)),
    }
}

/// Returns what kind of credential stands in the text.
fn credential(text: &str) -> Option<&'static str> {
    if text.contains("-----BEGIN") && text.contains("PRIVATE KEY-----") {
        return Some("a private key");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let runs = text.split(|c| !plain(c));
    runs.filter(|run| run.len() >= SHORTEST).find_map(in_run)
}

/// Looks into a text without blanks. Only the first few places are tried, so that a text of nothing but beginnings
/// costs no more than its length.
fn in_run(run: &str) -> Option<&'static str> {
    let shape = SHAPES.iter().find(|(prefix, least)| {
        run.match_indices(prefix).take(TRIES).any(|(at, _)| {
            let starts_word = run
                .get(..at)
                .is_none_or(|before| !before.ends_with(char::is_alphanumeric));
            let body = run.get(at + prefix.len()..).unwrap_or_default();
            let mut different: Vec<u8> = body.bytes().take(100).collect();
            different.sort_unstable();
            different.dedup();
            starts_word && body.len() >= *least && different.len() >= DIFFERENT
        })
    });
    shape.map(|(prefix, _)| *prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_seen_and_placeholders_are_not() {
        let token = "0123456789abcdefghijABCDEFGHIJ012345";
        for (text, want) in [
            (format!("gh --token ghp_{token}"), Some("ghp_")),
            (format!("Authorization: Bearer sk-{token}"), Some("sk-")),
            ("AKIAABCDEFGHIJ234567".to_owned(), Some("AKIA")),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMII".to_owned(),
                Some("a private key"),
            ),
            (format!("ghp_{}", "x".repeat(36)), None),
            ("ghp_<TOKEN>".to_owned(), None),
            ("task-0123456789abcdefghijklmnopqrstuvwxyz".to_owned(), None),
            ("sk-learn".to_owned(), None),
        ] {
            assert_eq!(credential(&text), want, "{text}");
        }
    }
}
