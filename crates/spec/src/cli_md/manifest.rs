//! A `CLI.md` as a whole.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::auth::{self, Auth};
use super::commands::{self, CommandTree};
use super::consistency;
use super::example::{self, Example};
use super::install::{self, Install};
use super::output::{self, Output};
use super::requires::{self, Requires};
use super::rules::ACTIONS;
use super::setup::Persist;
use super::setup_step::{self, SetupStep};
use super::version_check::{self, VersionCheck};
use crate::declare::Decode;
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{
    Closed, CommandLine, Composable, Field, Head, IdShape, Loaded, ManifestVersion, Reference, Refused,
    TWICE, head, is_bundle_id, tags, texts_or_none,
};
use crate::runner_block::Runner;
use crate::sandbox_block::{self, SandboxBlock};

/// The bundle of one program.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CliMd {
    /// What people call it.
    #[schemars(length(min = 1, max = 80))]
    pub name: Spanned<String>,
    /// What programs call it.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9\-]{1,63}$"))]
    pub id: Spanned<String>,
    /// What it is for.
    #[schemars(length(min = 1, max = 2000))]
    pub description: Spanned<String>,
    /// The version of this manifest, not of the program.
    pub version: Spanned<ManifestVersion>,
    /// The program: a name on the search path, or with a slash a file of the bundle.
    #[schemars(regex(pattern = r"^[A-Za-z0-9._\-/]+$"))]
    pub bin: Spanned<String>,
    /// Arguments in front of every call's own.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub bin_args: Vec<Spanned<String>>,
    /// How it is installed, in this order.
    #[schemars(length(min = 1), with = "Vec<Install>")]
    #[serde(serialize_with = "install::or_open")]
    pub install: Vec<Install>,
    /// How its version is found and judged.
    pub version_check: VersionCheck,
    /// What is done once after installing.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub setup: Vec<SetupStep>,
    /// How one signs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth>,
    /// The process boundary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner: Option<Composable<Runner>>,
    /// What it may touch.
    pub sandbox: Composable<SandboxBlock>,
    /// How it prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Output>,
    /// Its subcommands.
    pub commands: CommandTree,
    /// Ready-made uses.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub intents: Vec<IntentRef>,
    /// Which machines it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires: Option<Requires>,
    /// What is typed for what.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub examples: Vec<Example>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(regex(pattern = r"^[a-z0-9][a-z0-9\-]{0,63}$")), extend("uniqueItems" = true))]
    pub tags: Vec<Spanned<String>>,
    /// A program of the bundle that does what the manifest cannot say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<Reference>,
    /// Anybody's own.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub metadata: Map<String, Value>,
}

/// A ready-made use.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IntentRef {
    /// Its `INTENT.md`.
    #[serde(rename = "ref")]
    pub reference: Reference,
}

impl CliMd {
    /// Returns the identity of the bundle, on which caches, audit and registrations hang: `gh@1`.
    pub fn identity(&self) -> String {
        format!("{}@{}", self.id.value, self.version.major())
    }

    /// Returns every command that the manifest would have run, beside calls: to check, to set up, to sign in.
    pub fn commands_run(&self) -> impl Iterator<Item = &CommandLine> {
        commands_run(&self.version_check, &self.setup, self.auth.as_ref())
    }
}

/// Returns every command that is run to check a program, to set it up and to sign in.
pub(crate) fn commands_run<'a>(
    version_check: &'a VersionCheck,
    setup: &'a [SetupStep],
    auth: Option<&'a Auth>,
) -> impl Iterator<Item = &'a CommandLine> {
    let setup = setup.iter().flat_map(|step| {
        let own = match step {
            SetupStep::Cmd(step) => Some(&step.cmd),
            SetupStep::Prompt(_) | SetupStep::Oauth(_) | SetupStep::External(_) => None,
        };
        let kept = match step.persist() {
            Some(Persist::Cmd(cmd)) => Some(cmd),
            Some(Persist::Env(_) | Persist::SecretSlug(_)) | None => None,
        };
        own.into_iter()
            .chain(step.skip_if().map(|skip| &skip.cmd))
            .chain(kept)
    });
    let auth = auth.into_iter().flat_map(|auth| {
        let login = auth.login.as_ref();
        let check = login.and_then(|login| login.completes_when.as_ref());
        let refresh = auth.refresh.as_ref().map(|refresh| &refresh.cmd);
        let login = login.map(|login| &login.cmd);
        login
            .into_iter()
            .chain(check.map(|check| &check.cmd))
            .chain(refresh)
    });
    std::iter::once(&version_check.cmd).chain(setup).chain(auth)
}

