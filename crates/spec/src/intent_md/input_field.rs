//! What a user is asked for.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::local_text::{self, LocalText};
use super::rules::INPUT;
use super::when::{self, When};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::Field;
use crate::mcp_tools::list_items;

const KINDS: [(&str, InputKind); 12] = [
    ("text", InputKind::Text),
    ("textarea", InputKind::Textarea),
    ("number", InputKind::Number),
    ("toggle", InputKind::Toggle),
    ("choice", InputKind::Choice),
    ("multi-choice", InputKind::MultiChoice),
    ("file", InputKind::File),
    ("image", InputKind::Image),
    ("date", InputKind::Date),
    ("markdown", InputKind::Markdown),
    ("code", InputKind::Code),
    ("ref", InputKind::Ref),
];

/// One input.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InputField {
    /// What programs call it.
    #[schemars(regex(pattern = "^[a-zA-Z_][a-zA-Z0-9_]*$"))]
    pub name: Spanned<String>,
    /// What people call it.
    pub label: LocalText,
    /// What it looks like.
    #[serde(rename = "type")]
    pub kind: InputKind,
    /// What stands there before anything is typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<LocalText>,
    /// What helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<LocalText>,
    /// Whether it must be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// What it is unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// The fewest characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// The most characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// A regular expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// What can be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Choice>>,
    /// Which files will do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept: Option<Vec<String>>,
    /// Which language code is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// When it is shown at all; what is hidden is not sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<When>,
}

/// What an input looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InputKind {
    /// One line.
    Text,
    /// Several lines.
    Textarea,
    /// A number.
    Number,
    /// Yes or no.
    Toggle,
    /// One of some.
    Choice,
    /// Several of some.
    MultiChoice,
    /// A file.
    File,
    /// A picture.
    Image,
    /// A day.
    Date,
    /// Text with marks.
    Markdown,
    /// Code.
    Code,
    /// Something that is named.
    Ref,
}

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Choice {
    /// What it is called is what it is.
    Plain(String),
    /// It has a name.
    Named {
        /// What it is.
        value: Value,
        /// What people call it.
        label: LocalText,
    },
}

impl InputField {
    /// Returns the value that a text stands for.
    pub(super) fn typed(&self, text: &str) -> Value {
        let read = |wanted: fn(&Value) -> bool| scalar(text).filter(wanted);
        let read = match self.kind {
            InputKind::Number => read(Value::is_number),
            InputKind::Toggle => read(Value::is_boolean),
            InputKind::Choice => Some(self.chosen(text)),
            InputKind::MultiChoice => {
                let items = list_items(text);
                Some(items.iter().map(|item| self.chosen(item)).collect())
            }
            InputKind::Text
            | InputKind::Textarea
            | InputKind::File
            | InputKind::Image
            | InputKind::Date
            | InputKind::Markdown
            | InputKind::Code
            | InputKind::Ref => None,
        };
        read.unwrap_or_else(|| text.into())
    }

    /// The choice that is written like this, which may be a number; else the text.
    fn chosen(&self, text: &str) -> Value {
        let values = self.values.iter().flatten();
        let mut named = values.filter_map(|choice| match choice {
            Choice::Plain(_) => None,
            Choice::Named { value, .. } => Some(value),
        });
        let chosen = named.find(|value| !value.is_string() && value.to_string().as_str() == text);
        chosen.cloned().unwrap_or_else(|| text.into())
    }
}

/// A number or a truth, if the text is one.
pub(super) fn scalar(text: &str) -> Option<Value> {
    let read: Value = serde_json::from_str(text).ok()?;
    (read.is_number() || read.is_boolean()).then_some(read)
}

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<InputField> {
    let mut object = field.open(out)?;
    let name = object.need("name", out).and_then(|field| {
        let hint = "use letters, digits and '_'";
        field.shaped(is_name, "a name such as \"title\"", hint, out)
    });
    let label = object
        .need("label", out)
        .and_then(|field| local_text::text(&field, 500, out));
    let kind = object
        .need("type", out)
        .and_then(|field| field.choice(&KINDS, out));
    let all = f64::MIN..=f64::MAX;
    let input = InputField {
        name: name.clone().unwrap_or_default(),
        label: label?,
        kind: kind?,
        placeholder: object
            .take("placeholder")
            .and_then(|field| local_text::text(&field, 500, out)),
        hint: object
            .take("hint")
            .and_then(|field| local_text::text(&field, 2000, out)),
        required: object.take("required").and_then(|field| field.truth(out)),
        default: object.take("default").map(|field| field.node.to_json()),
        min: object
            .take("min")
            .and_then(|field| field.number(all.clone(), out)),
        max: object.take("max").and_then(|field| field.number(all, out)),
        min_length: object
            .take("min_length")
            .and_then(|field| field.whole(0..=u64::MAX, out))
            .map(|one| one.value),
        max_length: object
            .take("max_length")
            .and_then(|field| field.whole(0..=u64::MAX, out))
            .map(|one| one.value),
        pattern: object.take("pattern").and_then(|field| pattern(&field, out)),
        values: object.take("values").and_then(|field| field.list(out, choice)),
        accept: object.take("accept").and_then(|field| lines(&field, out)),
        language: object
            .take("language")
            .and_then(|field| field.line(64, out))
            .map(|one| one.value),
        depends_on: object
            .take("depends_on")
            .and_then(|field| when::decode(&field, out)),
    };
    object.shut(out);
    fits(&input, field, out);
    name.map(|_| input)
}

fn is_name(text: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    (1..=128).contains(&text.len())
        && text.starts_with(first)
        && text.chars().all(|c| first(c) || c.is_ascii_digit())
}

fn lines(field: &Field<'_>, out: &mut Complaints) -> Option<Vec<String>> {
    let lines = field.list(out, |item, out| item.line(256, out))?;
    Some(lines.into_iter().map(|line| line.value).collect())
}

fn pattern(field: &Field<'_>, out: &mut Complaints) -> Option<String> {
    let text = field.line(1000, out)?;
    if crate::atip::is_broken_expression(&text) {
        out.push(
            field
                .expected("a regular expression")
                .hint("write it as JavaScript has them"),
        );
        return None;
    }
    Some(text.value)
}

fn choice(field: &Field<'_>, out: &mut Complaints) -> Option<Choice> {
    if field.node.as_object().is_none() {
        return field.text(out).map(|text| Choice::Plain(text.value));
    }
    let mut object = field.open(out)?;
    let value = object.need("value", out).map(|field| field.node.to_json());
    let label = object
        .need("label", out)
        .and_then(|field| local_text::text(&field, 500, out));
    object.shut(out);
    Some(Choice::Named {
        value: value?,
        label: label?,
    })
}

/// Holds the parts of an input against each other.
fn fits(input: &InputField, field: &Field<'_>, out: &mut Complaints) {
    let chosen = matches!(input.kind, InputKind::Choice | InputKind::MultiChoice);
    let what = if chosen && input.values.as_ref().is_none_or(Vec::is_empty) {
        Some("a choice needs values")
    } else if input.min.zip(input.max).is_some_and(|(min, max)| min > max) {
        Some("min is more than max")
    } else if input
        .min_length
        .zip(input.max_length)
        .is_some_and(|(min, max)| min > max)
    {
        Some("min_length is more than max_length")
    } else {
        None
    };
    if let Some(what) = what {
        out.push(field.refuse(INPUT, what).hint("mend one of the two"));
    }
}
