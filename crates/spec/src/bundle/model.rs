//! A bundle with everything that its `CLI.md` names.

use crate::cli_md::CliMd;
use crate::intent_md::IntentMd;
use crate::runner_block::Runner;
use crate::sandbox_block::SandboxBlock;
use crate::secrets_md::SecretsMd;
use crate::tool_md::ToolMd;

/// A bundle. Unless it comes from [`load`](super::load), it may have errors and is for checking only.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// The manifest.
    pub cli: CliMd,
    /// The Markdown after its front matter.
    pub body: String,
    /// The file of its entry: the one that `entry` names, or else a `cli.ts` beside the manifest.
    pub entry: Option<BundleEntry>,
    /// The sandbox, wherever it was written.
    pub sandbox: SandboxBlock,
    /// The process boundary, wherever it was written.
    pub runner: Runner,
    /// The tools, in the order of `commands`.
    pub tools: Vec<BundleTool>,
    /// The inventory of secrets.
    pub secrets: Option<SecretsMd>,
    /// The ready-made uses.
    pub intents: Vec<BundleIntent>,
}

/// The entry of a bundle, from its root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BundleEntry {
    /// `entry` names it.
    Named(String),
    /// It lies where the draft has it, and nothing names it: a host that cannot run it goes without.
    Beside(String),
}

impl BundleEntry {
    /// Returns the file.
    pub fn path(&self) -> &str {
        match self {
            Self::Named(path) | Self::Beside(path) => path,
        }
    }
}

/// A tool and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct BundleTool {
    /// The words of the subcommand.
    pub words: Vec<String>,
    /// The file, from the root of the bundle.
    pub path: String,
    /// The contract.
    pub tool: ToolMd,
    /// The Markdown after its front matter.
    pub body: String,
}

/// A ready-made use and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct BundleIntent {
    /// The file, from the root of the bundle.
    pub path: String,
    /// What it says.
    pub intent: IntentMd,
}

impl Bundle {
    /// Returns the tool of a subcommand.
    pub fn tool(&self, words: &[&str]) -> Option<&BundleTool> {
        self.tools.iter().find(|tool| tool.words == words)
    }
}
