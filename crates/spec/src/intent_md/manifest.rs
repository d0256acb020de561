//! An `INTENT.md` as a whole.

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::input_field::{InputField, scalar};
use super::local_text::{Local, LocalText, Phrases};
use super::rules::{ROUTE, SCOPE, UNSUPPORTED};
use super::when::When;
use crate::declare::{
    AnyText, ByName, DOTTED_ID, Decode, Line, List, NO_CONTROL, Own, Set, Tag, Within, manifest, name, own,
    texts, words,
};
use crate::doc::fields::{Complaints, Quoted};
use crate::doc::{Span, Spanned};
use crate::manifest::{Closed, Field, Loaded, ManifestVersion, Reference, Refused, TWICE, VALUE};
use crate::tool_md::{CostClass, Needs};

manifest! {
    /// What a user wants.
    pub struct IntentMd closed {
        /// What it is called inside.
        need name: LocalText as Local<80>,
        /// What programs call it.
        need id: Spanned<String> as IntentId,
        /// What stands on a button.
        need label: LocalText as Local<120>,
        /// What it does, for users.
        need description: LocalText as Local<500>,
        /// The version of this manifest.
        need version: Spanned<ManifestVersion>,
        /// What users say.
        need intent: Phrases,
        /// Where it is offered; nowhere is for programs only.
        need surfaces: Vec<Surface> as Set,
        /// What is asked for.
        may inputs: Vec<InputField> as List => check_inputs,
        /// What comes out.
        may outputs: Option<Outputs>,
        /// Code that routes.
        may entry: Option<Reference>,
        /// What does it.
        need implements: Vec<Implementation> as Routes,
        /// What a call costs.
        may cost_class: Option<CostClass>,
        /// What is counted.
        may quota_key: Option<String> as QuotaKey,
        /// What it needs.
        may requires: Option<Needs>,
        /// The inventory of secrets.
        may auth: Option<Reference>,
        /// Other ways that some users get.
        may experiments: Vec<Experiment> as List,
        /// Whom it is for.
        may scope: Option<Scope> => check_scope,
        /// The intent that it hides.
        may disable: Option<String> as HiddenIntent,
        /// What it looks like.
        may preview: Option<String> as AnyText,
        /// Words to find it by.
        may tags: Vec<Spanned<String>> as Set<Tag>,
        /// What users say, with what is meant.
        may examples: Vec<IntentExample> as List,
        /// Anybody's own.
        may metadata: Map<String, Value>,
    }

    /// What comes out.
    #[derive(Eq)]
    pub struct Outputs("IntentOutputs") closed {
        /// What it is.
        need kind("type"): OutputKind,
        /// How it is shown.
        may template: Option<String> as AnyText,
    }

    /// Another way that some users get.
    pub struct Experiment closed, before tell_experiment {
        /// What it is called.
        need id: String as ExperimentId,
        /// Which part of the users.
        need weight: f64 as Within<0, 1>,
        /// When.
        may when: Option<When>,
        /// What does it.
        need implements: Vec<Implementation> as Routes,
    }

    /// What a user says.
    pub struct IntentExample closed {
        /// Their words.
        need user: LocalText as Local<2000>,
        /// What is meant.
        may note: Option<LocalText> as Local<2000>,
    }

    /// Where the value of an input comes from, perhaps through code.
    #[derive(Eq)]
    pub struct MappedFrom closed {
        /// Which input.
        need from: String as Line<256>,
        /// Which code.
        may transform: Option<String> as Line<256> => tell_transform,
    }
}

words! {
    /// Where an intent is offered.
    pub enum Surface("surface") {
        /// In a conversation.
        Chat = "chat",
        /// In a menu.
        Menu = "menu",
        /// Spoken.
        Voice = "voice",
        /// By a key.
        Shortcut = "shortcut",
        /// To programs.
        Api = "api",
    }

    /// Whom an intent is for.
    pub enum Scope {
        /// Everybody.
        App = "app",
        /// Those who pay for it.
        Tier = "tier",
        /// One user.
        User = "user",
        /// A group.
        Guild = "guild",
        /// A workspace.
        Workspace = "workspace",
        /// Who runs it.
        Operator = "operator",
    }

    /// What comes out of an intent.
    pub enum OutputKind {
        /// Text.
        Text = "text",
        /// A picture.
        Image = "image",
        /// Text with marks.
        Markdown = "markdown",
        /// A file.
        File = "file",
        /// Something else.
        Custom = "custom",
    }
}

