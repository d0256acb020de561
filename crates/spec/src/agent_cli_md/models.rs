//! AIP-45 `models`: which models the agent may use, and which variables that takes.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::rules::EXTRA;
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Field, TWICE, is_env_name};

/// The longest id of a model.
pub(super) const LONGEST: usize = 256;

/// Which models there are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Models {
    /// The one that the agent is told unless somebody chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 256))]
    pub default: Option<Spanned<String>>,
    /// Those that may be chosen; absent is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<Vec<AllowedModel>>,
    /// Variables by slot. The slot `model` names the one that holds the id of the model; every other names one that
    /// holds a key and comes from the caller.
    #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
    pub env: IndexMap<String, Spanned<String>>,
    /// How an adapter tells its agent. Not of the draft, and without effect here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apply: Option<Value>,
}

/// A model that may be chosen.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum AllowedModel {
    /// Its id.
    Id(#[schemars(length(min = 1, max = 256))] Spanned<String>),
    /// Its id, and what an adapter says about it. Not of the draft.
    Described(DescribedModel),
}

/// A model with more about it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DescribedModel {
    /// Its id.
    #[schemars(length(min = 1, max = 256))]
    pub id: Spanned<String>,
    /// What else is said.
    #[serde(flatten)]
    pub more: Map<String, Value>,
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

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Models> {
    let mut object = field.open(out)?;
    let default = object.take("default").and_then(|field| id(&field, out));
    let allowed = object.take("allowed").and_then(|field| allowed(&field, out));
    let env = object.take("env").and_then(|field| env(&field, out));
    let apply = object.take("apply").map(|field| {
        let what = "it is no field of the draft and has no effect here";
        let hint = "name the variable in models.env.model, or declare an option with the id model";
        out.push(field.warn(EXTRA, what).hint(hint));
        field.node.to_json()
    });
    object.shut(out);
    Some(Models {
        default,
        allowed,
        env: env.unwrap_or_default(),
        apply,
    })
}

fn id(field: &Field<'_>, out: &mut Complaints) -> Option<Spanned<String>> {
    field.line(LONGEST, out)
}

fn allowed(field: &Field<'_>, out: &mut Complaints) -> Option<Vec<AllowedModel>> {
    let mut models: Vec<AllowedModel> = Vec::new();
    for item in field.items(out)? {
        let Some(model) = one(&item, out) else { continue };
        if models.iter().any(|other| other.id() == model.id()) {
            out.push(
                item.refuse(TWICE, "the model stands twice")
                    .hint("remove one of the two"),
            );
        } else {
            models.push(model);
        }
    }
    Some(models)
}

fn one(field: &Field<'_>, out: &mut Complaints) -> Option<AllowedModel> {
    if field.node.as_object().is_none() {
        return id(field, out).map(AllowedModel::Id);
    }
    let mut object = field.open(out)?;
    let id = object.need("id", out).and_then(|field| id(&field, out))?;
    let what = "the draft has ids alone; only the id counts here";
    out.push(field.warn(EXTRA, what).hint("write the id as a text"));
    let mut more = field.map(out)?;
    more.remove("id");
    Some(AllowedModel::Described(DescribedModel { id, more }))
}

fn env(field: &Field<'_>, out: &mut Complaints) -> Option<IndexMap<String, Spanned<String>>> {
    let object = field.open(out)?;
    let mut env = IndexMap::new();
    for (member, value) in object.members() {
        let hint = "use capital letters, digits and '_'; keys themselves have no place in a manifest";
        if let Some(name) = value.shaped(is_env_name, "the name of a variable", hint, out) {
            env.insert(member.key.clone(), name);
        }
    }
    Some(env)
}
