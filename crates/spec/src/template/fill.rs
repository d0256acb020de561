//! Making words of a template. Nothing is added that the template does not have, and nothing of it is changed.

use serde_json::Value;

use super::fill_error::FillError;
use super::model::{Ending, Filter, Hole, Lead, Part, Place, Template, Word};
use super::values::Values;

/// The longest word that Linux gives to a program, without its end.
const LONGEST: usize = 128 * 1024 - 1;
/// The most bytes of all words together. Linux has room for more, and a part of it is the environment's.
const MOST_BYTES: usize = 1 << 20;
/// The most words.
const MOST_WORDS: usize = 8_192;

/// A word, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The word.
    pub text: String,
    /// Where it comes from.
    pub kind: WordKind,
}

/// Where a word comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// From the template, as it is.
    Literal,
    /// From `optional` or `flag`: an option.
    Option,
    /// From a value, perhaps with text of the template around it.
    Value,
}

impl Template {
    /// Makes the words.
    ///
    /// # Errors
    /// When something is missing, is no word, or could be taken for an option.
    pub fn fill(&self, values: &Values<'_>) -> Result<Vec<String>, FillError> {
        let filled = self.fill_marked(values)?;
        Ok(filled.into_iter().map(|word| word.text).collect())
    }

    /// Makes the words, each with where it comes from.
    ///
    /// # Errors
    /// As [`fill`](Self::fill) does.
    pub fn fill_marked(&self, values: &Values<'_>) -> Result<Vec<Filled>, FillError> {
        let mut line = Line::default();
        for word in &self.words {
            match word {
                Word::Literal(text) => line.push(text.clone(), WordKind::Literal, text)?,
                Word::Whole(hole, place) => whole(hole, place, values, &mut line)?,
                Word::Mixed(parts, lead) => mixed(parts, lead, values, &mut line)?,
            }
        }
        Ok(line.words)
    }
}

/// The words so far.
#[derive(Default)]
struct Line {
    words: Vec<Filled>,
    bytes: usize,
}

impl Line {
    fn push(&mut self, text: String, kind: WordKind, name: &str) -> Result<(), FillError> {
        self.bytes = self.bytes.saturating_add(text.len() + 1);
        if self.bytes > MOST_BYTES || self.words.len() >= MOST_WORDS {
            return Err(FillError::TooMany {
                name: name.to_owned(),
            });
        }
        self.words.push(Filled { text, kind });
        Ok(())
    }
}

/// One value as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    /// Whether it is a number: then `-1` is one, where an option takes it.
    pub(crate) is_number: bool,
}

impl Piece {
    /// Returns the text of a value that is one word.
    pub(crate) fn of(value: &Value, name: &str) -> Result<Self, FillError> {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(truth) => truth.to_string(),
            Value::Null | Value::Array(_) | Value::Object(_) => {
                return Err(FillError::NoWord {
                    name: name.to_owned(),
                    came: kind(value),
                });
            }
        };
        Ok(Self {
            text,
            is_number: value.is_number(),
        })
    }
}

/// Returns what a value is, for messages.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Returns the word of a value at a place, unless it could be taken for an option there or is no argument.
pub(crate) fn checked_word(piece: Piece, place: &Place, name: &str) -> Result<String, FillError> {
    let is_free = match place {
        Place::Last => true,
        Place::Behind(_) => piece.is_number,
        Place::Open => false,
    };
    if piece.text.starts_with('-') && !is_free {
        return Err(FillError::Dash {
            name: name.to_owned(),
            value: piece.text,
        });
    }
    argument(piece.text, name)
}

/// Returns a text that can be an argument.
pub(crate) fn argument(text: String, name: &str) -> Result<String, FillError> {
    let name = || name.to_owned();
    if text.contains('\0') {
        return Err(FillError::Nul { name: name() });
    }
    if text.len() > LONGEST {
        return Err(FillError::TooLong {
            name: name(),
            most: LONGEST,
        });
    }
    Ok(text)
}

