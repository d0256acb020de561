//! One bundle, from its files to everything that can be said about it.

use super::files::Files;
use super::model::Bundle;
use super::reading::{FileReport, Reading};
use super::rules::{FOLDER, NO_CLI, UNRESOLVED, UNUSED};
use super::{intents, secrets, tools};
use crate::cli_md::{self, CliMd, Install};
use crate::doc::fields::Quoted;
use crate::doc::{Diagnostic, Span, Spanned};
use crate::lint::FileKind;
use crate::manifest::{Composable, Reference};
use crate::runner_block::{self, Runner};
use crate::sandbox_block::{self, SandboxBlock};

/// The manifest of a bundle.
pub(super) const CLI: &str = "CLI.md";

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
    let mut reading = Reading::new(files);
    let bundle = read(folder, &mut reading);
    // What a manifest names that cannot be read is not known.
    if bundle.is_some() {
        unused(&mut reading);
    }
    Checked {
        bundle,
        reports: reading.reports(),
    }
}

fn read(folder: Option<&str>, reading: &mut Reading<'_>) -> Option<Bundle> {
    if !reading.files.has(CLI) {
        let what = "there is no CLI.md in the bundle";
        let diagnostic = NO_CLI
            .error(Span::default(), what)
            .hint("argrail new cli NAME writes one");
        reading.push(CLI, FileKind::Cli, diagnostic);
        return None;
    }
    let (cli, body) = reading.read(CLI, FileKind::Cli, cli_md::decode)?;
    check_folder(&cli, folder, reading);
    files_of(&cli, reading);
    let sandbox = sandbox(&cli, reading);
    let runner = match &cli.runner {
        None => Some(Runner::default()),
        Some(runner) => resolve(runner, FileKind::Runner, runner_block::decode_file, reading),
    };
    let secrets = secrets::read(&cli, reading);
    let tools = tools::read(&cli, reading);
    if let (Some(sandbox), Some(runner)) = (&sandbox, &runner) {
        tools::check(sandbox, runner, secrets.as_ref(), &tools, reading);
    }
    let intents = intents::read(&cli, &tools, reading);
    Some(Bundle {
        cli,
        body,
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
        reading.push(CLI, FileKind::Cli, diagnostic);
    }
}

/// Follows what is no manifest: the program, vendored ones, the entry.
fn files_of(cli: &CliMd, reading: &mut Reading<'_>) {
    let bin = Reference::parse(&cli.bin, cli.bin.span)
        .ok()
        .filter(|_| cli.bin.contains('/'));
    let vendored = cli.install.iter().filter_map(|install| match install {
        Install::Vendored(vendored) => Some(vendored.path.clone()),
        Install::Package(_)
        | Install::Npm(_)
        | Install::Pip(_)
        | Install::Curl(_)
        | Install::Download(_)
        | Install::Unknown(_) => None,
    });
    let all: Vec<Reference> = bin.into_iter().chain(vendored).chain(cli.entry.clone()).collect();
    for reference in all {
        reading.follow(CLI, FileKind::Cli, &reference);
    }
}

fn sandbox(cli: &CliMd, reading: &mut Reading<'_>) -> Option<SandboxBlock> {
    resolve(
        &cli.sandbox,
        FileKind::Sandbox,
        sandbox_block::decode_file,
        reading,
    )
}

/// Returns a block of the manifest, wherever it is written.
fn resolve<T: Clone>(
    block: &Composable<T>,
    kind: FileKind,
    decode: fn(&crate::manifest::Field<'_>, &mut crate::doc::fields::Complaints) -> Option<T>,
    reading: &mut Reading<'_>,
) -> Option<T> {
    match block {
        Composable::Inline(block) => Some(block.clone()),
        Composable::File(reference) => {
            let path = reading.follow(CLI, FileKind::Cli, reference)?;
            reading.read(&path, kind, decode).map(|(block, _)| block)
        }
        Composable::Named(name) => {
            reading.push(CLI, FileKind::Cli, unresolved(name));
            None
        }
    }
}

fn unresolved(name: &Spanned<String>) -> Diagnostic {
    let what = format!("nobody here knows the name {}", Quoted(name));
    UNRESOLVED
        .error(name.span, what)
        .hint("write the block itself, or the path of a file in the bundle")
}

/// Tells about manifests that nothing names.
fn unused(reading: &mut Reading<'_>) {
    let nested = |path: &str, other: &str| {
        let inner = other.strip_suffix("/CLI.md");
        inner.is_some_and(|inner| path.starts_with(&format!("{inner}/")))
    };
    let paths: Vec<(String, FileKind)> = reading
        .files
        .paths()
        .filter(|path| !reading.was_read(path))
        .filter(|path| !reading.files.paths().any(|other| nested(path, other)))
        .filter_map(|path| Some((path.to_owned(), FileKind::of_manifest(path)?)))
        .filter(|(_, kind)| {
            matches!(
                kind,
                FileKind::Tool | FileKind::Intent | FileKind::Secrets | FileKind::Runner
            )
        })
        .collect();
    for (path, kind) in paths {
        let diagnostic = UNUSED
            .note(Span::default(), "nothing in CLI.md names this file")
            .hint("name it in CLI.md, or remove it");
        reading.push(&path, kind, diagnostic);
    }
}
