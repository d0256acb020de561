//! One value of a manifest with the way to it: read as what it must be, or complained about.

use std::ops::{Range, RangeInclusive};

use argrail_acli::nearest;
use serde_json::Map;

use super::closed::Closed;
use super::path::Path;
use super::rules::{TYPE, VALUE};
use crate::doc::fields::{Complaints, Quoted, came};
use crate::doc::{Diagnostic, Document, Node, Rule, Span, Spanned, Value};

/// The most entries of one list. Real ones have a few dozen.
pub(crate) const MAX_ITEMS: usize = 2_000;

/// One value, the way to it, and the text it stands in.
#[derive(Debug, Clone)]
pub(crate) struct Field<'a> {
    pub(crate) node: &'a Node,
    pub(crate) path: Path,
    source: &'a str,
}

impl<'a> Field<'a> {
    /// Returns the outermost value.
    pub(crate) fn root(document: &'a Document) -> Self {
        Self {
            node: &document.root,
            path: Path::default(),
            source: document.text(),
        }
    }

    /// Goes to a value inside.
    pub(crate) fn child(&self, node: &'a Node, path: Path) -> Self {
        Self {
            node,
            path,
            source: self.source,
        }
    }

    /// Goes to a field of the object that this is.
    pub(crate) fn member(&self, key: &str) -> Option<Self> {
        let member = self.node.as_object()?.member(key)?;
        Some(self.child(&member.node, self.path.key(key)))
    }

    pub(crate) fn span(&self) -> Span {
        self.node.span
    }

    /// Complains with a rule of the caller's; the way is put in front.
    pub(crate) fn refuse(&self, rule: Rule, what: impl AsRef<str>) -> Diagnostic {
        rule.error(self.span(), format!("{}: {}", self.path, what.as_ref()))
    }

    /// Complains with a rule of the caller's about something that can be used.
    pub(crate) fn warn(&self, rule: Rule, what: impl AsRef<str>) -> Diagnostic {
        rule.warning(self.span(), format!("{}: {}", self.path, what.as_ref()))
    }

    /// Complains that something else was expected.
    pub(crate) fn expected(&self, expected: &str) -> Diagnostic {
        self.refuse(VALUE, format!("expected {expected}, got {}", came(self.node)))
    }

    pub(crate) fn wrong_type(&self, expected: &str, out: &mut Complaints) {
        let complaint = self.refuse(TYPE, format!("expected {expected}, got {}", came(self.node)));
        let hint = match (&self.node.value, expected) {
            (Value::Number(_) | Value::Bool(_), "a string") => "put it in quotes",
            (Value::Null, _) => "give it a value, or leave the field out",
            (Value::String(word), "true or false") if matches!(word.as_str(), "true" | "false") => {
                "leave out the quotes"
            }
            (Value::String(word), "true or false")
                if matches!(word.as_str(), "yes" | "no" | "on" | "off") =>
            {
                "write true or false"
            }
            (Value::String(_), "an array") => "write a list: [one, other]",
            _ => "look at the example in the draft",
        };
        out.push(complaint.hint(hint));
    }

    /// Reads text. A NUL is never part of one.
    pub(crate) fn text(&self, out: &mut Complaints) -> Option<Spanned<String>> {
        let Some(text) = self.node.as_str() else {
            self.wrong_type("a string", out);
            return None;
        };
        if text.contains('\0') {
            out.push(
                self.refuse(VALUE, "the text holds a NUL character")
                    .hint("remove it"),
            );
            return None;
        }
        Some(Spanned::new(text.to_owned(), self.span()))
    }

    /// Reads text of a bounded number of characters.
    pub(crate) fn prose(
        &self,
        length: RangeInclusive<usize>,
        out: &mut Complaints,
    ) -> Option<Spanned<String>> {
        let text = self.text(out)?;
        let count = text.chars().count();
        if length.contains(&count) {
            return Some(text);
        }
        let what = format!(
            "expected {} to {} characters, got {count}",
            length.start(),
            length.end()
        );
        let hint = if count == 0 {
            "write something"
        } else {
            "say it shorter"
        };
        out.push(self.refuse(VALUE, what).hint(hint));
        None
    }

    /// Reads text of one line, not empty.
    pub(crate) fn line(&self, most: usize, out: &mut Complaints) -> Option<Spanned<String>> {
        let text = self.prose(1..=most, out)?;
        if text.chars().any(char::is_control) {
            let hint = "write it on one line, without tabs";
            out.push(
                self.refuse(VALUE, "the text holds a control character")
                    .hint(hint),
            );
            return None;
        }
        Some(text)
    }

    /// Reads text that a test accepts; `expected` says in words what that is.
    pub(crate) fn shaped(
        &self,
        test: impl Fn(&str) -> bool,
        expected: &'static str,
        hint: &'static str,
        out: &mut Complaints,
    ) -> Option<Spanned<String>> {
        let text = self.text(out)?;
        if test(&text) {
            return Some(text);
        }
        out.push(self.expected(expected).hint(hint));
        None
    }

