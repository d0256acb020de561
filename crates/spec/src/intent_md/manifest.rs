//! An `INTENT.md` as a whole.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::input_field::{InputField, scalar};
use super::local_text::{LocalText, Phrases};
use super::when::When;
use crate::doc::{Span, Spanned};
use crate::manifest::{ManifestVersion, Reference};
use crate::tool_md::{CostClass, Needs};

/// What a user wants.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IntentMd {
    /// What it is called inside.
    pub name: LocalText,
    /// What programs call it.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9.\-]{1,79}$"))]
    pub id: Spanned<String>,
    /// What stands on a button.
    pub label: LocalText,
    /// What it does, for users.
    pub description: LocalText,
    /// The version of this manifest.
    pub version: Spanned<ManifestVersion>,
    /// What users say.
    pub intent: Phrases,
    /// Where it is offered; nowhere is for programs only.
    #[schemars(extend("uniqueItems" = true))]
    pub surfaces: Vec<Surface>,
    /// What is asked for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub inputs: Vec<InputField>,
    /// What comes out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Outputs>,
    /// Code that routes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<Reference>,
    /// What does it.
    #[schemars(length(min = 1))]
    pub implements: Vec<Implementation>,
    /// What a call costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_class: Option<CostClass>,
    /// What is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9.\-]{1,127}$"))]
    pub quota_key: Option<String>,
    /// What it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires: Option<Needs>,
    /// The inventory of secrets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<Reference>,
    /// Other ways that some users get.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub experiments: Vec<Experiment>,
    /// Whom it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// The intent that it hides.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9.\-]{1,79}$"))]
    pub disable: Option<String>,
    /// What it looks like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(regex(pattern = r"^[a-z0-9][a-z0-9\-]{0,63}$")), extend("uniqueItems" = true))]
    pub tags: Vec<Spanned<String>>,
    /// What users say, with what is meant.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub examples: Vec<IntentExample>,
    /// Anybody's own.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub metadata: Map<String, Value>,
}

/// Where an intent is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// In a conversation.
    Chat,
    /// In a menu.
    Menu,
    /// Spoken.
    Voice,
    /// By a key.
    Shortcut,
    /// To programs.
    Api,
}

/// Whom an intent is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Everybody.
    App,
    /// Those who pay for it.
    Tier,
    /// One user.
    User,
    /// A group.
    Guild,
    /// A workspace.
    Workspace,
    /// Who runs it.
    Operator,
}

/// What comes out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "IntentOutputs")]
pub struct Outputs {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: OutputKind,
    /// How it is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
}

/// What comes out of an intent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OutputKind {
    /// Text.
    Text,
    /// A picture.
    Image,
    /// Text with marks.
    Markdown,
    /// A file.
    File,
    /// Something else.
    Custom,
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
    Tool(Spanned<String>),
    /// A workflow. Not run here.
    Workflow(Spanned<String>),
    /// Code. Not run here.
    Entry(Spanned<String>),
}

/// Where an input goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Mapped {
    /// To the tool's input of this name.
    Name(String),
    /// From an input, perhaps through code.
    From {
        /// Which.
        from: String,
        /// Which code.
        #[serde(skip_serializing_if = "Option::is_none")]
        transform: Option<String>,
    },
}

/// Another way that some users get.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// What it is called.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9.\-]{1,63}$"))]
    pub id: String,
    /// Which part of the users.
    #[schemars(range(min = 0, max = 1))]
    pub weight: f64,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// What does it.
    #[schemars(length(min = 1))]
    pub implements: Vec<Implementation>,
}

/// What a user says.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IntentExample {
    /// It.
    pub user: LocalText,
    /// What is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<LocalText>,
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
