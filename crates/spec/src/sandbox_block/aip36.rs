//! AIP-36: a compute policy for an agent. It has mounts in the place of globs, and starts whatever it can read.

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{Aip36Policy, Anchors};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};

use super::entries::{self, Host};
use super::rules::{NO_EFFECT, PROVIDER};
use crate::declare::{Decode, Line, List, STEP_ID, Whole, by, manifest, own, texts, words};
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, came};
use crate::manifest::{Closed, Field, MISPLACED, ManifestVersion, Reference, VALUE};

manifest! {
    /// The whole block.
    pub struct Aip36("Aip36Sandbox") closed, before check_names {
        /// `sandbox/v1`, in a file.
        may schema: Option<String> as SchemaName,
        /// `@owner/name`, in a file.
        may id: Option<String> as OwnedId,
        /// The version of the file.
        may version: Option<Spanned<ManifestVersion>>,
        /// Where commands run: `local`.
        need provider: Spanned<String> as Line<64> => check_provider,
        /// Settings of the provider.
        need config: Map<String, Value> as ProviderConfig,
        /// How much a command may use.
        may limits: Option<Limits>,
        /// Variables.
        may env: Option<Passed>,
        /// Hosts.
        may network: Option<Reached>,
        /// Files.
        may mounts: Option<Vec<Mount>> as List,
        /// Who owns the processes. No effect here.
        may identity: Option<Value> => tell_identity,
        /// Grants on actions of the sandbox. Refused here.
        may policy: Option<Value> => refuse_policy,
        /// When the sandbox pauses and ends. Advice.
        may lifecycle: Option<Lifecycle> => tell_lifecycle,
        /// Whether no command may run.
        may read_only: Option<bool> => tell_read_only,
        /// Anybody's own.
        may metadata: Option<Map<String, Value>>,
    }

    /// How much one command may use.
    #[derive(Copy, Eq, Default)]
    pub struct Limits closed {
        /// Milliseconds from start to end.
        may timeout_ms: Option<u64> as Whole<1>,
        /// Mebibytes of memory.
        may memory_mb: Option<u64> as Whole<1>,
        /// Milliseconds of processor time.
        may cpu_ms: Option<u64> as Whole<1>,
    }

    /// Variables that the sandbox gets.
    #[derive(Default)]
    pub struct Passed("Aip36Env") closed {
        /// Those that hold secrets.
        may auth: Option<Auth>,
        /// Those of the host.
        may passthrough: Option<Vec<Spanned<String>>> as List<entries::Passed>,
    }

    /// Secrets of the sandbox.
    #[derive(Default)]
    pub struct Auth("Aip36Auth") closed {
        /// The inventory.
        may inventory("ref"): Option<Reference>,
        /// Which variables.
        may state: Option<AuthState>,
    }

    /// Variables that are fed by whoever keeps the secrets.
    #[derive(Default)]
    pub struct AuthState("Aip36AuthState") closed {
        /// Their names.
        may env: Option<Vec<Spanned<String>>> as List<entries::Passed>,
    }

    /// Hosts that are reached.
    #[derive(Default)]
    pub struct Reached("Aip36Network") closed {
        /// Their names.
        may egress: Option<Vec<Spanned<String>>> as List<Host>,
    }

    /// Files that appear in the sandbox.
    pub struct Mount closed {
        /// Which.
        need source: MountSource,
        /// Where, absolute.
        need at: Spanned<String> as AbsolutePath,
        /// Whether they may be changed.
        may mode: Option<MountMode>,
    }

    /// When a sandbox pauses and ends.
    #[derive(Default)]
    pub struct Lifecycle closed {
        /// The event that pauses it.
        may pause_after_idle: Option<String> as Line<256>,
        /// The event that ends it.
        may destroy_on: Option<String> as Line<256>,
    }
}

words! {
    /// Whether mounted files may be changed.
    pub enum MountMode {
        /// They may.
        ReadWrite = "read-write",
        /// They may not.
        ReadOnly = "read-only",
    }
}

texts! {
    /// The name of the format.
    SchemaName = by(|text| text == "sandbox/v1", "^sandbox/v1$", 0..=usize::MAX), "\"sandbox/v1\"", "write sandbox/v1";
    /// The id of a file.
    OwnedId = by(is_id, "^@[a-z0-9][a-z0-9-]{0,63}/[a-z0-9][a-z0-9-]{0,63}$", 0..=usize::MAX),
        "an id such as \"@me/build\"", "write it as @owner/name";
    /// A path from the root.
    AbsolutePath = by(|text| text.starts_with('/'), r"^/[^\u0000]*$", 0..=usize::MAX),
        "an absolute path", "write a path that starts with '/'";
}

