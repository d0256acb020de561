//! Which fields an object may have: the tables of ATIP §3.2, and what later drafts add.
//!
//! A field that no draft has is kept and means nothing. That is fine, unless it is a typo of one that does, or the
//! draft is asked for to the letter. `x-*`, `_*` and `$*` are anybody's.

use std::collections::HashSet;

use argrail_acli::nearest;

use super::super::findings::Findings;
use super::super::run::{Context, Strictness};
use super::super::view::Tool;
use crate::doc::fields::Quoted;
use crate::doc::{Node, Object, Value, rules};

rules! {
    UNKNOWN = "draft/unknown-field", "a field that the draft lacks",
        "It means nothing to anybody (§3.2).";
    LATER = "draft/later-field", "a field of a later draft in metadata of 0.1",
        "A host of 0.1 does not know it.";
    => pub(super) RULES
}

/// What may stand in an object.
struct Shape {
    /// Fields of the draft 0.1.
    draft: &'static [(&'static str, Below)],
    /// Fields of later drafts.
    later: &'static [(&'static str, Below)],
}

/// What stands below a field.
enum Below {
    /// A value without fields of its own, or with any.
    Any,
    /// An object.
    Object(&'static Shape),
    /// A list of objects.
    List(&'static Shape),
    /// Objects by name.
    Map(&'static Shape),
}

use Below::{Any, List, Map, Object as One};

static ROOT: Shape = Shape {
    draft: &[
        ("atip", Any),
        ("name", Any),
        ("version", Any),
        ("title", Any),
        ("description", Any),
        ("homepage", Any),
        ("license", Any),
        ("commands", Map(&COMMAND)),
        ("globalOptions", List(&OPTION)),
        ("authentication", One(&AUTHENTICATION)),
        ("effects", One(&EFFECTS)),
        ("patterns", List(&PATTERN)),
    ],
    later: &[
        ("trust", Any),
        ("binary", Any),
        ("partial", Any),
        ("filter", Any),
        ("totalCommands", Any),
        ("includedCommands", Any),
        ("omitted", Any),
    ],
};
static COMMAND: Shape = Shape {
    draft: &[
        ("description", Any),
        ("commands", Map(&COMMAND)),
        ("arguments", List(&ARGUMENT)),
        ("options", List(&OPTION)),
        ("effects", One(&EFFECTS)),
        ("examples", Any),
        ("authentication", One(&AUTHENTICATION)),
        ("deprecated", Any),
        ("hidden", Any),
    ],
    later: &[("aliases", Any)],
};
static ARGUMENT: Shape = Shape {
    draft: &[
        ("name", Any),
        ("type", Any),
        ("description", Any),
        ("required", Any),
        ("default", Any),
        ("variadic", Any),
        ("enum", Any),
        ("pattern", Any),
        ("schema", Any),
    ],
    later: &[],
};
static OPTION: Shape = Shape {
    draft: &[
        ("name", Any),
        ("flags", Any),
        ("type", Any),
        ("description", Any),
        ("required", Any),
        ("default", Any),
        ("enum", Any),
        ("envVar", Any),
        ("exclusive", Any),
        ("schema", Any),
    ],
    later: &[("variadic", Any), ("pattern", Any)],
};
static EFFECTS: Shape = Shape {
    draft: &[
        ("filesystem", One(&FILESYSTEM)),
        ("network", Any),
        ("subprocess", Any),
        ("idempotent", Any),
        ("reversible", Any),
        ("destructive", Any),
        ("creates", Any),
        ("modifies", Any),
        ("deletes", Any),
        ("cost", One(&COST)),
        ("duration", One(&DURATION)),
    ],
    later: &[("interactive", Any)],
};
static FILESYSTEM: Shape = Shape {
    draft: &[("read", Any), ("write", Any), ("delete", Any), ("paths", Any)],
    later: &[],
};
static COST: Shape = Shape {
    draft: &[("estimate", Any), ("billable", Any)],
    later: &[],
};
static DURATION: Shape = Shape {
    draft: &[("typical", Any), ("timeout", Any)],
    later: &[],
};
static AUTHENTICATION: Shape = Shape {
    draft: &[
        ("required", Any),
        ("methods", List(&METHOD)),
        ("checkCommand", Any),
    ],
    later: &[],
};
static METHOD: Shape = Shape {
    draft: &[
        ("type", Any),
        ("envVar", Any),
        ("configPath", Any),
        ("setupCommand", Any),
        ("scopes", Any),
        // In the example, not in the table.
        ("description", Any),
    ],
    later: &[],
};
static PATTERN: Shape = Shape {
    draft: &[
        ("name", Any),
        ("description", Any),
        ("steps", List(&STEP)),
        ("variables", Map(&VARIABLE)),
        ("tags", Any),
    ],
    later: &[("executable", Any)],
};
static STEP: Shape = Shape {
    draft: &[("command", Any), ("description", Any)],
    later: &[],
};
static VARIABLE: Shape = Shape {
    draft: &[("type", Any), ("description", Any)],
    later: &[("default", Any), ("enum", Any)],
};
static PATTERN_FILE: Shape = Shape {
    draft: &[("patterns", List(&PATTERN))],
    later: &[],
};

/// Checks the fields of metadata.
pub(super) fn check(tool: &Tool<'_>, context: Context<'_>, findings: &mut Findings) {
    let version = tool.get("atip").and_then(Node::as_str);
    let first_draft = version.is_none_or(|version| version == "0.1" || version.starts_with("0.1."));
    let object_form = tool.get("atip").is_some_and(|atip| atip.as_object().is_some());
    walk(tool.root, &ROOT, context, first_draft && !object_form, findings);
}

/// Checks the fields of a file of patterns.
pub(super) fn check_patterns(root: &Node, context: Context<'_>, findings: &mut Findings) {
    match &root.value {
        Value::Array(items) => items
            .iter()
            .for_each(|item| walk(item, &PATTERN, context, false, findings)),
        Value::Object(object) if object.get("patterns").is_some() => {
            walk(root, &PATTERN_FILE, context, false, findings);
        }
        Value::Object(_) => walk(root, &PATTERN, context, false, findings),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn walk(
    node: &Node,
    shape: &'static Shape,
    context: Context<'_>,
    first_draft: bool,
    findings: &mut Findings,
) {
    let Some(object) = node.as_object() else { return };
    judge(object, shape, context, first_draft, findings);
    for member in &object.members {
        let fields = shape.draft.iter().chain(shape.later);
        let below = fields
            .into_iter()
            .find(|(name, _)| *name == member.key)
            .map(|(_, below)| below);
        match below {
            None | Some(Any) => {}
            Some(One(shape)) => walk(&member.node, shape, context, first_draft, findings),
            Some(List(shape)) => {
                for item in member.node.as_array().unwrap_or_default() {
                    walk(item, shape, context, first_draft, findings);
                }
            }
            Some(Map(shape)) => {
                for entry in member
                    .node
                    .as_object()
                    .into_iter()
                    .flat_map(|object| &object.members)
                {
                    walk(&entry.node, shape, context, first_draft, findings);
                }
            }
        }
    }
}

fn judge(
    object: &Object,
    shape: &'static Shape,
    context: Context<'_>,
    first_draft: bool,
    findings: &mut Findings,
) {
    let strict = context.strictness == Strictness::Strict;
    let names = |list: &'static [(&'static str, Below)]| list.iter().map(|(name, _)| *name);
    // Found out once: a stranger says how many fields there are.
    let given: HashSet<&str> = object.members.iter().map(|member| member.key.as_str()).collect();
    for member in &object.members {
        let key = member.key.as_str();
        if key.starts_with("x-") || key.starts_with(['_', '$']) || names(shape.draft).any(|name| name == key)
        {
            continue;
        }
        if names(shape.later).any(|name| name == key) {
            if strict && first_draft {
                let message = format!("{} is a field of later drafts", Quoted(key));
                let hint = "leave it out, or say which draft it is in \"atip\"";
                findings.push(LATER.error(member.key_span, message).hint(hint));
            }
            continue;
        }
        let all = names(shape.draft).chain(names(shape.later));
        let meant = nearest(key, all.filter(|name| !given.contains(name)));
        let message = format!("{} is no field of the draft", Quoted(key));
        match (strict, meant) {
            (true, Some(meant)) => {
                findings.push(
                    UNKNOWN
                        .error(member.key_span, message)
                        .hint(format!("did you mean {meant:?}?")),
                );
            }
            (true, None) => {
                let hint = "remove it, or put \"x-\" before its name";
                findings.push(UNKNOWN.error(member.key_span, message).hint(hint));
            }
            (false, Some(meant)) => {
                findings.push(
                    UNKNOWN
                        .warning(member.key_span, message)
                        .hint(format!("did you mean {meant:?}?")),
                );
            }
            (false, None) => {}
        }
    }
}
