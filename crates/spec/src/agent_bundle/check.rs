//! One agent, from its files to everything that can be said about it.

use super::model::AgentBundle;
use super::profile;
use super::rules::{FOLDER, NO_MANIFEST};
use crate::agent_cli_md::AgentCliMd;
use crate::bundle::{FileReport, Files, Reading, Root, read_secrets};
use crate::declare::Decode;
use crate::doc::Span;
use crate::doc::fields::Quoted;
use crate::lint::FileKind;
use crate::runner_block::{self, Runner};
use crate::sandbox_block::{self, SandboxBlock};
use crate::secrets_md::SecretsMd;

/// The manifest of an agent.
pub const MANIFEST: &str = "AGENT-CLI.md";

const ROOT: Root = Root {
    path: MANIFEST,
    kind: FileKind::AgentCli,
};

/// What came of the folder of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedAgent {
    /// The agent, if so much of it can be read; it may have errors all the same.
    pub bundle: Option<AgentBundle>,
    /// What was found in each manifest.
    pub reports: Vec<FileReport>,
}

/// Reads the folder of an agent.
///
/// # Errors
/// What was found in each manifest, if any of it is an error.
pub fn load(folder: Option<&str>, files: &Files) -> Result<AgentBundle, Vec<FileReport>> {
    let checked = check(folder, files);
    match checked.bundle {
        Some(bundle) if checked.reports.iter().all(FileReport::is_ok) => Ok(bundle),
        Some(_) | None => Err(checked.reports),
    }
}

/// Checks the folder of an agent. `folder` is what it is called; nothing where that says nothing, as for one that is
/// compiled in.
pub fn check(folder: Option<&str>, files: &Files) -> CheckedAgent {
    let mut reading = Reading::new(files, ROOT);
    let bundle = read(folder, &mut reading);
    // What a manifest names that cannot be read is not known.
    if bundle.is_some() {
        reading.unused(&[
            FileKind::Acp,
            FileKind::Secrets,
            FileKind::Sandbox,
            FileKind::Runner,
        ]);
    }
    CheckedAgent {
        bundle,
        reports: reading.reports(),
    }
}

fn read(folder: Option<&str>, reading: &mut Reading<'_>) -> Option<AgentBundle> {
    if !reading.files.has(MANIFEST) {
        let what = "there is no AGENT-CLI.md in the folder";
        let hint = "write one; docs/agents.md shows how";
        reading.tell(NO_MANIFEST.error(Span::default(), what).hint(hint));
        return None;
    }
    let (agent, body) = reading.read(MANIFEST, FileKind::AgentCli, AgentCliMd::decode)?;
    check_folder(&agent, folder, reading);
    reading.programs(&agent.bin, &agent.install);
    let sandbox = reading.resolve(&agent.sandbox, FileKind::Sandbox, sandbox_block::decode_file);
    let runner = match &agent.runner {
        None => Some(Runner::default()),
        Some(runner) => reading.resolve(runner, FileKind::Runner, runner_block::decode_file),
    };
    let secrets = read_secrets(agent.auth.as_ref(), &agent.setup, reading);
    inventory(&agent, sandbox.as_ref(), reading);
    let profile = profile::read(&agent, reading);
    Some(AgentBundle {
        agent,
        body,
        sandbox: sandbox?,
        runner: runner?,
        profile,
        secrets,
    })
}

fn check_folder(agent: &AgentCliMd, folder: Option<&str>, reading: &mut Reading<'_>) {
    if let Some(folder) = folder.filter(|folder| *folder != agent.name.as_str()) {
        let what = format!(
            "name: {} lies in the folder {}",
            Quoted(&agent.name),
            Quoted(folder)
        );
        let hint = "call the folder like the agent, or the agent like the folder";
        reading.tell(FOLDER.error(agent.name.span, what).hint(hint));
    }
}

/// Follows the inventory that a sandbox of AIP-36 names, where that stands in the manifest itself.
fn inventory(agent: &AgentCliMd, sandbox: Option<&SandboxBlock>, reading: &mut Reading<'_>) {
    let Some(SandboxBlock::Aip36(block)) = sandbox.filter(|_| agent.sandbox.inline().is_some()) else {
        return;
    };
    let auth = block.env.as_ref().and_then(|env| env.auth.as_ref());
    let named = agent.auth.as_ref().and_then(|auth| auth.inventory.as_ref());
    let reference = auth.and_then(|auth| auth.inventory.as_ref());
    // The same file is read once.
    let other = reference.filter(|reference| {
        let same = named.map(|named| named.resolve(""));
        same.is_none_or(|same| same != reference.resolve(""))
    });
    if let Some(path) = other.and_then(|reference| reading.named(reference)) {
        reading.read(&path, FileKind::Secrets, SecretsMd::decode);
    }
}
