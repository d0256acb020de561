//! AIP-36: a compute policy for an agent. It has mounts in the place of globs, and starts whatever it can read.

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{Aip36Policy, Anchors};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::entries;
use super::rules::{NO_EFFECT, PROVIDER};
use crate::declare::{Decode, STEP_ID, Whole, manifest};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Closed, Field, MISPLACED, ManifestVersion, Reference, VALUE};

/// The whole block.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Aip36Sandbox")]
pub struct Aip36 {
    /// `sandbox/v1`, in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^sandbox/v1$"))]
    pub schema: Option<String>,
    /// `@owner/name`, in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^@[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*$"))]
    pub id: Option<String>,
    /// The version of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Spanned<ManifestVersion>>,
    /// Where commands run: `local`.
    #[schemars(length(min = 1))]
    pub provider: Spanned<String>,
    /// Settings of the provider.
    pub config: Map<String, Value>,
    /// How much a command may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// Variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<Passed>,
    /// Hosts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<Reached>,
    /// Files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mounts: Option<Vec<Mount>>,
    /// Who owns the processes. No effect here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<Value>,
    /// Grants on actions of the sandbox. Refused here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Value>,
    /// When the sandbox pauses and ends. Advice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<Lifecycle>,
    /// Whether no command may run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// Anybody's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
}

manifest! {
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
}

/// Variables that the sandbox gets.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Aip36Env")]
pub struct Passed {
    /// Those that hold secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth>,
    /// Those of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passthrough: Option<Vec<Spanned<String>>>,
}

/// Secrets of the sandbox.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Aip36Auth")]
pub struct Auth {
    /// The inventory.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub inventory: Option<Reference>,
    /// Which variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<AuthState>,
}

/// Variables that are fed by whoever keeps the secrets.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Aip36AuthState")]
pub struct AuthState {
    /// Their names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<Vec<Spanned<String>>>,
}

/// Hosts that are reached.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Aip36Network")]
pub struct Reached {
    /// Their names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub egress: Option<Vec<Spanned<String>>>,
}

/// Files that appear in the sandbox.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// Which.
    pub source: MountSource,
    /// Where, absolute.
    #[schemars(regex(pattern = "^/"))]
    pub at: Spanned<String>,
    /// Whether they may be changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<MountMode>,
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

/// Whether mounted files may be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MountMode {
    /// They may.
    ReadWrite,
    /// They may not.
    ReadOnly,
}

/// When a sandbox pauses and ends.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lifecycle {
    /// The event that pauses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause_after_idle: Option<String>,
    /// The event that ends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destroy_on: Option<String>,
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

/// Reads a block.
pub(super) fn decode(mut object: Closed<'_>, out: &mut Complaints) -> Option<Aip36> {
    let provider = object
        .need("provider", out)
        .and_then(|field| provider(&field, out));
    let config = object.need("config", out).and_then(|field| config(&field, out));
    let id_hint = "write it as @owner/name";
    let version_hint = "write sandbox/v1";
    let text = |field: Option<Spanned<String>>| field.map(|text| text.value);
    let block = Aip36 {
        schema: text(object.take("schema").and_then(|field| {
            field.shaped(|text| text == "sandbox/v1", "\"sandbox/v1\"", version_hint, out)
        })),
        id: text(
            object
                .take("id")
                .and_then(|field| field.shaped(is_id, "an id such as \"@me/build\"", id_hint, out)),
        ),
        version: object.take("version").and_then(|field| field.version(out)),
        provider: provider.unwrap_or_default(),
        config: config.clone().unwrap_or_default(),
        limits: object
            .take("limits")
            .and_then(|field| Limits::decode(&field, out)),
        env: object.take("env").and_then(|field| passed(&field, out)),
        network: object.take("network").and_then(|field| reached(&field, out)),
        mounts: object.take("mounts").and_then(|field| field.list(out, mount)),
        identity: advice(
            object.take("identity"),
            "identity: commands run as the user of the host",
            out,
        ),
        policy: grants(object.take("policy"), out),
        lifecycle: object.take("lifecycle").and_then(|field| lifecycle(&field, out)),
        read_only: object.take("read_only").and_then(|field| read_only(&field, out)),
        metadata: object.take("metadata").and_then(|field| field.map(out)),
    };
    // A file may say what it is called; nothing hangs on it.
    for key in ["name", "description"] {
        object.take(key).and_then(|field| field.text(out));
    }
    object.shut(out);
    config.map(|_| block)
}

