//! One bundle, from its files to everything that can be said about it.

use super::files::Files;
use super::model::{Bundle, BundleEntry};
use super::reading::{FileReport, Reading, Root};
use super::rules::{ENTRY_TYPES, FOLDER, JSON_ARGS, NO_CLI};
use super::{intents, secrets, tools};
use crate::cli_md::CliMd;
use crate::declare::Decode;
use crate::doc::Span;
use crate::doc::fields::Quoted;
use crate::lint::FileKind;
use crate::runner_block::{self, Runner};
use crate::sandbox_block;

/// The manifest of a bundle.
pub(super) const CLI: &str = "CLI.md";

/// What an entry is called where nothing names it (AIP-29, File location), the draft's own name first.
const ENTRIES: [&str; 4] = ["cli.ts", "cli.mts", "cli.mjs", "cli.js"];

const ROOT: Root = Root {
    path: CLI,
    kind: FileKind::Cli,
};

/// What came of a bundle.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The bundle, if so much of it can be read; it may have errors all the same.
    pub bundle: Option<Bundle>,
    /// What was found in each manifest.
    pub reports: Vec<FileReport>,
}

/// Reads a bundle.
///
/// # Errors
/// What was found in each manifest, if any of it is an error.
pub fn load(folder: Option<&str>, files: &Files) -> Result<Bundle, Vec<FileReport>> {
    let checked = check(folder, files);
    match checked.bundle {
        Some(bundle) if checked.reports.iter().all(FileReport::is_ok) => Ok(bundle),
        Some(_) | None => Err(checked.reports),
    }
}

/// Checks a bundle. `folder` is the name of its folder, if it lies in one.
pub fn check(folder: Option<&str>, files: &Files) -> Checked {
    let mut reading = Reading::new(files, ROOT);
    let bundle = read(folder, &mut reading);
    // What a manifest names that cannot be read is not known.
    if bundle.is_some() {
        reading.unused(&[
            FileKind::Tool,
            FileKind::Intent,
            FileKind::Secrets,
            FileKind::Runner,
        ]);
    }
    Checked {
        bundle,
        reports: reading.reports(),
    }
}

/// Tells of an entry that is left out in silence where node is too old.
fn check_entry(cli: &CliMd, entry: Option<&BundleEntry>, reading: &mut Reading<'_>) {
    if let Some(BundleEntry::Beside(name)) = entry
        && [".ts", ".mts"].iter().any(|end| name.ends_with(end))
    {
        let what =
            format!("{name} is used only where node 22.6 or newer is; elsewhere the bundle works without it");
        let hint = "ship it as cli.mjs, or name it with entry: calls then fail where it cannot run";
        reading.tell(ENTRY_TYPES.note(cli.id.span, what).hint(hint));
    }
}

/// Tells of `json_flag_args` beside no flag.
fn check_json_arguments(cli: &CliMd, reading: &mut Reading<'_>) {
    let Some(output) = cli.output.as_ref().filter(|output| output.json_flag.is_none()) else {
        return;
    };
    if let Some(first) = output.json_flag_args.iter().flatten().next() {
        let what = "output.json_flag_args belongs to a json_flag, and there is none";
        reading.tell(
            JSON_ARGS
                .warning(first.span, what)
                .hint("add json_flag, or leave them out"),
        );
    }
}

fn read(folder: Option<&str>, reading: &mut Reading<'_>) -> Option<Bundle> {
    if !reading.files.has(CLI) {
        let what = "there is no CLI.md in the bundle";
        let diagnostic = NO_CLI
            .error(Span::default(), what)
            .hint("argrail new cli NAME writes one");
        reading.tell(diagnostic);
        return None;
    }
    let (cli, body) = reading.read(CLI, FileKind::Cli, CliMd::decode)?;
    check_folder(&cli, folder, reading);
    reading.programs(&cli.bin, &cli.install);
    let entry = match &cli.entry {
        Some(entry) => reading.named(entry).map(BundleEntry::Named),
        None => {
            let beside = ENTRIES.iter().find(|name| reading.files.has(name));
            beside.map(|name| BundleEntry::Beside((*name).to_owned()))
        }
    };
    check_entry(&cli, entry.as_ref(), reading);
    check_json_arguments(&cli, reading);
    let sandbox = reading.resolve(&cli.sandbox, FileKind::Sandbox, sandbox_block::decode_file);
    let runner = match &cli.runner {
        None => Some(Runner::default()),
        Some(runner) => reading.resolve(runner, FileKind::Runner, runner_block::decode_file),
    };
    let secrets = secrets::read(cli.auth.as_ref(), &cli.setup, reading);
    let tools = tools::read(&cli, reading);
    if let (Some(sandbox), Some(runner)) = (&sandbox, &runner) {
        tools::check(sandbox, runner, secrets.as_ref(), &tools, reading);
    }
    tools::check_templates(&tools, reading);
    let intents = intents::read(&cli, &tools, reading);
    Some(Bundle {
        cli,
        body,
        entry,
        sandbox: sandbox?,
        runner: runner?,
        tools,
        secrets,
        intents,
    })
}

fn check_folder(cli: &CliMd, folder: Option<&str>, reading: &mut Reading<'_>) {
    if let Some(folder) = folder.filter(|folder| *folder != cli.id.as_str()) {
        let what = format!(
            "id: the bundle {} lies in the folder {}",
            Quoted(&cli.id),
            Quoted(folder)
        );
        let diagnostic = FOLDER
            .warning(cli.id.span, what)
            .hint("call the folder like the bundle");
        reading.tell(diagnostic);
    }
}
