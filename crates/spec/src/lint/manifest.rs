//! Markdown manifests: one of them alone, or a whole bundle.

use super::findings::Findings;
use super::kind::FileKind;
use super::rules;
use super::run::{Outcome, Strictness};
use crate::acp_md::AcpMd;
use crate::agent_bundle;
use crate::agent_cli_md::AgentCliMd;
use crate::bundle::{self, FileReport, Files};
use crate::cli_md::CliMd;
use crate::declare::Decode;
use crate::doc::{Diagnostic, Document, FrontMatter, Limits, Severity};
use crate::driver_md::DriverMd;
use crate::intent_md::IntentMd;
use crate::manifest::decoded;
use crate::runner_block;
use crate::sandbox_block;
use crate::secrets_md::SecretsMd;
use crate::tool_md::ToolMd;

/// What is read leniently and the drafts' schemas forbid.
const FORBIDDEN: [&str; 4] = ["tool/approval", "cli/no-hash", "cli/unfinished", "agent/extra"];

/// One file of a bundle and what was found in it.
#[derive(Debug, Clone, PartialEq)]
pub struct BundleFile {
    /// The file, from the root of the bundle.
    pub path: String,
    /// What was found.
    pub outcome: Outcome,
}

/// Checks a whole bundle; `folder` is the name of its folder, if it lies in one. Returns its manifest, too, if that can
/// be read, to be held against other bundles.
pub fn lint_bundle(
    folder: Option<&str>,
    files: &Files,
    strictness: Strictness,
) -> (Option<CliMd>, Vec<BundleFile>) {
    let checked = bundle::check(folder, files);
    let found = told(checked.reports, files, strictness);
    (checked.bundle.map(|bundle| bundle.cli), found)
}

/// Checks the whole folder of an agent, as [`lint_bundle`] does for a bundle.
pub fn lint_agent(
    folder: Option<&str>,
    files: &Files,
    strictness: Strictness,
) -> (Option<AgentCliMd>, Vec<BundleFile>) {
    let checked = agent_bundle::check(folder, files);
    let found = told(checked.reports, files, strictness);
    (checked.bundle.map(|bundle| bundle.agent), found)
}

/// Adds what every manifest is asked.
fn told(reports: Vec<FileReport>, files: &Files, strictness: Strictness) -> Vec<BundleFile> {
    let files = reports.into_iter().map(|report| {
        let mut findings = Findings::default();
        findings.extend(graded(report.diagnostics, strictness));
        let text = files.get(&report.path).unwrap_or_default();
        if let Ok(file) = FrontMatter::read(text, &Limits::manifest()) {
            rules::manifest(&file.document.root, &mut findings);
        }
        BundleFile {
            path: report.path,
            outcome: Outcome {
                kind: Some(report.kind),
                diagnostics: findings.into_list(),
            },
        }
    });
    files.collect()
}

/// Checks one Markdown file of a kind that is known by its name.
pub(super) fn markdown(kind: FileKind, text: &[u8], strictness: Strictness) -> Outcome {
    let mut findings = Findings::default();
    match FrontMatter::read(text, &Limits::manifest()) {
        Ok(file) => {
            of_kind(kind, &file.document, strictness, &mut findings);
        }
        Err(problem) => findings.push(problem),
    }
    Outcome {
        kind: Some(kind),
        diagnostics: findings.into_list(),
    }
}

/// Checks a document as a manifest of a kind.
pub(super) fn of_kind(kind: FileKind, document: &Document, strictness: Strictness, findings: &mut Findings) {
    let complaints = match kind {
        FileKind::Cli => decoded(document, CliMd::decode).1,
        FileKind::Tool => {
            let (tool, complaints) = decoded(document, ToolMd::decode);
            // A template that no input can fill is wrong in any bundle; what is only unwise is told with the bundle.
            let words = tool.map(|tool| bundle::check_template(&tool, document.text()));
            let mut words = words.unwrap_or_default();
            words.retain(|word| word.severity == Severity::Error);
            findings.extend(words);
            complaints
        }
        FileKind::Secrets => decoded(document, SecretsMd::decode).1,
        FileKind::Intent => decoded(document, IntentMd::decode).1,
        FileKind::Runner => decoded(document, runner_block::decode_file).1,
        FileKind::Driver => decoded(document, DriverMd::decode).1,
        FileKind::Sandbox => decoded(document, sandbox_block::decode_file).1,
        FileKind::AgentCli => decoded(document, AgentCliMd::decode).1,
        FileKind::Acp => decoded(document, AcpMd::decode).1,
        FileKind::Atip
        | FileKind::Patterns
        | FileKind::Config
        | FileKind::Registry
        | FileKind::Trust
        | FileKind::CacheEntry
        | FileKind::ToolsJson => return,
    };
    findings.extend(graded(complaints.into_list(), strictness));
    rules::manifest(&document.root, findings);
}

/// Makes errors of what the drafts forbid.
fn graded(found: Vec<Diagnostic>, strictness: Strictness) -> impl Iterator<Item = Diagnostic> {
    found.into_iter().map(move |mut diagnostic| {
        if strictness == Strictness::Strict && FORBIDDEN.contains(&diagnostic.code) {
            diagnostic.severity = Severity::Error;
        }
        diagnostic
    })
}
