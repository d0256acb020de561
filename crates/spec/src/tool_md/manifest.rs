//! A `TOOL.md` as a whole.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::contract::{
    Approval, ArgvTemplate, CostClass, DriverConstraints, Mutation, Needs, Retry, ToolExample, ToolRunner,
};
use super::rules::{APPROVAL, RISK};
use super::schemas::{self, NamedInputs, UsableSchema};
use crate::cli_md::Output;
use crate::declare::{
    DOTTED_ID, Decode, Line, List, Own, Prose, Set, Tag, Whole, manifest, name, peek, texts,
};
use crate::doc::fields::Complaints;
use crate::doc::{Span, Spanned};
use crate::manifest::{Closed, Field, Loaded, ManifestVersion, Refused};
use crate::sandbox_block::Narrowing;

manifest! {
    /// The contract of one callable.
    pub struct ToolMd closed, before check_names, check check_whole {
        /// What people call it.
        need name: Spanned<String> as Line<80>,
        /// What programs call it.
        need id: Spanned<String> as ToolId,
        /// What it is for.
        need description: Spanned<String> as Prose<1, 2000>,
        /// The version of this manifest.
        need version: Spanned<ManifestVersion>,
        /// JSON Schema of what goes in.
        need inputs: Spanned<Value> as NamedInputs,
        /// JSON Schema of what comes out.
        need outputs: Spanned<Value> as UsableSchema,
        /// Whether a second call changes nothing more.
        may idempotent: Option<bool>,
        /// What it changes.
        may mutates: Vec<Spanned<Mutation>> as List,
        /// What it needs.
        may requires: Option<Needs>,
        /// Who is asked, as it is written.
        may approval: Option<Approval>,
        /// From 0, reading, to 3, which cannot be undone.
        may risk_level: Option<u8> as Whole<0, 3>,
        /// What a call costs.
        may cost_class: Option<CostClass>,
        /// How long a call may take.
        may timeout_ms: Option<Spanned<u64>> as Whole<1>,
        /// When a failed call is tried again.
        may retry: Option<Retry>,
        /// The driver to prefer.
        may default_implementation: Option<String> as IdOrNull,
        /// Which drivers will do.
        may driver_constraints: Option<DriverConstraints>,
        /// Words to find it by.
        may tags: Vec<Spanned<String>> as Set<Tag>,
        /// Calls and what comes of them.
        may examples: Vec<ToolExample> as List,
        /// AIP-29's own form of the template.
        may runner: Option<ToolRunner>,
        /// What the tool may not touch though its bundle may.
        may sandbox: Option<Narrowing>,
        /// Where that stands.
        derived sandbox_span: Option<Span>,
        /// How this subcommand prints, where it differs.
        may output: Option<Output>,
        /// Anybody's own. `metadata.cli.{argv,bin_args}` are ours.
        may metadata: Map<String, Value> => check_templates,
        /// `metadata.cli.argv` with places.
        derived cli_argv: Option<Vec<Spanned<String>>>,
        /// `metadata.cli.bin_args`, which replace those of the bundle.
        derived cli_bin_args: Option<Vec<Spanned<String>>>,
    }
}

texts! {
    /// The id of a tool: dots are namespaces, and it ends in a letter or digit.
    ToolId = name("a-z0-9", "a-z0-9.-", "a-z0-9", 2..=80),
        "an id such as \"gh.pr-create\"", "use 2 to 80 small letters, digits, '-' and '.'";
    /// The id of a driver.
    PreferredDriver = DOTTED_ID, "the id of a driver", "use small letters, digits, '-' and '.'";
}

/// The driver to prefer; `null` is none.
struct IdOrNull;

impl Decode<IdOrNull> for Option<String> {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        match field.node.value {
            crate::doc::Value::Null => None,
            _ => Decode::<PreferredDriver>::decode(field, out),
        }
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let id = <String as Decode<PreferredDriver>>::schema(generator);
        json_schema!({"anyOf": [id, {"type": "null"}]})
    }
}

/// Reads a `TOOL.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<ToolMd>, Refused> {
    crate::manifest::load(text, ToolMd::decode)
}

/// Complains about what AIP-30 took out of the contract, and holds what is changed against who is asked.
fn check_names(object: &mut Closed<'_>, out: &mut Complaints) {
    let rows = [
        (
            "code",
            "a contract holds no code",
            "name a driver, or an entry of the bundle",
        ),
        (
            "run",
            "a contract says what, not how",
            "write the words under metadata.cli.argv",
        ),
        (
            "entry",
            "a contract names no program",
            "name it in the CLI.md of the bundle",
        ),
        (
            "secrets",
            "a tool inherits the secrets of its bundle",
            "list what it needs under requires.secrets",
        ),
        (
            "network",
            "hosts are the sandbox's",
            "narrow sandbox.network.egress, or list hosts under requires.network",
        ),
        (
            "runtime",
            "it is the old name of runner",
            "write the limits under runner.limits",
        ),
    ];
    for (key, why, hint) in rows {
        object.misplaced(key, why, hint, out);
    }
    judge(object, out);
}

