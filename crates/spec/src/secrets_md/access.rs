//! Who gets a secret: any entry that fits is enough, none means nobody.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Field, VALUE};

/// Grants by what is done with the secret.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// Who may see it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reveal: Vec<Grant>,
    /// Whose processes get it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub bind: Vec<Grant>,
    /// Who may replace it. Nobody asks yet.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rotate: Vec<Grant>,
}

/// One who gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Grant {
    /// Everybody with a role.
    Role(String),
    /// A user.
    UserId(String),
    /// Whoever has a capability.
    Cap(String),
    /// A tool.
    Tool(String),
    /// A workflow.
    Workflow(String),
}

const KINDS: [&str; 5] = ["role", "userId", "cap", "tool", "workflow"];

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Access> {
    let mut object = field.open(out)?;
    let mut grants = |key| {
        let grants = object.take(key).and_then(|field| field.list(out, grant));
        grants.unwrap_or_default()
    };
    let access = Access {
        reveal: grants("reveal"),
        bind: grants("bind"),
        rotate: grants("rotate"),
    };
    object.shut(out);
    Some(access)
}

fn grant(field: &Field<'_>, out: &mut Complaints) -> Option<Grant> {
    let mut object = field.open(out)?;
    let given: Vec<&str> = KINDS.into_iter().filter(|key| object.has(key)).collect();
    let mut text = |key| {
        object
            .take(key)
            .and_then(|field| field.line(1024, out))
            .map(|text| text.value)
    };
    let role = text("role").map(Grant::Role);
    let user = text("userId").map(Grant::UserId);
    let cap = text("cap");
    let tool = text("tool").map(Grant::Tool);
    let workflow = text("workflow").map(Grant::Workflow);
    object.shut(out);
    if given.len() != 1 {
        let what = format!(
            "expected exactly one of {}, got {}",
            KINDS.join(", "),
            given.len()
        );
        out.push(
            field
                .refuse(VALUE, what)
                .hint("write one entry for each who gets it"),
        );
        return None;
    }
    if let Some(cap) = cap.as_ref().filter(|cap| !cap.starts_with("cap://")) {
        let what = format!(
            "expected a capability such as \"cap://deploy\", got {}",
            Quoted(cap)
        );
        out.push(field.refuse(VALUE, what).hint("begin it with cap://"));
        return None;
    }
    role.or(user).or(cap.map(Grant::Cap)).or(tool).or(workflow)
}
