//! What a user is asked for.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::local_text::{Local, LocalText};
use super::rules::INPUT;
use super::when::When;
use crate::declare::{
    AnyNumber, AnyText, Decode, Line, List, Own, Whole, manifest, name, own, peek, texts, words,
};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Closed, Field};
use crate::mcp_tools::list_items;

manifest! {
    /// One input.
    pub struct InputField closed, before check_parts {
        /// What programs call it.
        need name: Spanned<String> as InputName,
        /// What people call it.
        need label: LocalText as Local<500>,
        /// What it looks like.
        need kind("type"): InputKind,
        /// What stands there before anything is typed.
        may placeholder: Option<LocalText> as Local<500>,
        /// What helps.
        may hint: Option<LocalText> as Local<2000>,
        /// Whether it must be there.
        may required: Option<bool>,
        /// What it is unless told otherwise.
        may default: Option<Value>,
        /// The least number.
        may min: Option<f64> as AnyNumber,
        /// The largest number.
        may max: Option<f64> as AnyNumber,
        /// The fewest characters.
        may min_length: Option<u64> as Whole,
        /// The most characters.
        may max_length: Option<u64> as Whole,
        /// A regular expression.
        may pattern: Option<String> as Expression,
        /// What can be chosen.
        may values: Option<Vec<Choice>> as List,
        /// Which files will do.
        may accept: Option<Vec<String>> as List<Line<256>>,
        /// Which language code is in.
        may language: Option<String> as Line<64>,
        /// When it is shown at all; what is hidden is not sent.
        may depends_on: Option<When>,
    }

    /// Something that can be chosen and has a name.
    pub struct NamedChoice closed {
        /// What it is.
        need value: Value,
        /// What people call it.
        need label: LocalText as Local<500>,
    }
}

words! {
    /// What an input looks like.
    pub enum InputKind {
        /// One line.
        Text = "text",
        /// Several lines.
        Textarea = "textarea",
        /// A number.
        Number = "number",
        /// Yes or no.
        Toggle = "toggle",
        /// One of some.
        Choice = "choice",
        /// Several of some.
        MultiChoice = "multi-choice",
        /// A file.
        File = "file",
        /// A picture.
        Image = "image",
        /// A day.
        Date = "date",
        /// Text with marks.
        Markdown = "markdown",
        /// Code.
        Code = "code",
        /// Something that is named.
        Ref = "ref",
    }
}

texts! {
    /// The name of an input.
    InputName = name("a-zA-Z_", "a-zA-Z0-9_", "a-zA-Z0-9_", 1..=128),
        "a name such as \"title\"", "use letters, digits and '_'";
}

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Choice {
    /// What it is called is what it is.
    Plain(String),
    /// It has a name.
    Named(NamedChoice),
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
            Choice::Named(choice) => Some(&choice.value),
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

own! {
    Choice: |field, out| match field.node.as_object() {
        Some(_) => NamedChoice::decode(field, out).map(Choice::Named),
        None => Decode::<AnyText>::decode(field, out).map(Choice::Plain),
    };
}

/// A regular expression.
struct Expression;

impl Decode<Expression> for String {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let text = field.line(1000, out)?;
        if crate::atip::is_broken_expression(&text) {
            let hint = "write it as JavaScript has them";
            out.push(field.expected("a regular expression").hint(hint));
            return None;
        }
        Some(text.value)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = <Self as Decode<Line<1000>>>::schema(generator);
        schema.insert("format".to_owned(), "regex".into());
        schema
    }
}

/// Holds the parts of an input against each other.
fn check_parts(object: &mut Closed<'_>, out: &mut Complaints) {
    let number = |key| peek::<f64, AnyNumber>(object, key);
    let length = |key| peek::<u64, Whole>(object, key);
    let kind = peek::<InputKind, Own>(object, "type");
    let values = peek::<Vec<Choice>, List>(object, "values");
    let what = if matches!(kind, Some(InputKind::Choice | InputKind::MultiChoice))
        && values.is_none_or(|values| values.is_empty())
    {
        "a choice needs values"
    } else if number("min")
        .zip(number("max"))
        .is_some_and(|(min, max)| min > max)
    {
        "min is more than max"
    } else if length("min_length")
        .zip(length("max_length"))
        .is_some_and(|(min, max)| min > max)
    {
        "min_length is more than max_length"
    } else {
        return;
    };
    out.push(object.field().refuse(INPUT, what).hint("mend one of the two"));
}
