//! Whether what is claimed about effects can be true together, and is there at all.
//!
//! Nothing that stands here is believed: a claim only ever makes argrail stricter. But a claim that contradicts itself
//! is one that somebody did not think about.

use super::super::findings::Findings;
use super::super::run::{Context, Extent};
use super::super::view::{Command, Tool};
use crate::doc::fields::Quoted;
use crate::doc::{Node, Object, Value, rules};

/// Paths that mean everything.
const EVERYWHERE: [&str; 8] = ["/", "/*", "/**", "~", "~/", "~/*", "~/**", "*"];

rules! {
    UNSAID = "safety/no-effects", "a command that says nothing about its effects",
        "What is unknown is asked about every time.";
    NETWORK_UNSAID = "safety/network-unsaid", "effects that leave out the network",
        "Unknown is treated as yes, so a command that needs no network asks for nothing.";
    CREATES_AGAIN = "safety/idempotent-creates", "idempotent, and creates something",
        "Twice is only as good as once when the second time creates nothing.";
    UNDONE_FOR_GOOD = "safety/reversible-destructive", "destructive, and reversible",
        "What is destroyed for good cannot be undone.";
    DELETES_UNSAID = "safety/deletes-unsaid", "deletes, without saying whether for good",
        "Whether a person must be asked depends on it.";
    DELETES_HARMLESSLY = "safety/deletes-harmlessly", "deletes, and is neither destructive nor reversible",
        "What is deleted and cannot be brought back is destroyed.";
    WIDE_PATH = "safety/wide-path", "writes or deletes everywhere",
        "A claim about everything protects nothing; argrail never grants it.";
    FREE_BUT_BILLED = "safety/billable-free", "billable, and costs nothing",
        "One of the two is wrong.";
    => pub(super) RULES
}

pub(super) fn check(tool: &Tool<'_>, context: Context<'_>, findings: &mut Findings) {
    if let Some(node) = tool.get("effects") {
        claims(node, findings);
    }
    for command in &tool.commands {
        if let Some(node) = command.object.get("effects") {
            claims(node, findings);
        }
        if command.is_leaf && context.extent == Extent::Whole {
            unsaid(tool, command, findings);
        }
    }
}

fn unsaid(tool: &Tool<'_>, command: &Command<'_>, findings: &mut Findings) {
    let span = command.member.key_span;
    let has_effects = |object: &Object| object.get("effects").is_some();
    let said = tool.line(command).any(|command| has_effects(command.object)) || tool.get("effects").is_some();
    if !said {
        let message = format!("{} says nothing about its effects", Quoted(&tool.title(command)));
        findings.push(UNSAID.note(span, message).hint("add \"effects\""));
    } else if tool.effect(command, "network").is_none() {
        let message = format!(
            "{} does not say whether it uses the network",
            Quoted(&tool.title(command))
        );
        findings.push(
            NETWORK_UNSAID
                .note(span, message)
                .hint("add \"network\": true or false"),
        );
    }
}

/// Where somebody says yes, no, or nothing.
struct Claims<'a>(&'a Object);

impl Claims<'_> {
    fn truth(&self, key: &str) -> Option<bool> {
        truth(self.0.get(key))
    }

    fn within(&self, owner: &str, key: &str) -> Option<bool> {
        truth(self.0.get(owner)?.as_object()?.get(key))
    }

    fn names_any(&self, key: &str) -> bool {
        let list = self.0.get(key).and_then(Node::as_array);
        list.is_some_and(|list| !list.is_empty())
    }
}

fn truth(node: Option<&Node>) -> Option<bool> {
    match node?.value {
        Value::Bool(truth) => Some(truth),
        Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn claims(node: &Node, findings: &mut Findings) {
    let Some(object) = node.as_object() else { return };
    let claims = Claims(object);
    let at = |key: &str| object.get(key).map_or(node.span, |node| node.span);
    let (idempotent, reversible, destructive) = (
        claims.truth("idempotent"),
        claims.truth("reversible"),
        claims.truth("destructive"),
    );
    if idempotent == Some(true) && claims.names_any("creates") {
        let message = "it is idempotent and creates something";
        let hint = "say \"idempotent\": false unless the second time creates nothing";
        findings.push(CREATES_AGAIN.warning(at("creates"), message).hint(hint));
    }
    if reversible == Some(true) && destructive == Some(true) {
        let message = "it is destructive and reversible";
        findings.push(
            UNDONE_FOR_GOOD
                .warning(at("reversible"), message)
                .hint("keep one of the two"),
        );
    }
    let deletes_files = claims.within("filesystem", "delete") == Some(true);
    if claims.names_any("deletes") || deletes_files {
        let span = if claims.names_any("deletes") {
            at("deletes")
        } else {
            at("filesystem")
        };
        match (destructive, reversible) {
            (None, None) => {
                let message = "it deletes, and does not say whether for good";
                findings.push(
                    DELETES_UNSAID
                        .warning(span, message)
                        .hint("add \"destructive\" or \"reversible\""),
                );
            }
            (Some(false), Some(false)) => {
                let message = "it deletes, cannot be undone, and is said not to be destructive";
                findings.push(
                    DELETES_HARMLESSLY
                        .warning(at("destructive"), message)
                        .hint("say \"destructive\": true"),
                );
            }
            (Some(_), _) | (None, Some(_)) => {}
        }
    }
    let changes_files = deletes_files || claims.within("filesystem", "write") == Some(true);
    if changes_files {
        wide_paths(object, findings);
    }
    money(object, &claims, findings);
}

fn wide_paths(object: &Object, findings: &mut Findings) {
    let filesystem = object.get("filesystem").and_then(Node::as_object);
    let paths = filesystem.and_then(|filesystem| filesystem.get("paths")?.as_array());
    for node in paths.unwrap_or_default() {
        let Some(path) = node.as_str().filter(|path| EVERYWHERE.contains(path)) else {
            continue;
        };
        let message = format!("it changes files below {}, which is everywhere", Quoted(path));
        findings.push(
            WIDE_PATH
                .warning(node.span, message)
                .hint("name the directories that it changes"),
        );
    }
}

fn money(object: &Object, claims: &Claims<'_>, findings: &mut Findings) {
    let cost = object.get("cost").and_then(Node::as_object);
    let estimate = cost.and_then(|cost| cost.get("estimate"));
    if let Some(node) = estimate
        && claims.within("cost", "billable") == Some(true)
        && matches!(node.as_str(), Some("none" | "free"))
    {
        let message = "it is billable and costs nothing";
        findings.push(
            FREE_BUT_BILLED
                .warning(node.span, message)
                .hint("say what it costs: low, medium or high"),
        );
    }
}