/// Reads the templates of the metadata.
fn templates(metadata: &Field<'_>, out: &mut Complaints) -> Option<[Option<Vec<Spanned<String>>>; 2]> {
    let mut cli = metadata.member("cli")?.open(out)?;
    Some(["argv", "bin_args"].map(|key| Decode::<ArgvTemplate>::decode(&cli.take(key)?, out)))
}

fn check_templates(_: &Map<String, Value>, metadata: &Field<'_>, out: &mut Complaints) {
    templates(metadata, out);
}

fn check_whole(tool: &mut ToolMd, field: &Field<'_>, out: &mut Complaints) {
    let metadata = field.member("metadata");
    let read = metadata.and_then(|metadata| templates(&metadata, &mut Complaints::default()));
    [tool.cli_argv, tool.cli_bin_args] = read.unwrap_or_default();
    tool.sandbox_span = field.member("sandbox").map(|sandbox| sandbox.span());
    for one in &tool.examples {
        schemas::example(&tool.inputs, &one.name, &one.input, out);
    }
}

/// Holds what is changed against who is asked and what is risked.
fn judge(object: &Closed<'_>, out: &mut Complaints) {
    let mutates = peek::<Vec<Spanned<Mutation>>, List>(object, "mutates").unwrap_or_default();
    let Some(first) = mutates.first() else { return };
    match peek::<Spanned<Approval>, Own>(object, "approval") {
        Some(approval) if approval.value == Approval::Auto => {
            let what = "approval: it changes something, so it is read as on-mutate";
            out.push(APPROVAL.warning(approval.span, what).hint("write on-mutate"));
        }
        Some(_) => {}
        None => {
            let what =
                "mutates: it changes something and says nothing about approval, so it is read as on-mutate";
            out.push(APPROVAL.warning(first.span, what).hint("add approval: on-mutate"));
        }
    }
    let risk = peek::<Spanned<u64>, Whole<0, 3>>(object, "risk_level");
    if let Some(risk) = risk.filter(|risk| risk.value == 0) {
        let what = "risk_level: 0 is reading, and the tool changes something";
        let hint = "write 1 for a change in one place, 2 for one outside, 3 if it cannot be undone";
        out.push(RISK.warning(risk.span, what).hint(hint));
    }
}

impl ToolMd {
    /// The time that a call may take when nothing is said.
    pub const TIMEOUT_MS: u64 = 30_000;

    /// Returns the words of the argv template, raw: `metadata.cli.argv`, else `runner.argv`. Without one, the words are
    /// made of the subcommand and the inputs.
    pub fn argv(&self) -> Option<&[Spanned<String>]> {
        let seed = self.runner.as_ref().and_then(|runner| runner.argv.as_deref());
        self.cli_argv.as_deref().or(seed)
    }

    /// Returns who is asked: a tool that changes something and says `auto`, or nothing, is read as on-mutate.
    pub fn effective_approval(&self) -> Approval {
        match &self.approval {
            None | Some(Approval::Auto) if !self.mutates.is_empty() => Approval::OnMutate,
            None => Approval::Auto,
            Some(approval) => approval.clone(),
        }
    }

    /// Returns how long a call may take.
    pub fn timeout_ms(&self) -> u64 {
        self.timeout_ms
            .as_ref()
            .map_or(Self::TIMEOUT_MS, |timeout| timeout.value)
    }

    /// Returns the names of its inputs, if its schema lists them.
    pub fn input_names(&self) -> Option<Vec<&str>> {
        let properties = self.inputs.get("properties")?.as_object()?;
        Some(properties.keys().map(String::as_str).collect())
    }

    /// Whether there are no other inputs than those of its schema: nobody gets around it with words of the program's own.
    pub fn is_closed(&self) -> bool {
        let is_false = |key: &str| self.inputs.get(key) == Some(&Value::Bool(false));
        is_false("additionalProperties") || is_false("unevaluatedProperties")
    }

    /// Returns the identity of the contract: `gh.pr-create@1`.
    pub fn identity(&self) -> String {
        format!("{}@{}", self.id.value, self.version.major())
    }

    /// Returns where the sandbox block of a widening stands: the entry, the block, or else the id of the tool.
    pub fn place_of(&self, widening: &crate::sandbox_block::Widening) -> Span {
        let narrowing = self.sandbox.as_ref();
        narrowing
            .and_then(|narrowing| narrowing.place(widening))
            .or(self.sandbox_span)
            .unwrap_or(self.id.span)
    }
}
