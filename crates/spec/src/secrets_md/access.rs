//! Who gets a secret: any entry that fits is enough, none means nobody.

use schemars::JsonSchema;
use serde::Serialize;

use crate::declare::{List, NO_CONTROL, manifest, own};
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Field, VALUE};

manifest! {
    /// Grants by what is done with the secret.
    #[derive(Eq, Default)]
    pub struct Access closed {
        /// Who may see it.
        may reveal: Vec<Grant> as List,
        /// Whose processes get it.
        may bind: Vec<Grant> as List,
        /// Who may replace it. Nobody asks yet.
        may rotate: Vec<Grant> as List,
    }
}

/// One who gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Grant {
    /// Everybody with a role.
    Role(#[schemars(length(min = 1, max = 1024), regex(pattern = NO_CONTROL))] String),
    /// A user.
    UserId(#[schemars(length(min = 1, max = 1024), regex(pattern = NO_CONTROL))] String),
    /// Whoever has a capability.
    Cap(
        #[schemars(
            length(max = 1024),
            regex(pattern = r"^cap://[^\u0000-\u001F\u007F-\u009F]*$")
        )]
        String,
    ),
    /// A tool.
    Tool(#[schemars(length(min = 1, max = 1024), regex(pattern = NO_CONTROL))] String),
    /// A workflow.
    Workflow(#[schemars(length(min = 1, max = 1024), regex(pattern = NO_CONTROL))] String),
}

const KINDS: [&str; 5] = ["role", "userId", "cap", "tool", "workflow"];

own! {
    Grant: |field, out| grant(field, out);
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