    pub(crate) fn truth(&self, out: &mut Complaints) -> Option<bool> {
        match &self.node.value {
            Value::Bool(truth) => Some(*truth),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                self.wrong_type("true or false", out);
                None
            }
        }
    }

    /// Reads a whole number within bounds.
    pub(crate) fn whole(&self, range: RangeInclusive<u64>, out: &mut Complaints) -> Option<Spanned<u64>> {
        let number = match &self.node.value {
            Value::Number(number) => number,
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                self.wrong_type("a whole number", out);
                return None;
            }
        };
        match number.as_u64().filter(|number| range.contains(number)) {
            Some(number) => Some(Spanned::new(number, self.span())),
            None => {
                let (least, most) = (range.start(), range.end());
                let expected = match *most {
                    u64::MAX => format!("a whole number of at least {least}"),
                    most => format!("a whole number from {least} to {most}"),
                };
                out.push(
                    self.expected(&expected)
                        .hint("write it in digits, without quotes"),
                );
                None
            }
        }
    }

    /// Reads a whole number of either sign.
    pub(crate) fn integer(&self, out: &mut Complaints) -> Option<Spanned<i64>> {
        let number = match &self.node.value {
            Value::Number(number) => number.as_i64(),
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
        };
        if number.is_none() {
            out.push(
                self.expected("a whole number")
                    .hint("write it in digits, without quotes"),
            );
        }
        number.map(|number| Spanned::new(number, self.span()))
    }

    /// Reads a number within bounds.
    pub(crate) fn number(&self, range: RangeInclusive<f64>, out: &mut Complaints) -> Option<f64> {
        let number = match &self.node.value {
            Value::Number(number) => number.as_f64(),
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                self.wrong_type("a number", out);
                return None;
            }
        };
        let fits = number.filter(|number| range.contains(number));
        if fits.is_none() {
            let expected = format!("a number from {} to {}", range.start(), range.end());
            out.push(self.expected(&expected).hint("write another number"));
        }
        fits
    }

    pub(crate) fn items(&self, out: &mut Complaints) -> Option<Vec<Field<'a>>> {
        let Some(items) = self.node.as_array() else {
            self.wrong_type("an array", out);
            return None;
        };
        if items.len() > MAX_ITEMS {
            let what = format!("expected at most {MAX_ITEMS} entries, got {}", items.len());
            out.push(self.refuse(VALUE, what).hint("leave out what repeats"));
            return None;
        }
        let items = items.iter().enumerate();
        Some(
            items
                .map(|(index, item)| self.child(item, self.path.index(index)))
                .collect(),
        )
    }

    /// Reads a list with `read`; what does not fit is left out.
    pub(crate) fn list<T>(
        &self,
        out: &mut Complaints,
        mut read: impl FnMut(&Field<'a>, &mut Complaints) -> Option<T>,
    ) -> Option<Vec<T>> {
        let items = self.items(out)?;
        Some(items.iter().filter_map(|item| read(item, out)).collect())
    }

    /// Reads a list that must have an entry.
    pub(crate) fn some_items(&self, out: &mut Complaints) -> Option<Vec<Field<'a>>> {
        let items = self.items(out)?;
        if items.is_empty() {
            out.push(
                self.refuse(VALUE, "expected at least one entry, got none")
                    .hint("add one"),
            );
            return None;
        }
        Some(items)
    }

    /// Reads one of some words.
    pub(crate) fn choice<T: Copy>(&self, words: &[(&'static str, T)], out: &mut Complaints) -> Option<T> {
        let text = self.text(out)?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text.as_str()) {
            return Some(*value);
        }
        let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let complaint = self.expected(&format!("one of {}", all.join(", ")));
        out.push(match nearest(&text, all.iter().copied()) {
            Some(near) => complaint.hint(format!("did you mean {}?", Quoted(near))),
            None => complaint.hint("write one of these words"),
        });
        None
    }

    /// Opens an object.
    pub(crate) fn open(&self, out: &mut Complaints) -> Option<Closed<'a>> {
        let Some(object) = self.node.as_object() else {
            self.wrong_type("an object", out);
            return None;
        };
        Some(Closed::new(object, self.clone()))
    }

    /// Reads an object of anybody's own.
    pub(crate) fn map(&self, out: &mut Complaints) -> Option<Map<String, serde_json::Value>> {
        match self.node.to_json() {
            serde_json::Value::Object(map) => Some(map),
            _ => {
                self.wrong_type("an object", out);
                None
            }
        }
    }

    /// Returns where a part of this text stands, or all of it if that cannot be told.
    pub(crate) fn part(&self, start: usize, end: usize) -> Span {
        let text = self.node.as_str().unwrap_or_default();
        part_of(self.source, self.span(), text, start..end)
    }
}

/// Returns where a part of a text stands in its source, or all of it if that cannot be told.
pub(crate) fn part_of(source: &str, whole: Span, text: &str, part: Range<usize>) -> Span {
    let written = source.get(whole.start..whole.end).unwrap_or_default();
    // A plain text stands as it is, a quoted one after its quote, unless something in it is escaped.
    let shift = if written == text {
        0
    } else if written.get(1..written.len().saturating_sub(1)) == Some(text) {
        1
    } else {
        return whole;
    };
    Span {
        start: (whole.start + shift + part.start).min(whole.end),
        end: (whole.start + shift + part.end.max(part.start)).min(whole.end),
    }
}
