//! The parts of a tool's contract.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::rules::CLASS;
use crate::declare::{AnyText, Decode, List, Prose, Whole, manifest, own, words};
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Closed, Field, Reference, SHELL, VALUE, is_operator};
use crate::sandbox_block::Limits;

/// Classes of change that are in use.
const CLASSES: [&str; 7] = [
    "workspace",
    "network",
    "database",
    "secret",
    "external",
    "storage",
    "sandbox",
];
/// The most words of a template.
const MAX_WORDS: usize = 256;

/// Something that a tool changes: `external:github.com`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutation {
    /// What kind of thing.
    pub class: String,
    /// Which.
    pub scope: String,
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.class, self.scope)
    }
}

impl Serialize for Mutation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Mutation {
    fn schema_name() -> Cow<'static, str> {
        "Mutation".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": r"^[a-z]+:[^\s]+$"})
    }
}

/// Who is asked before the tool runs, from fewest to most.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Approval {
    /// Nobody.
    Auto,
    /// A person, if anything is changed.
    OnMutate,
    /// A person.
    Always,
    /// Whoever a policy names.
    Policy(String),
}

impl Serialize for Approval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::OnMutate => serializer.serialize_str("on-mutate"),
            Self::Always => serializer.serialize_str("always"),
            Self::Policy(policy) => serializer.collect_str(&format_args!("policy:{policy}")),
        }
    }
}

impl JsonSchema for Approval {
    fn schema_name() -> Cow<'static, str> {
        "Approval".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^(auto|always|on-mutate|policy:[A-Za-z0-9_./-]+)$"})
    }
}

words! {
    /// What a call costs.
    pub enum CostClass {
        /// Nothing worth mentioning.
        Trivial = "trivial",
        /// Something that is counted.
        Metered = "metered",
        /// Much.
        Expensive = "expensive",
    }

    /// How pauses between attempts grow.
    pub enum Backoff {
        /// Not at all.
        Fixed = "fixed",
        /// They double.
        Exponential = "exponential",
    }

    /// A way to run a tool.
    pub enum DriverKind {
        /// A program.
        Cli = "cli",
        /// A service.
        Http = "http",
        /// A server of MCP.
        Mcp = "mcp",
        /// A library.
        Sdk = "sdk",
        /// The host itself.
        Builtin = "builtin",
    }
}

manifest! {
    /// When and how often a failed call is tried again.
    #[derive(Eq)]
    pub struct Retry closed {
        /// How often, the first time included.
        need max_attempts: u64 as Whole<1, 20>,
        /// How the pauses grow.
        need backoff: Backoff,
        /// The first pause.
        may initial_ms: Option<u64> as Whole,
    }

    /// What a tool needs.
    #[derive(Default)]
    pub struct Needs("ToolNeeds") closed {
        /// Hosts.
        may network: Vec<Spanned<String>> as List<AnyText>,
        /// Secrets.
        may secrets: Vec<Spanned<String>> as List<AnyText>,
        /// Other tools.
        may tools: Vec<Spanned<String>> as List<AnyText>,
    }

    /// Which ways will do.
    #[derive(Default)]
    pub struct DriverConstraints closed {
        /// These never.
        may forbid: Vec<DriverKind> as List,
        /// These only; none is any.
        may require_kind: Vec<DriverKind> as List,
    }

    /// A call and what comes of it.
    pub struct ToolExample closed {
        /// What it shows.
        need name: String as Prose<1, 2000>,
        /// What goes in.
        need input: Spanned<Value>,
        /// What comes out.
        may output: Option<Spanned<Value>>,
        /// What else is worth knowing.
        may note: Option<String> as AnyText,
    }

    /// AIP-29's own form: which bundle runs the tool, and with which words.
    #[derive(Default)]
    pub struct ToolRunner closed, before refuse_engine {
        /// The `CLI.md` of the bundle.
        may cli: Option<Reference>,
        /// The words after the program, with placeholders.
        may argv: Option<Vec<Spanned<String>>> as ArgvTemplate,
        /// How much a call may use, within what the bundle allows.
        may limits: Option<Limits>,
    }
}

fn refuse_engine(object: &mut Closed<'_>, out: &mut Complaints) {
    let why = "the bundle decides how its tools run";
    object.misplaced("engine", why, "say it under runner in CLI.md", out);
}

/// The words of a template: raw, but no operators of a shell.
pub(crate) struct ArgvTemplate;

impl Decode<ArgvTemplate> for Vec<Spanned<String>> {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let words = field.list(out, |item, out| {
            let word = item.text(out)?;
            if is_operator(&word) {
                let what = format!("expected an argument, got the shell's {}", Quoted(&word));
                let hint = "a template is one command; leave several steps to several tools";
                out.push(item.refuse(SHELL, what).hint(hint));
                return None;
            }
            Some(word)
        })?;
        if words.len() > MAX_WORDS {
            let what = format!("expected at most {MAX_WORDS} words, got {}", words.len());
            let hint = "use an array input for many values";
            out.push(field.refuse(VALUE, what).hint(hint));
            return None;
        }
        Some(words)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let word = <String as Decode<AnyText>>::schema(generator);
        json_schema!({"type": "array", "items": word, "maxItems": MAX_WORDS})
    }
}

own! {
    Mutation: |field, out| mutation(field, out);
    Approval: |field, out| approval(field, out);
}

fn mutation(field: &Field<'_>, out: &mut Complaints) -> Option<Mutation> {
    let text = field.line(1024, out)?;
    let parts = text.split_once(':').filter(|(class, scope)| {
        let letters = !class.is_empty() && class.bytes().all(|byte| byte.is_ascii_lowercase());
        letters && !scope.is_empty() && !scope.contains(char::is_whitespace)
    });
    let Some((class, scope)) = parts else {
        let hint = "write what kind of thing, ':', and which";
        out.push(
            field
                .expected("a change such as \"external:github.com\"")
                .hint(hint),
        );
        return None;
    };
    if !CLASSES.contains(&class) {
        let what = format!("nobody has used the class {} yet", Quoted(class));
        let complaint = field.warn(CLASS, what);
        out.push(match argrail_acli::nearest(class, CLASSES) {
            Some(near) => complaint.hint(format!("did you mean {}?", Quoted(near))),
            None => complaint.hint(format!("known are {}", CLASSES.join(", "))),
        });
    }
    Some(Mutation {
        class: class.to_owned(),
        scope: scope.to_owned(),
    })
}

fn approval(field: &Field<'_>, out: &mut Complaints) -> Option<Approval> {
    let text = field.line(256, out)?;
    if let Some(policy) = text.strip_prefix("policy:") {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
        if policy.is_empty() || !policy.chars().all(plain) {
            out.push(
                field
                    .expected("policy: and the name of one")
                    .hint("write policy:NAME"),
            );
            return None;
        }
        return Some(Approval::Policy(policy.to_owned()));
    }
    match text.as_str() {
        "auto" => Some(Approval::Auto),
        "on-mutate" => Some(Approval::OnMutate),
        "always" => Some(Approval::Always),
        _ => {
            let expected = "one of auto, on-mutate, always, policy:NAME";
            out.push(field.expected(expected).hint("write one of these words"));
            None
        }
    }
}