/// Returns what a placeholder has, after its filters.
fn had(hole: &Hole, values: &Values<'_>) -> Option<Value> {
    let mut value = values.get(&hole.source).cloned();
    for filter in &hole.filters {
        value = match (filter, value) {
            (Filter::Default(default), None) => Some(default.clone()),
            (Filter::Default(_), Some(value)) => Some(value),
            // The JSON of a number is that number.
            (Filter::Json, Some(number @ Value::Number(_))) => Some(number),
            (Filter::Json, Some(value)) => Some(Value::String(value.to_string())),
            (Filter::Json, None) => None,
        };
    }
    value
}

fn whole(hole: &Hole, place: &Place, values: &Values<'_>, line: &mut Line) -> Result<(), FillError> {
    let name = hole.source.given_name();
    match (&hole.ending, had(hole, values)) {
        (Ending::Plain, None) => Err(FillError::Missing { name }),
        (Ending::Plain, Some(value)) => plain(&value, place, &name, line),
        (Ending::Optional(_) | Ending::Flag(_), None) => Ok(()),
        (Ending::Optional(option), Some(value)) => {
            for item in items(&value) {
                optional(option, item, &name, line)?;
            }
            Ok(())
        }
        (Ending::Flag(_), Some(Value::Bool(false))) => Ok(()),
        (Ending::Flag(option), Some(Value::Bool(true))) => line.push(option.clone(), WordKind::Option, &name),
        (Ending::Flag(_), Some(value)) => Err(FillError::NoTruth {
            name,
            came: kind(&value),
        }),
    }
}

/// The items of a list, or the one value.
fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            std::slice::from_ref(value)
        }
    }
}

fn plain(value: &Value, place: &Place, name: &str, line: &mut Line) -> Result<(), FillError> {
    let items = items(value);
    if let (Place::Behind(option), true) = (place, items.is_empty()) {
        return Err(FillError::Empty {
            name: name.to_owned(),
            option: option.clone(),
        });
    }
    // Only the first of several stands behind the option.
    let behind = match place {
        Place::Last => &Place::Last,
        Place::Open | Place::Behind(_) => &Place::Open,
    };
    for (index, item) in items.iter().enumerate() {
        let place = if index == 0 { place } else { behind };
        let word = checked_word(Piece::of(item, name)?, place, name)?;
        line.push(word, WordKind::Value, name)?;
    }
    Ok(())
}

fn optional(option: &str, item: &Value, name: &str, line: &mut Line) -> Result<(), FillError> {
    let piece = Piece::of(item, name)?;
    if option.ends_with('=') {
        let word = argument(format!("{option}{}", piece.text), name)?;
        return line.push(word, WordKind::Value, name);
    }
    let word = checked_word(piece, &Place::Behind(option.to_owned()), name)?;
    line.push(option.to_owned(), WordKind::Option, name)?;
    line.push(word, WordKind::Value, name)
}

fn mixed(parts: &[Part], lead: &Lead, values: &Values<'_>, line: &mut Line) -> Result<(), FillError> {
    let mut text = String::new();
    let mut first: Option<String> = None;
    for part in parts {
        match part {
            Part::Text(literal) => text.push_str(literal),
            Part::Hole(hole) => {
                let name = hole.source.given_name();
                let Some(value) = had(hole, values) else {
                    return Err(FillError::Missing { name });
                };
                text.push_str(&argument(Piece::of(&value, &name)?.text, &name)?);
                first.get_or_insert(name);
            }
        }
    }
    let name = first.unwrap_or_default();
    let word = match lead {
        Lead::Text => argument(text, &name)?,
        Lead::Dash(option) if text == *option => {
            return Err(FillError::Empty {
                name,
                option: option.clone(),
            });
        }
        Lead::Dash(_) => argument(text, &name)?,
        Lead::Value(place) => {
            let piece = Piece {
                text,
                is_number: false,
            };
            checked_word(piece, place, &name)?
        }
    };
    line.push(word, WordKind::Value, &name)
}
