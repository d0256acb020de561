//! AIP-45 `models`: which models the agent may use, and which variables that takes.

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::rules::EXTRA;
use crate::declare::{ByName, Decode, ENV_NAME, Line, NO_CONTROL, Set, manifest, texts};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::Field;

/// The longest id of a model.
pub(super) const MAX_MODEL_CHARS: usize = 256;

manifest! {
    /// Which models there are.
    #[derive(Default)]
    pub struct Models closed {
        /// The one that the agent is told unless somebody chooses.
        may default: Option<Spanned<String>> as Line<MAX_MODEL_CHARS>,
        /// Those that may be chosen; absent is any.
        may allowed: Option<Vec<AllowedModel>> as Set,
        /// Variables by slot. The slot `model` names the one that holds the id of the model; every other names one that
        /// holds a key and comes from the caller.
        may env: IndexMap<String, Spanned<String>> as ByName<KeyVariable>,
        /// How an adapter tells its agent. Not of the draft, and without effect here.
        may apply: Option<Value> => tell_apply,
    }
}

texts! {
    /// The variable that holds a model or a key.
    KeyVariable = ENV_NAME, "the name of a variable",
        "use capital letters, digits and '_'; keys themselves have no place in a manifest";
}

/// A model that may be chosen.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum AllowedModel {
    /// Its id.
    Id(#[schemars(length(min = 1, max = 256), regex(pattern = NO_CONTROL))] Spanned<String>),
    /// Its id, and what an adapter says about it. Not of the draft.
    Described(DescribedModel),
}

/// A model with more about it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DescribedModel {
    /// Its id.
    #[schemars(length(min = 1, max = 256), regex(pattern = NO_CONTROL))]
    pub id: Spanned<String>,
    /// What else is said.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// Two are the same model when their ids are, whatever is said about them.
impl PartialEq for AllowedModel {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl AllowedModel {
    /// Returns its id.
    pub fn id(&self) -> &Spanned<String> {
        match self {
            Self::Id(id) => id,
            Self::Described(model) => &model.id,
        }
    }
}

impl Models {
    /// The slot whose variable holds the id of the model.
    pub const SLOT: &'static str = "model";

    /// Returns the variable that holds the id of the model.
    pub fn variable(&self) -> Option<&Spanned<String>> {
        self.env.get(Self::SLOT)
    }

    /// Returns the variables that hold keys, which come from the caller.
    pub fn keys(&self) -> impl Iterator<Item = &Spanned<String>> {
        let keys = self.env.iter().filter(|(slot, _)| *slot != Self::SLOT);
        keys.map(|(_, variable)| variable)
    }

    /// Returns the ids that may be chosen, if that is limited.
    pub fn ids(&self) -> Option<Vec<&str>> {
        let allowed = self.allowed.as_ref()?;
        Some(allowed.iter().map(|model| model.id().as_str()).collect())
    }
}

impl Decode for AllowedModel {
    const NOUN: &'static str = "model";

    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        one(field, out)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Self>()
    }
}

fn tell_apply(_: &Option<Value>, field: &Field<'_>, out: &mut Complaints) {
    let what = "it is no field of the draft and has no effect here";
    let hint = "name the variable in models.env.model, or declare an option with the id model";
    out.push(field.warn(EXTRA, what).hint(hint));
}

fn one(field: &Field<'_>, out: &mut Complaints) -> Option<AllowedModel> {
    if field.node.as_object().is_none() {
        return field.line(MAX_MODEL_CHARS, out).map(AllowedModel::Id);
    }
    let mut object = field.open(out)?;
    let id = object
        .need("id", out)
        .and_then(|field| field.line(MAX_MODEL_CHARS, out))?;
    let what = "the draft has ids alone; only the id counts here";
    out.push(field.warn(EXTRA, what).hint("write the id as a text"));
    let mut more = field.map(out)?;
    more.remove("id");
    Some(AllowedModel::Described(DescribedModel { id, more }))
}