const ID_HINT: &str = "use 2 to 80 small letters, digits, '-' and '.'";

texts! {
    /// The id of an intent.
    IntentId = DOTTED_ID, "an id such as \"gh.open-pr\"", ID_HINT;
    /// The id of an intent that another one hides.
    HiddenIntent = DOTTED_ID, "the id of an intent", ID_HINT;
    /// The id of an experiment.
    ExperimentId = name("a-z0-9", "a-z0-9.-", "a-z0-9.-", 2..=64), "an id", ID_HINT;
    /// What a quota is counted by.
    QuotaKey = name("a-z0-9", "a-z0-9.-", "a-z0-9.-", 2..=128),
        "a key such as \"images.create\"", "use small letters, digits, '-' and '.'";
}

/// One way to do it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Implementation {
    /// What does it.
    #[serde(flatten)]
    pub target: Target,
    /// Whether it is taken when no other fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<bool>,
    /// When it is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// Where each input goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mapping: Option<IndexMap<String, Mapped>>,
}

/// What does it: exactly one of these.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// A tool: the path of its file, or its id.
    Tool(#[schemars(length(min = 1, max = 1024), regex(pattern = NO_CONTROL))] Spanned<String>),
    /// A workflow. Not run here.
    Workflow(#[schemars(length(min = 1, max = 1024), regex(pattern = NO_CONTROL))] Spanned<String>),
    /// Code. Not run here.
    Entry(#[schemars(length(min = 1, max = 1024), regex(pattern = NO_CONTROL))] Spanned<String>),
}

/// Where an input goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Mapped {
    /// To the tool's input of this name.
    Name(#[schemars(length(min = 1, max = 256), regex(pattern = NO_CONTROL))] String),
    /// From an input, perhaps through code.
    From(MappedFrom),
}

own! {
    Mapped: |field, out| match field.node.as_object() {
        Some(_) => MappedFrom::decode(field, out).map(Mapped::From),
        None => Decode::<Line<256>>::decode(field, out).map(Mapped::Name),
    };
    Implementation: |field, out| implementation(field, out);
}

/// Reads an `INTENT.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<IntentMd>, Refused> {
    crate::manifest::load(text, IntentMd::decode)
}

fn tell_transform(_: &Option<String>, field: &Field<'_>, out: &mut Complaints) {
    let what = "code that changes a value is not run here; the value goes through as it is";
    let hint = "leave it out, and let the tool take the value";
    out.push(field.warn(UNSUPPORTED, what).hint(hint));
}

fn tell_experiment(object: &mut Closed<'_>, out: &mut Complaints) {
    let what = "experiments are not run: everybody gets the first way that fits";
    out.push(object.field().warn(UNSUPPORTED, what).hint("leave it out"));
}

fn check_scope(scope: &Option<Scope>, field: &Field<'_>, out: &mut Complaints) {
    if *scope != Some(Scope::App) {
        let what = "there is one user here, so it counts as app";
        out.push(field.warn(SCOPE, what).hint("write app, or leave it out"));
    }
}

fn check_inputs(inputs: &[InputField], field: &Field<'_>, out: &mut Complaints) {
    for (index, input) in inputs.iter().enumerate() {
        if inputs.iter().take(index).any(|other| other.name == input.name) {
            let what = format!("{}: the name {} stands twice", field.path, Quoted(&input.name));
            let hint = "give each input a name of its own";
            out.push(TWICE.error(input.name.span, what).hint(hint));
        }
    }
}

/// The ways to do it: at most one default, and none that hides the rest.
struct Routes;

impl Decode<Routes> for Vec<Implementation> {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let items = field.some_items(out)?;
        let mut all = Self::new();
        let mut hidden = false;
        for item in &items {
            let Some(one) = implementation(item, out) else {
                continue;
            };
            let is_default = one.default == Some(true);
            if is_default && all.iter().any(|other| other.default == Some(true)) {
                out.push(
                    item.refuse(ROUTE, "there are two defaults")
                        .hint("keep one of them"),
                );
            } else if hidden && !is_default {
                let what = "it is never taken: one before it has no conditions";
                out.push(
                    item.warn(ROUTE, what)
                        .hint("give the one before it a when, or default: true"),
                );
            }
            hidden |= !is_default && one.when.is_none();
            all.push(one);
        }
        let any_default = all.iter().any(|one| one.default == Some(true));
        if !any_default && !hidden && !all.is_empty() {
            let what = format!("{}: an input that fits no condition leads nowhere", field.path);
            out.push(ROUTE.note(field.span(), what).hint("mark one with default: true"));
        }
        Some(all)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        <Self as Decode<List<Own, 1>>>::schema(generator)
    }
}

