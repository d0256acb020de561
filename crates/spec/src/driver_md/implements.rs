//! AIP-30 `implements`: which tools a driver runs, and how it differs from their contract.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::intent_md::{Mapped, decode_mapped};
use crate::manifest::{Field, VersionRange, texts_or_none};
use crate::tool_md::{Backoff, CostClass, backoff, cost_class};

/// One tool.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Implements {
    /// The path of its file, or its id.
    #[schemars(length(min = 1, max = 1024))]
    pub tool: Spanned<String>,
    /// Which versions of it.
    pub version: VersionRange,
    /// What it cannot do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema_narrowing: Option<SchemaNarrowing>,
    /// Where each input goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mapping: Option<IndexMap<String, Mapped>>,
    /// What a call costs here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_override: Option<CostOverride>,
    /// How long a call may take here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 100))]
    pub timeout_override_ms: Option<u64>,
    /// When a failed call is tried again here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_override: Option<RetryOverride>,
    /// Anybody's own. `metadata.cli.argv` is the template.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub metadata: Map<String, Value>,
    /// `metadata.cli.argv` with places.
    #[serde(skip)]
    pub argv: Option<Vec<Spanned<String>>>,
}

/// What a driver cannot do. Using a dropped input is refused.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SchemaNarrowing {
    /// Inputs it does not take.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub drop_inputs: Vec<Spanned<String>>,
    /// Outputs it does not give.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub drop_outputs: Vec<Spanned<String>>,
}

/// What a call costs here.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CostOverride {
    /// The class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_class: Option<CostClass>,
    /// How much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_units_per_call: Option<f64>,
    /// Of what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}

/// When a failed call is tried again here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RetryOverride {
    /// How often, the first time included.
    #[schemars(range(min = 1, max = 10))]
    pub max_attempts: u64,
    /// How the pauses grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backoff: Option<Backoff>,
    /// The first pause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_ms: Option<u64>,
}

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Implements> {
    let mut object = field.open(out)?;
    let tool = object.need("tool", out).and_then(|field| field.line(1024, out));
    let version = object.need("version", out).and_then(|field| field.range(out));
    let metadata = object.take("metadata");
    let argv = metadata.as_ref().and_then(|field| template(field, out));
    let implements = Implements {
        tool: tool?,
        version: version?,
        schema_narrowing: object
            .take("schema_narrowing")
            .and_then(|field| narrowing(&field, out)),
        mapping: object.take("mapping").and_then(|field| mapping(&field, out)),
        cost_override: object.take("cost_override").and_then(|field| cost(&field, out)),
        timeout_override_ms: object
            .take("timeout_override_ms")
            .and_then(|field| field.whole(100..=u64::MAX, out))
            .map(|time| time.value),
        retry_override: object.take("retry_override").and_then(|field| retry(&field, out)),
        metadata: metadata.and_then(|field| field.map(out)).unwrap_or_default(),
        argv,
    };
    object.shut(out);
    Some(implements)
}

/// Reads `cli.argv` of the metadata.
fn template(field: &Field<'_>, out: &mut Complaints) -> Option<Vec<Spanned<String>>> {
    let cli = field.node.as_object()?.member("cli")?;
    let cli = field.child(&cli.node, field.path.key("cli"));
    let mut object = cli.open(out)?;
    texts_or_none(object.take("argv"), out)
}

fn narrowing(field: &Field<'_>, out: &mut Complaints) -> Option<SchemaNarrowing> {
    let mut object = field.open(out)?;
    let mut list = |key| texts_or_none(object.take(key), out).unwrap_or_default();
    let narrowing = SchemaNarrowing {
        drop_inputs: list("drop_inputs"),
        drop_outputs: list("drop_outputs"),
    };
    object.shut(out);
    Some(narrowing)
}

fn mapping(field: &Field<'_>, out: &mut Complaints) -> Option<IndexMap<String, Mapped>> {
    let object = field.open(out)?;
    let mut mapping = IndexMap::new();
    for (member, value) in object.members() {
        mapping.extend(decode_mapped(&value, out).map(|mapped| (member.key.clone(), mapped)));
    }
    Some(mapping)
}

fn cost(field: &Field<'_>, out: &mut Complaints) -> Option<CostOverride> {
    let mut object = field.open(out)?;
    let cost = CostOverride {
        cost_class: object
            .take("cost_class")
            .and_then(|field| cost_class(&field, out)),
        cost_units_per_call: object
            .take("cost_units_per_call")
            .and_then(|field| field.number(0.0..=f64::MAX, out)),
        currency: object
            .take("currency")
            .and_then(|field| field.line(16, out))
            .map(|one| one.value),
    };
    object.shut(out);
    Some(cost)
}

fn retry(field: &Field<'_>, out: &mut Complaints) -> Option<RetryOverride> {
    let mut object = field.open(out)?;
    let max_attempts = object
        .need("max_attempts", out)
        .and_then(|field| field.whole(1..=10, out));
    let backoff = object.take("backoff").and_then(|field| backoff(&field, out));
    let initial_ms = object
        .take("initial_ms")
        .and_then(|field| field.whole(0..=u64::MAX, out));
    object.shut(out);
    Some(RetryOverride {
        max_attempts: max_attempts?.value,
        backoff,
        initial_ms: initial_ms.map(|pause| pause.value),
    })
}
