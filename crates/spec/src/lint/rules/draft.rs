//! The words that the draft fixes (ATIP §3.2): versions, costs, ways to sign in.
//!
//! What argrail understands anyway is at most a note, unless the draft is asked for to the letter.

use super::super::findings::Findings;
use super::super::run::{Context, Extent, Strictness};
use super::super::view::Tool;
use crate::doc::fields::{Quoted, came};
use crate::doc::{Diagnostic, Node, Severity, rules};

/// The words for a cost.
const ESTIMATES: [&str; 4] = ["none", "low", "medium", "high"];
/// Other words that people write for them.
const OTHER_ESTIMATES: [(&str, &str); 8] = [
    ("free", "none"),
    ("zero", "none"),
    ("cheap", "low"),
    ("small", "low"),
    ("moderate", "medium"),
    ("mid", "medium"),
    ("expensive", "high"),
    ("large", "high"),
];
/// The ways to sign in.
const METHODS: [&str; 5] = ["token", "oauth", "api-key", "certificate", "none"];
/// Other words that people write for them.
const OTHER_METHODS: [(&str, &str); 5] = [
    ("apikey", "api-key"),
    ("api_key", "api-key"),
    ("oauth2", "oauth"),
    ("cert", "certificate"),
    ("bearer", "token"),
];

rules! {
    PROTOCOL = "draft/protocol-version", "a protocol version of another form than \"0.1\"",
        "Hosts decide by it whether they understand the rest (§3.2.1).";
    SEMVER = "draft/tool-version", "a tool version that is no semantic version",
        "The draft prefers one; caches compare them (§3.2.1).";
    ESTIMATE = "draft/cost-estimate", "a cost that is none, low, medium or high in other words",
        "Any other word counts as high (§3.2.6).";
    METHOD = "draft/auth-type", "a way to sign in that the draft lacks",
        "Nobody knows what to do about it (§3.2.7).";
    => pub(super) RULES
}

pub(super) fn check(tool: &Tool<'_>, context: Context<'_>, findings: &mut Findings) {
    let strict = context.strictness == Strictness::Strict;
    if strict && context.extent == Extent::Whole {
        versions(tool, findings);
    }
    let commands = || tool.commands.iter().map(|command| command.object);
    let effects = commands().filter_map(|command| command.get("effects"));
    for effects in effects.chain(tool.get("effects")) {
        let cost = effects
            .as_object()
            .and_then(|effects| effects.get("cost")?.as_object());
        if let Some(node) = cost.and_then(|cost| cost.get("estimate")) {
            estimate(node, context, findings);
        }
    }
    let signing_in = commands().filter_map(|command| command.get("authentication"));
    for authentication in signing_in.chain(tool.get("authentication")) {
        let methods = authentication
            .as_object()
            .and_then(|object| object.get("methods")?.as_array());
        let kind = |method: &'_ Node| {
            method
                .as_object()
                .and_then(|method| method.get("type"))
                .map(|node| node.span)
        };
        for method in methods.unwrap_or_default() {
            let word = method.as_object().and_then(|method| method.get("type")?.as_str());
            if let (Some(span), Some(word)) = (kind(method), word.filter(|word| !METHODS.contains(word))) {
                let severity = if strict {
                    Severity::Error
                } else {
                    Severity::Warning
                };
                let message = format!(
                    "type: expected one of {}, got {}",
                    METHODS.join(", "),
                    Quoted(word)
                );
                let complaint = Diagnostic::new(severity, METHOD.id, span, message);
                findings.push(mended(complaint, word, &METHODS, &OTHER_METHODS));
            }
        }
    }
}

fn versions(tool: &Tool<'_>, findings: &mut Findings) {
    if let Some(node) = tool.get("atip") {
        let version = node
            .as_str()
            .or_else(|| node.as_object()?.get("version")?.as_str());
        if !version.is_some_and(is_protocol_version) {
            let message = format!("atip: expected a version such as \"0.1\", got {}", came(node));
            findings.push(PROTOCOL.error(node.span, message).hint("write \"0.1\""));
        }
    }
    if let Some((node, version)) = tool.get("version").and_then(|node| Some((node, node.as_str()?)))
        && !is_semver(version)
    {
        let message = format!("version: {} is no semantic version", Quoted(version));
        findings.push(SEMVER.warning(node.span, message).hint("such as 1.2.3"));
    }
}

fn estimate(node: &Node, context: Context<'_>, findings: &mut Findings) {
    let Some(word) = node.as_str().filter(|word| !ESTIMATES.contains(word)) else {
        return;
    };
    let severity = match (context.strictness, word) {
        (Strictness::Strict, _) => Severity::Error,
        // Later drafts say so.
        (Strictness::Relaxed, "free") => return,
        (Strictness::Relaxed, _) => Severity::Warning,
    };
    let message = format!(
        "estimate: expected one of {}, got {}",
        ESTIMATES.join(", "),
        Quoted(word)
    );
    let complaint = Diagnostic::new(severity, ESTIMATE.id, node.span, message);
    findings.push(mended(complaint, word, &ESTIMATES, &OTHER_ESTIMATES));
}

/// Offers the draft's word where it is plain which one was meant.
fn mended(complaint: Diagnostic, word: &str, words: &[&str], others: &[(&str, &str)]) -> Diagnostic {
    let lower = word.trim().to_ascii_lowercase();
    let other = others
        .iter()
        .find(|(other, _)| *other == lower)
        .map(|(_, word)| *word);
    match words.iter().copied().find(|word| *word == lower).or(other) {
        Some(meant) => {
            let span = complaint.span;
            complaint
                .hint(format!("write {meant:?}"))
                .fix(span, format!("{meant:?}"))
        }
        None => complaint.hint("choose the one that comes nearest"),
    }
}

fn is_protocol_version(version: &str) -> bool {
    let mut parts = version.split('.');
    let number =
        |part: &str| !part.is_empty() && part.len() < 6 && part.bytes().all(|byte| byte.is_ascii_digit());
    let first = parts.next() == Some("0");
    let rest: Vec<&str> = parts.collect();
    first && (1..=2).contains(&rest.len()) && rest.into_iter().all(number)
}

fn is_semver(version: &str) -> bool {
    let (core, _) = version.split_once(['-', '+']).unwrap_or((version, ""));
    let number = |part: &str| {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        digits && (part == "0" || !part.starts_with('0'))
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-+.".contains(c);
    core.split('.').count() == 3 && core.split('.').all(number) && version.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_their_form() {
        for good in ["0.1", "0.6", "0.1.2"] {
            assert!(is_protocol_version(good), "{good}");
        }
        for bad in ["", "0", "1.0", "0.", "0.x", "v0.1", "0.1.2.3"] {
            assert!(!is_protocol_version(bad), "{bad}");
        }
        for good in ["1.2.3", "0.0.0", "1.2.3-rc.1+5"] {
            assert!(is_semver(good), "{good}");
        }
        for bad in ["1.2", "v1.2.3", "1.02.3", "1.2.3 beta", "unknown"] {
            assert!(!is_semver(bad), "{bad}");
        }
    }
}
