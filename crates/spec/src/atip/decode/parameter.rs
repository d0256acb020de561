//! Arguments, options and their types (ATIP §3.2.3 to §3.2.5).

use super::super::model::{Argument, Kind, Opt};
use crate::doc::fields::{Complaints, Fields, Quoted, Trail, WRONG_TYPE, came, wrong_type};
use crate::doc::{Diagnostic, Node, Severity, Value};

/// Words that people write for the draft's types.
const OTHER_WORDS: [(&str, Kind); 12] = [
    ("bool", Kind::Boolean),
    ("flag", Kind::Boolean),
    ("int", Kind::Integer),
    ("float", Kind::Number),
    ("double", Kind::Number),
    ("str", Kind::String),
    ("text", Kind::String),
    ("path", Kind::File),
    ("dir", Kind::Directory),
    ("uri", Kind::Url),
    ("choice", Kind::Enum),
    ("list", Kind::Array),
];

/// Takes the field `arguments`.
pub(super) fn arguments(owner: &mut Fields<'_>, complaints: &mut Complaints) -> Vec<Argument> {
    let items = owner.items("arguments", complaints).unwrap_or_default();
    let parent = owner.trail();
    let trail = parent.key("arguments");
    let read = |(index, item)| argument(item, trail.index(index), complaints);
    items.iter().enumerate().filter_map(read).collect()
}

/// Takes a list of options.
pub(super) fn options(owner: &mut Fields<'_>, key: &'static str, complaints: &mut Complaints) -> Vec<Opt> {
    let items = owner.items(key, complaints).unwrap_or_default();
    let parent = owner.trail();
    let trail = parent.key(key);
    let read = |(index, item)| option(item, trail.index(index), complaints);
    items.iter().enumerate().filter_map(read).collect()
}

fn argument(node: &Node, trail: Trail<'_>, complaints: &mut Complaints) -> Option<Argument> {
    let mut fields = Fields::of(node, trail, complaints)?;
    let name = named(&mut fields, complaints)?;
    let description = description(&mut fields, complaints);
    let values = values(&mut fields, complaints);
    let (kind, unknown) = kind(&mut fields, values.is_some(), complaints);
    let mut argument = Argument {
        name,
        kind,
        description,
        required: fields.truth("required", complaints),
        default: fields.json("default"),
        variadic: fields.truth("variadic", complaints),
        values,
        pattern: fields.text("pattern", complaints),
        schema: fields.json("schema"),
        extra: fields.rest(),
    };
    argument.extra.extend(unknown);
    Some(argument)
}

fn option(node: &Node, trail: Trail<'_>, complaints: &mut Complaints) -> Option<Opt> {
    let mut fields = Fields::of(node, trail, complaints)?;
    let flags = flags(&mut fields, complaints);
    let name = named(&mut fields, complaints)?;
    let description = description(&mut fields, complaints);
    let values = values(&mut fields, complaints);
    let (kind, unknown) = kind(&mut fields, values.is_some(), complaints);
    let mut option = Opt {
        name,
        flags,
        kind,
        description,
        required: fields.truth("required", complaints),
        default: fields.json("default"),
        values,
        env_var: fields.text("envVar", complaints),
        exclusive: fields.texts("exclusive", complaints).unwrap_or_default(),
        variadic: fields.truth("variadic", complaints),
        pattern: fields.text("pattern", complaints),
        schema: fields.json("schema"),
        extra: fields.rest(),
    };
    option.extra.extend(unknown);
    Some(option)
}

/// Without a name nothing can speak of it, so it is left out and said.
fn named(fields: &mut Fields<'_>, complaints: &mut Complaints) -> Option<String> {
    let name = fields.text("name", complaints).filter(|name| !name.is_empty());
    if name.is_none() {
        let message = format!("{}: left out, because it has no \"name\"", fields.trail());
        complaints.warn("atip/missing", fields.span, message);
    }
    name
}

fn description(fields: &mut Fields<'_>, complaints: &mut Complaints) -> String {
    let description = fields.text("description", complaints).unwrap_or_default();
    if description.is_empty() {
        let message = format!("{}: no \"description\"", fields.trail());
        complaints.warn("atip/missing", fields.span, message);
    }
    description
}

fn values(fields: &mut Fields<'_>, complaints: &mut Complaints) -> Option<Vec<serde_json::Value>> {
    let items = fields.items("enum", complaints)?;
    Some(items.iter().map(Node::to_json).collect())
}

/// Flags as a list; one string with commas is read, too, and said.
fn flags(fields: &mut Fields<'_>, complaints: &mut Complaints) -> Vec<String> {
    let trail = fields.trail();
    let Some(member) = fields.take("flags") else {
        let message = format!("{trail}: no \"flags\", so it cannot be written");
        complaints.warn("atip/missing", fields.span, message);
        return Vec::new();
    };
    match &member.node.value {
        Value::Array(items) => {
            let trail = trail.key("flags");
            let text = |(index, item): (usize, &Node)| {
                let text = item.as_str().map(str::to_owned);
                if text.is_none() {
                    wrong_type(item, trail.index(index), "a string", complaints);
                }
                text
            };
            items.iter().enumerate().filter_map(text).collect()
        }
        Value::String(all) => {
            let flags: Vec<String> = all
                .split([',', '|', ' '])
                .filter(|flag| !flag.is_empty())
                .map(str::to_owned)
                .collect();
            let message = format!("{}: expected an array, got {}", trail.key("flags"), Quoted(all));
            let array = serde_json::Value::from(flags.clone()).to_string();
            complaints.push(
                Diagnostic::new(Severity::Warning, WRONG_TYPE, member.node.span, message)
                    .fix(member.node.span, array),
            );
            flags
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            wrong_type(&member.node, trail.key("flags"), "an array", complaints);
            Vec::new()
        }
    }
}

/// Returns the type, and the word that was there if it is none of the draft's.
fn kind(
    fields: &mut Fields<'_>,
    has_values: bool,
    complaints: &mut Complaints,
) -> (Kind, Option<(String, serde_json::Value)>) {
    let fallback = if has_values { Kind::Enum } else { Kind::String };
    let owner = fields.trail();
    let trail = owner.key("type");
    let Some(member) = fields.take("type") else {
        let message = format!("{owner}: no \"type\"; read as {:?}", fallback.as_str());
        complaints.warn("atip/missing", fields.span, message);
        return (fallback, None);
    };
    let span = member.node.span;
    let word = member.node.as_str().unwrap_or_default();
    if let Some(kind) = Kind::named(word) {
        return (kind, None);
    }
    let lower = word.to_ascii_lowercase();
    let other = OTHER_WORDS.iter().find(|(other, _)| *other == lower);
    let meant = Kind::named(&lower).or_else(|| other.map(|(_, kind)| *kind));
    let code = match member.node.as_str() {
        Some(_) => "atip/unknown-type",
        None => WRONG_TYPE,
    };
    let warning = |message| Diagnostic::new(Severity::Warning, code, span, message);
    if let Some(kind) = meant {
        let message = format!("{trail}: {} is written {:?}", Quoted(word), kind.as_str());
        complaints.push(warning(message).fix(span, format!("{:?}", kind.as_str())));
        return (kind, None);
    }
    let known = Kind::ALL.map(Kind::as_str).join(", ");
    let message = format!("{trail}: expected one of {known}, got {}", came(&member.node));
    complaints.push(warning(message).hint(format!("It is read as {:?}", fallback.as_str())));
    (fallback, Some(("x-type".to_owned(), member.node.to_json())))
}