fn is_id(text: &str) -> bool {
    let part = |part: &str| STEP_ID.fits(part);
    let parts = text.strip_prefix('@').and_then(|rest| rest.split_once('/'));
    parts.is_some_and(|(owner, name)| part(owner) && part(name))
}

fn provider(field: &Field<'_>, out: &mut Complaints) -> Option<Spanned<String>> {
    let provider = field.line(64, out)?;
    if provider.as_str() != "local" {
        let what = format!("expected \"local\", got {}", crate::doc::fields::came(field.node));
        out.push(
            field
                .refuse(PROVIDER, what)
                .hint("write local: commands run on this machine only"),
        );
    }
    Some(provider)
}

fn config(field: &Field<'_>, out: &mut Complaints) -> Option<Map<String, Value>> {
    let mut object = field.open(out)?;
    object.take("cwd").and_then(|field| field.line(4096, out));
    let hint = "leave it out; a program that needs a shell can start one itself";
    object.misplaced("shell", "commands are never given to a shell", hint, out);
    object.shut(out);
    field.map(out)
}

fn passed(field: &Field<'_>, out: &mut Complaints) -> Option<Passed> {
    let mut object = field.open(out)?;
    let passed = Passed {
        auth: object.take("auth").and_then(|field| auth(&field, out)),
        passthrough: entries::variables(object.take("passthrough"), out),
    };
    object.shut(out);
    Some(passed)
}

fn auth(field: &Field<'_>, out: &mut Complaints) -> Option<Auth> {
    let mut object = field.open(out)?;
    let inventory = object.take("ref").and_then(|field| field.reference(out));
    let state = object.take("state").and_then(|field| {
        let mut object = field.open(out)?;
        let env = entries::variables(object.take("env"), out);
        object.shut(out);
        Some(AuthState { env })
    });
    object.shut(out);
    Some(Auth { inventory, state })
}

fn reached(field: &Field<'_>, out: &mut Complaints) -> Option<Reached> {
    let mut object = field.open(out)?;
    let egress = entries::hosts(object.take("egress"), out);
    object.shut(out);
    Some(Reached { egress })
}

fn mount(field: &Field<'_>, out: &mut Complaints) -> Option<Mount> {
    let mut object = field.open(out)?;
    let source = object.need("source", out).and_then(|field| source(&field, out));
    let at = object.need("at", out).and_then(|field| {
        let hint = "write a path that starts with '/'";
        field.shaped(|text| text.starts_with('/'), "an absolute path", hint, out)
    });
    let modes = [
        ("read-write", MountMode::ReadWrite),
        ("read-only", MountMode::ReadOnly),
    ];
    let mode = object.take("mode").and_then(|field| field.choice(&modes, out));
    object.shut(out);
    Some(Mount {
        source: source?,
        at: at?,
        mode,
    })
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

fn lifecycle(field: &Field<'_>, out: &mut Complaints) -> Option<Lifecycle> {
    let mut object = field.open(out)?;
    let mut event = |key| {
        let event = object.take(key).and_then(|field| field.line(256, out));
        event.map(|event| event.value)
    };
    let lifecycle = Lifecycle {
        pause_after_idle: event("pause_after_idle"),
        destroy_on: event("destroy_on"),
    };
    object.shut(out);
    let what = "it is advice: every command has a sandbox of its own";
    out.push(
        NO_EFFECT
            .note(field.span(), format!("{}: {what}", field.path))
            .hint("leave it out"),
    );
    Some(lifecycle)
}

fn read_only(field: &Field<'_>, out: &mut Complaints) -> Option<bool> {
    let truth = field.truth(out)?;
    if truth {
        let what = "no command may run in this sandbox";
        out.push(
            field
                .warn(NO_EFFECT, what)
                .hint("leave it out, and make the mounts read-only instead"),
        );
    }
    Some(truth)
}

fn advice(field: Option<Field<'_>>, what: &str, out: &mut Complaints) -> Option<Value> {
    let field = field?;
    out.push(NO_EFFECT.note(field.span(), what).hint("leave it out"));
    Some(field.node.to_json())
}

fn grants(field: Option<Field<'_>>, out: &mut Complaints) -> Option<Value> {
    let field = field?;
    let what = "grants on sandbox actions cannot be enforced here";
    out.push(
        field
            .refuse(MISPLACED, what)
            .hint("say what is allowed with mounts, network and limits"),
    );
    Some(field.node.to_json())
}