fn implementation(field: &Field<'_>, out: &mut Complaints) -> Option<Implementation> {
    let mut object = field.open(out)?;
    let target = target(&mut object, out);
    let default = object.take("default").and_then(|field| field.truth(out));
    let when = object.take("when").and_then(|field| Decode::decode(&field, out));
    let mapping = object
        .take("mapping")
        .and_then(|field| Decode::<ByName>::decode(&field, out));
    object.shut(out);
    Some(Implementation {
        target: target?,
        default,
        when,
        mapping,
    })
}

fn target(object: &mut Closed<'_>, out: &mut Complaints) -> Option<Target> {
    let kinds = ["tool", "workflow", "entry", "action"];
    let given = kinds.into_iter().filter(|key| object.has(key)).count();
    let tool = object.take("tool").and_then(|field| field.line(1024, out));
    let workflow = object.take("workflow");
    let entry = object.take("entry");
    // The draft's text has it, its schema does not.
    let action = object.take("action").and_then(|field| field.line(1024, out));
    for field in [&workflow, &entry].into_iter().flatten() {
        let what = "argrail runs tools of bundles only; this way is never taken";
        out.push(field.warn(UNSUPPORTED, what).hint("name a tool"));
    }
    let mut text = |field: Option<Field<'_>>| field.and_then(|field| field.line(1024, out));
    let (workflow, entry) = (text(workflow), text(entry));
    if given != 1 {
        let what = format!("expected exactly one of tool, workflow and entry, got {given}");
        out.push(
            object
                .field()
                .refuse(VALUE, what)
                .hint("write one entry for each way"),
        );
        return None;
    }
    let tool = tool.or(action).map(Target::Tool);
    tool.or(workflow.map(Target::Workflow))
        .or(entry.map(Target::Entry))
}

impl IntentMd {
    /// Returns what a text means as the value of an input: what the type of the input makes of it. Where no input has
    /// the name, a number or a truth is one, if nothing of the text is lost.
    pub fn typed(&self, name: &str, text: &str) -> Value {
        match self.inputs.iter().find(|field| field.name.as_str() == name) {
            Some(field) => field.typed(text),
            None => scalar(text)
                .filter(|read| read.to_string().as_str() == text)
                .unwrap_or_else(|| text.into()),
        }
    }

    /// Returns what is sent on of what a user gave: declared inputs that are shown, with their defaults. An intent that
    /// declares none sends everything.
    pub fn sent(&self, given: &Map<String, Value>) -> Map<String, Value> {
        if self.inputs.is_empty() {
            return given.clone();
        }
        let mut all = Map::new();
        for field in &self.inputs {
            let own = given.get(field.name.as_str()).filter(|value| !value.is_null());
            if let Some(value) = own.or(field.default.as_ref()) {
                all.insert(field.name.value.clone(), value.clone());
            }
        }
        let is_shown = |name: &str| {
            let field = self.inputs.iter().find(|field| field.name.as_str() == name);
            let depends = field.and_then(|field| field.depends_on.as_ref());
            depends.is_none_or(|depends| depends.matches(&all))
        };
        all.iter()
            .filter(|(name, _)| is_shown(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Picks the implementation for an input: the first whose conditions hold, else the default, else none.
    pub fn route(&self, input: &Map<String, Value>) -> Option<&Implementation> {
        let fits = |one: &&Implementation| {
            one.default != Some(true) && one.when.as_ref().is_none_or(|when| when.matches(input))
        };
        let first = self.implements.iter().find(fits);
        first.or_else(|| self.implements.iter().find(|one| one.default == Some(true)))
    }
}

impl Target {
    /// Returns the tool, if it is one.
    pub fn tool(&self) -> Option<&Spanned<String>> {
        match self {
            Self::Tool(tool) => Some(tool),
            Self::Workflow(_) | Self::Entry(_) => None,
        }
    }

    /// Returns where it is named.
    pub fn span(&self) -> Span {
        match self {
            Self::Tool(name) | Self::Workflow(name) | Self::Entry(name) => name.span,
        }
    }
}