/// Reads a `CLI.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<CliMd>, Refused> {
    crate::manifest::load(text, decode)
}

/// The id of a bundle.
const ID: IdShape = (
    is_bundle_id,
    "an id such as \"gh\"",
    "use 2 to 64 small letters, digits and '-'",
);

pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<CliMd> {
    let mut object = field.open(out)?;
    let head = head(&mut object, ID, out);
    let bin = object.need("bin", out).and_then(|field| bin(&field, out));
    let bin_args = texts_or_none(object.take("bin_args"), out);
    let install = object
        .need("install", out)
        .and_then(|field| install::decode_or_open(&field, out));
    let version_check = object
        .need("version_check", out)
        .and_then(|field| version_check::decode(&field, out));
    let setup = object
        .take("setup")
        .and_then(|field| setup_step::decode(&field, out));
    let auth = object.take("auth").and_then(|field| auth::decode(&field, out));
    let runner = object
        .take("runner")
        .and_then(|field| Decode::decode(&field, out));
    let sandbox = object
        .need("sandbox", out)
        .and_then(|field| field.composable(out, sandbox_block::decode));
    let output = object
        .take("output")
        .and_then(|field| output::decode(&field, out));
    let commands = object
        .need("commands", out)
        .and_then(|field| commands::decode(&field, out));
    let intents = intents(&mut object, out);
    let requires = object
        .take("requires")
        .and_then(|field| requires::decode(&field, out));
    let examples = object
        .take("examples")
        .and_then(|field| field.list(out, example::decode));
    let tags = tags(object.take("tags"), out);
    let entry = object.take("entry").and_then(|field| field.root_reference(out));
    let metadata = object.take("metadata").and_then(|field| field.map(out));
    misplaced(&mut object, out);
    object.shut(out);
    let Head {
        name,
        id,
        description,
        version,
    } = head?;
    let manifest = CliMd {
        name,
        id,
        description,
        version,
        bin: bin?,
        bin_args: bin_args.unwrap_or_default(),
        install: install?,
        version_check: version_check?,
        setup: setup.unwrap_or_default(),
        auth,
        runner,
        sandbox: sandbox?,
        output,
        commands: commands?,
        intents,
        requires,
        examples: examples.unwrap_or_default(),
        tags,
        entry,
        metadata: metadata.unwrap_or_default(),
    };
    consistency::check(&manifest, field, out);
    Some(manifest)
}

/// Complains about what the draft leaves to runners and tools.
fn misplaced(object: &mut Closed<'_>, out: &mut Complaints) {
    let rows = [
        (
            "shell",
            "no command of a bundle is given to a shell",
            "leave it out",
        ),
        (
            "env",
            "variables are the sandbox's",
            "list them in sandbox.env.pass, or set them in sandbox.env.set",
        ),
        ("cwd", "a call runs in the caller's folder", "leave it out"),
    ];
    for (key, why, hint) in rows {
        object.misplaced(key, why, hint, out);
    }
}

/// Reads the program: one word, and with a slash a file of the bundle.
pub(crate) fn bin(field: &Field<'_>, out: &mut Complaints) -> Option<Spanned<String>> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let is_bin = |text: &str| {
        !text.is_empty()
            && text.len() <= 255
            && !text.starts_with('-')
            && text.chars().all(plain)
            && !matches!(text, "." | "..")
    };
    let hint = "write the name of the program, one word";
    let bin = field.shaped(is_bin, "the name of a program", hint, out)?;
    if bin.contains('/') {
        field.root_reference(out)?;
    }
    Some(bin)
}

/// Reads the ready-made uses, under either of their names.
fn intents(object: &mut Closed<'_>, out: &mut Complaints) -> Vec<IntentRef> {
    let intents = object.take("intents");
    let actions = object.take("actions");
    if let Some(actions) = &actions {
        if intents.is_some() {
            let what = "it is the old name of intents, which is there, too";
            out.push(actions.refuse(TWICE, what).hint("put all of them under intents"));
        } else {
            let what = format!("{}: the draft's text calls it intents", actions.path);
            out.push(ACTIONS.note(actions.span(), what).hint("write intents"));
        }
    }
    let list = intents.or(actions).and_then(|field| {
        field.list(out, |item, out| {
            let mut object = item.open(out)?;
            let reference = object
                .need("ref", out)
                .and_then(|field| field.root_reference(out));
            object.shut(out);
            reference.map(|reference| IntentRef { reference })
        })
    });
    list.unwrap_or_default()
}