/// What a mount shows.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MountSource {
    /// The workspace.
    Workspace,
    /// Storage under a name.
    Ref(String),
    /// Storage that is described in a file.
    File(Reference),
    /// Storage that is described here.
    Inline(Value),
}

own! {
    MountSource: |field, out| source(field, out);
}

impl Aip36 {
    /// Returns what the block means.
    ///
    /// # Errors
    /// What the sandbox refuses, with its place in the block: `mounts[1].at`.
    pub fn policy(&self, anchors: &Anchors) -> Result<Aip36Policy, Refusal> {
        let odd = |error: serde_json::Error| Refusal::new("sandbox", "", error.to_string(), "mend the block");
        let written = serde_json::to_value(self).map_err(odd)?;
        let block: argrail_sandbox::policy::Aip36 = serde_json::from_value(written).map_err(odd)?;
        block.into_policy(anchors)
    }
}

fn is_id(text: &str) -> bool {
    let part = |part: &str| STEP_ID.fits(part);
    let parts = text.strip_prefix('@').and_then(|rest| rest.split_once('/'));
    parts.is_some_and(|(owner, name)| part(owner) && part(name))
}

/// Settings of the provider: a folder, and nothing else.
struct ProviderConfig;

impl Decode<ProviderConfig> for Map<String, Value> {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let mut object = field.open(out)?;
        object.take("cwd").and_then(|field| field.line(4096, out));
        let hint = "leave it out; a program that needs a shell can start one itself";
        object.misplaced("shell", "commands are never given to a shell", hint, out);
        object.shut(out);
        field.map(out)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let folder = <String as Decode<Line<4096>>>::schema(generator);
        json_schema!({
            "type": "object",
            "properties": {"cwd": folder},
            "additionalProperties": false,
            "patternProperties": {"^x-": true},
        })
    }
}

/// A file may say what it is called; nothing hangs on it.
fn check_names(object: &mut Closed<'_>, out: &mut Complaints) {
    for key in ["name", "description"] {
        object.take(key).and_then(|field| field.text(out));
    }
}

fn check_provider(provider: &Spanned<String>, field: &Field<'_>, out: &mut Complaints) {
    if provider.as_str() != "local" {
        let what = format!("expected \"local\", got {}", came(field.node));
        let hint = "write local: commands run on this machine only";
        out.push(field.refuse(PROVIDER, what).hint(hint));
    }
}

fn tell_identity(_: &Option<Value>, field: &Field<'_>, out: &mut Complaints) {
    let what = "identity: commands run as the user of the host";
    out.push(NO_EFFECT.note(field.span(), what).hint("leave it out"));
}

fn refuse_policy(_: &Option<Value>, field: &Field<'_>, out: &mut Complaints) {
    let what = "grants on sandbox actions cannot be enforced here";
    let hint = "say what is allowed with mounts, network and limits";
    out.push(field.refuse(MISPLACED, what).hint(hint));
}

fn tell_lifecycle(_: &Option<Lifecycle>, field: &Field<'_>, out: &mut Complaints) {
    let what = format!(
        "{}: it is advice: every command has a sandbox of its own",
        field.path
    );
    out.push(NO_EFFECT.note(field.span(), what).hint("leave it out"));
}

fn tell_read_only(read_only: &Option<bool>, field: &Field<'_>, out: &mut Complaints) {
    if *read_only == Some(true) {
        let what = "no command may run in this sandbox";
        let hint = "leave it out, and make the mounts read-only instead";
        out.push(field.warn(NO_EFFECT, what).hint(hint));
    }
}

fn source(field: &Field<'_>, out: &mut Complaints) -> Option<MountSource> {
    if field.node.as_str().is_some() {
        return field
            .choice(&[("workspace", ())], out)
            .map(|()| MountSource::Workspace);
    }
    let mut object = field.open(out)?;
    let name = object.take("ref").and_then(|field| field.line(1024, out));
    let file = object.take("file").and_then(|field| field.reference(out));
    let inline = object.take("inline").map(|field| field.node.to_json());
    object.shut(out);
    match (name, file, inline) {
        (Some(name), None, None) => Some(MountSource::Ref(name.value)),
        (None, Some(file), None) => Some(MountSource::File(file)),
        (None, None, Some(value)) => Some(MountSource::Inline(value)),
        (_, _, _) => {
            let what = "expected \"workspace\", or exactly one of ref, file and inline";
            out.push(field.refuse(VALUE, what).hint("write workspace"));
            None
        }
    }
}
