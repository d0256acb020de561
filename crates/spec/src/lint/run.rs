//! One file, from its bytes to everything that can be said about it.

use super::findings::Findings;
use super::kind::{self, FileKind};
use super::manifest;
use super::rules;
use super::view::Tool;
use crate::atip;
use crate::config;
use crate::doc::{Diagnostic, Document, Limits, Node, Rule, Severity, Span};
use crate::registry::{self, CacheEntry, Registry};
use crate::tools_json;
use crate::trust;

/// How much is asked of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// What argrail can use is fine.
    #[default]
    Relaxed,
    /// The draft to the letter.
    Strict,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What the file was taken for, if anything.
    pub kind: Option<FileKind>,
    /// The complaints, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a rule has to know beside the document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    /// The name of the file.
    pub(super) file_name: &'a str,
    /// How much is asked.
    pub(super) strictness: Strictness,
    /// How much must be there.
    pub(super) extent: Extent,
}

/// How much of the metadata a file must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All that the draft wants.
    Whole,
    /// Only what is to change.
    Part,
}

/// What reading complains about leniently and the draft forbids.
const FORBIDDEN: [&str; 4] = [
    "atip/missing",
    "atip/unknown-type",
    "atip/version",
    "atip/bad-command-name",
];

/// What reading leaves out: `"network": "false"` is no word about the network. Its author has to hear of it.
const LEFT_OUT: &str = "doc/wrong-type";

pub(super) const UNKNOWN_KIND: Rule = Rule {
    id: "lint/unknown-kind",
    summary: "a file of no kind that is known",
    why: "Nothing can be said about a file when nobody knows what it is meant to be.",
};

/// Checks one file. `file_name` decides only what the text leaves open.
pub fn lint(file_name: &str, text: &[u8], strictness: Strictness) -> Outcome {
    let limits = match file_name.rsplit('/').next() {
        Some("registry.json") => Limits {
            bytes: Registry::MAX_BYTES,
            nodes: 2_000_000,
            ..Limits::metadata()
        },
        Some(_) | None => Limits::metadata(),
    };
    if let Some(kind) = FileKind::of_manifest(file_name) {
        return manifest::markdown(kind, text, strictness);
    }
    let is_yaml = [".yaml", ".yml"].iter().any(|end| file_name.ends_with(end));
    let read = if is_yaml {
        Document::yaml(text, &Limits::manifest())
    } else {
        Document::json(text, &limits)
    };
    let document = match read {
        Ok(document) => document,
        Err(mut problem) => {
            let kind = FileKind::of_path(file_name);
            if kind == Some(FileKind::ToolsJson) {
                // Its description fixes the words.
                let (why, span) = (problem.message, problem.span);
                problem.message = tools_json::ManifestError::Parse { why, span }.to_string();
            }
            return Outcome {
                kind,
                diagnostics: vec![problem],
            };
        }
    };
    let kind = FileKind::detect(file_name, &document.root);
    let mut findings = Findings::default();
    match kind {
        Some(kind) => of_kind(kind, file_name, text, &document, strictness, &mut findings),
        None => findings.push(unknown(&document)),
    }
    Outcome {
        kind,
        diagnostics: findings.into_list(),
    }
}

fn unknown(document: &Document) -> Diagnostic {
    let start = document.root.span.start;
    let first = document.text().get(start..).and_then(|rest| rest.chars().next());
    let kinds = FileKind::ALL.map(FileKind::as_str).join(", ");
    let span = Span {
        start,
        end: start + first.map_or(0, char::len_utf8),
    };
    UNKNOWN_KIND
        .error(
            span,
            format!("it is none of the kinds of file that are known: {kinds}"),
        )
        .hint("metadata has the field \"atip\"; a configuration is called config.json")
}

fn of_kind(
    kind: FileKind,
    file_name: &str,
    text: &[u8],
    document: &Document,
    strictness: Strictness,
    findings: &mut Findings,
) {
    let root = &document.root;
    let context = Context {
        file_name,
        strictness,
        extent: if kind::is_override(file_name) {
            Extent::Part
        } else {
            Extent::Whole
        },
    };
    match kind {
        FileKind::Atip => metadata(root, context, findings),
        FileKind::Patterns => patterns(root, context, findings),
        FileKind::Config => findings.extend(config::decode(root).complaints),
        FileKind::Registry => match registry::load(text) {
            Ok(loaded) => findings.extend(loaded.warnings),
            Err(problem) => findings.push(problem),
        },
        FileKind::Trust => findings.extend(trust::decode(root).err()),
        FileKind::CacheEntry => cache_entry(root, text, context, findings),
        FileKind::ToolsJson => findings.extend(tools_json::complaints(document)),
        FileKind::Cli
        | FileKind::Tool
        | FileKind::Secrets
        | FileKind::Intent
        | FileKind::Runner
        | FileKind::Driver
        | FileKind::Sandbox
        | FileKind::AgentCli
        | FileKind::Acp => manifest::of_kind(kind, document, strictness, findings),
    }
}

fn metadata(root: &Node, context: Context<'_>, findings: &mut Findings) {
    let name = kind::stem(context.file_name);
    let loaded = match context.extent {
        Extent::Whole => atip::decode(root),
        Extent::Part => atip::decode_part(root, name, atip::Extent::All),
    };
    match (loaded, Tool::of(root, name)) {
        (Ok(loaded), Some(tool)) => {
            // What is missing from a part is not meant to change.
            let counts =
                |warning: &Diagnostic| context.extent == Extent::Whole || warning.code != "atip/missing";
            findings.extend(graded(loaded.warnings, context).filter(counts));
            rules::metadata(&tool, context, findings);
        }
        (Ok(loaded), None) => findings.extend(loaded.warnings),
        (Err(problem), _) => findings.push(problem),
    }
}

fn patterns(root: &Node, context: Context<'_>, findings: &mut Findings) {
    match atip::decode_patterns(root) {
        Ok(loaded) => {
            findings.extend(graded(loaded.warnings, context));
            rules::pattern_file(root, context, findings);
        }
        Err(problem) => findings.push(problem),
    }
}

/// The entry itself, and the metadata inside it.
fn cache_entry(root: &Node, text: &[u8], context: Context<'_>, findings: &mut Findings) {
    if let Err(problem) = CacheEntry::load(text) {
        findings.push(problem);
    }
    if let Some(inner) = root.as_object().and_then(|entry| entry.get("metadata")) {
        metadata(inner, context, findings);
    }
}

/// Makes errors of what is lost, and of what the draft forbids where that is asked for.
fn graded(found: Vec<Diagnostic>, context: Context<'_>) -> impl Iterator<Item = Diagnostic> {
    found.into_iter().map(move |mut diagnostic| {
        let is_forbidden = context.strictness == Strictness::Strict && FORBIDDEN.contains(&diagnostic.code);
        if is_forbidden || diagnostic.code == LEFT_OUT {
            diagnostic.severity = Severity::Error;
            let hint = "It does not count as it is; argrail lint --schema atip says what the field takes";
            diagnostic.hint = diagnostic.hint.or_else(|| Some(hint.to_owned()));
        }
        diagnostic
    })
}
