//! A block of either draft, told apart by its fields.

use argrail_sandbox::policy::{Anchors, Policy};
use argrail_sandbox::{HostWords, Refusal};
use schemars::JsonSchema;
use serde::Serialize;

use super::aip29::Aip29;
use super::aip36::Aip36;
use super::rules::ENTRY;
use crate::declare::own;
use crate::doc::fields::Complaints;
use crate::manifest::{Field, Loaded, Refused};

/// A block of either draft.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum SandboxBlock {
    /// Network, files, programs, variables.
    Aip29(Box<Aip29>),
    /// A provider and mounts.
    Aip36(Box<Aip36>),
}

impl SandboxBlock {
    /// Returns the policy of the block.
    ///
    /// # Errors
    /// What the sandbox refuses, with its place in the block.
    pub fn policy(&self, anchors: &Anchors) -> Result<Policy, Refusal> {
        match self {
            Self::Aip29(block) => block.policy(anchors),
            Self::Aip36(block) => block.policy(anchors).map(|read| read.policy),
        }
    }
}

/// Reads a `SANDBOX.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<SandboxBlock>, Refused> {
    crate::manifest::load(text, decode_file)
}

/// Returns anchors that stand for any home and any workspace, to check and compare what is written without knowing
/// either: patterns of the home, of the workspace and of the root are then never within each other, but for `/**`.
///
/// # Errors
/// Never: both paths are what anchors must be.
pub fn sketch() -> Result<Anchors, Refusal> {
    Anchors::new("/~home", "/~workspace")
}

/// Whose fields a block may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Inside of another manifest.
    Inline,
    /// Alone in a file, which may say what it is called.
    File,
}

/// Reads a block inside of another manifest.
fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<SandboxBlock> {
    read(field, Standing::Inline, out)
}

own! {
    SandboxBlock: |field, out| decode(field, out);
}

/// Reads a block that has a file of its own.
pub(crate) fn decode_file(field: &Field<'_>, out: &mut Complaints) -> Option<SandboxBlock> {
    read(field, Standing::File, out)
}

fn read(field: &Field<'_>, standing: Standing, out: &mut Complaints) -> Option<SandboxBlock> {
    let mut object = field.open(out)?;
    if object.has("provider") || object.has("config") || object.has("mounts") {
        return Aip36::read(object, out).map(|block| SandboxBlock::Aip36(Box::new(block)));
    }
    if standing == Standing::File {
        for key in ["schema", "name", "id", "description"] {
            object.take(key).and_then(|field| field.text(out));
        }
        object.take("version").and_then(|field| field.version(out));
        object.take("metadata").and_then(|field| field.map(out));
    }
    let block = Aip29::read(object, out)?;
    if !out.has_error()
        && let Err(refusal) = sketch().and_then(|anchors| block.policy(&anchors))
    {
        // Each entry was fine: what is left is the number of them, or the length of a value.
        let what = format!("{}: {}", refusal.field, refusal.reason);
        out.push(
            field
                .refuse(ENTRY, what)
                .hint(refusal.fix.worded(HostWords::default())),
        );
    }
    Some(SandboxBlock::Aip29(Box::new(block)))
}
