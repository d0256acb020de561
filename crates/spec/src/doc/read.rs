//! JSON text into nodes that know their place: strict, under limits, without recursion.
//!
//! It accepts what RFC 8259 accepts and no more: no comments, no trailing commas, no second value, no name twice, no
//! byte order mark. Written by hand because the readers that keep positions are made for files that people edit: they
//! take raw control characters in strings and any Unicode blank between values, and that cannot be switched off.

use argrail_acli::Text;

use super::diagnostic::{Diagnostic, Severity};
use super::limits::Limits;
use super::node::{Member, Node, Object, Span, Value};
use super::place::{Lines, Place};
use super::token::{self, Wrong};
use super::yaml;

/// The byte order mark that some editors put before UTF-8.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// A text that was read, with what is needed to point into it.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The outermost value.
    pub root: Node,
    text: String,
    lines: Lines,
}

impl Document {
    /// Reads JSON.
    ///
    /// # Errors
    /// `doc/too-large`, `doc/too-deep`, `doc/too-many`, `doc/bom`, `doc/not-utf8`, `doc/empty`, `doc/syntax` or
    /// `doc/duplicate-key`, with the place.
    pub fn json(text: &[u8], limits: &Limits) -> Result<Self, Diagnostic> {
        check_size(text, limits)?;
        if text.starts_with(BOM) {
            let span = Span {
                start: 0,
                end: BOM.len(),
            };
            let message = Text::new("the text begins with a byte order mark, which JSON does not have");
            let hint = "save it as UTF-8 without a byte order mark";
            return Err(error("doc/bom", span, message).hint(hint).fix(span, ""));
        }
        let text = utf8(text)?;
        let root = Reader::new(text, limits).document()?;
        Ok(Self::of(root, text))
    }

    /// Reads YAML: one document, with the values that JSON has. A byte order mark may stand before it.
    ///
    /// # Errors
    /// Those of JSON but `doc/bom`, and `doc/tag`, `doc/merge-key`, `doc/alias` or `doc/number`, with the place.
    pub fn yaml(text: &[u8], limits: &Limits) -> Result<Self, Diagnostic> {
        check_size(text, limits)?;
        let text = utf8(text)?;
        let part = Span {
            start: if text.as_bytes().starts_with(BOM) {
                BOM.len()
            } else {
                0
            },
            end: text.len(),
        };
        let root = yaml::read(text, part, limits)?;
        Ok(Self::of(root, text))
    }

    pub(super) fn of(root: Node, text: &str) -> Self {
        Self {
            root,
            text: text.to_owned(),
            lines: Lines::of(text.as_bytes()),
        }
    }

    /// Returns the line and column of a byte.
    pub fn place(&self, offset: usize) -> Place {
        self.lines.place(self.text.as_bytes(), offset)
    }

    /// Returns the text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }
}

pub(super) fn error(code: &'static str, span: Span, message: Text) -> Diagnostic {
    Diagnostic::new(Severity::Error, code, span, message.to_string())
}

pub(super) fn check_size(text: &[u8], limits: &Limits) -> Result<(), Diagnostic> {
    if text.len() <= limits.bytes {
        return Ok(());
    }
    let message = Text::new("the text has {} bytes, at most {} are read")
        .number(text.len())
        .number(limits.bytes);
    let span = Span { start: 0, end: 0 };
    Err(error("doc/too-large", span, message).hint("split it, or leave out what repeats"))
}

pub(super) fn utf8(text: &[u8]) -> Result<&str, Diagnostic> {
    std::str::from_utf8(text).map_err(|invalid| {
        let start = invalid.valid_up_to();
        let end = start + invalid.error_len().unwrap_or(text.len() - start);
        error(
            "doc/not-utf8",
            Span { start, end },
            Text::new("the text is not UTF-8"),
        )
        .hint("save it as UTF-8")
    })
}

/// A container whose end was not seen yet.
enum Open {
    Array {
        start: usize,
        items: Vec<Node>,
    },
    Object {
        start: usize,
        members: Vec<Member>,
        /// The name whose value comes next.
        key: (String, Span),
    },
}

/// What a finished value led to.
enum Step {
    /// Another value begins here.
    Next,
    /// The container around it is finished, and is a value itself.
    Closed(Node),
    /// The document is finished.
    Whole(Node),
}

struct Reader<'t> {
    text: &'t str,
    limits: &'t Limits,
    at: usize,
    nodes: usize,
    open: Vec<Open>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, limits: &'t Limits) -> Self {
        Self {
            text,
            limits,
            at: 0,
            nodes: 0,
            open: Vec::new(),
        }
    }

    fn document(mut self) -> Result<Node, Diagnostic> {
        self.blanks();
        if self.peek().is_none() {
            let span = Span {
                start: 0,
                end: self.at,
            };
            return Err(error("doc/empty", span, Text::new("there is nothing to read"))
                .hint("a document is one JSON value"));
        }
        loop {
            self.blanks();
            let Some(mut node) = self.value()? else { continue };
            // A finished value may finish the containers around it, too.
            loop {
                match self.place_in_parent(node)? {
                    Step::Next => break,
                    Step::Closed(container) => node = container,
                    Step::Whole(root) => return Ok(root),
                }
            }
        }
    }

    /// Reads a scalar or an empty container whole; the beginning of another container is put on the stack.
    fn value(&mut self) -> Result<Option<Node>, Diagnostic> {
        let start = self.at;
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            let message = Text::new("there are more than {} values").number(self.limits.nodes);
            let hint = "split it, or leave out what repeats";
            return Err(error("doc/too-many", self.here(), message).hint(hint));
        }
        let value = match self.peek() {
            Some(b'{') => return self.open_object(start),
            Some(b'[') => return self.open_array(start),
            Some(b'"') => {
                let (text, end) = token::string(self.text, start).map_err(syntax)?;
                self.at = end;
                Value::String(text)
            }
            Some(b'-' | b'0'..=b'9') => {
                let (number, end) = token::number(self.text, start).map_err(syntax)?;
                self.at = end;
                Value::Number(number)
            }
            Some(_) | None => self.word()?,
        };
        Ok(Some(self.node(start, value)))
    }

    fn word(&mut self) -> Result<Value, Diagnostic> {
        let words = [
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("null", Value::Null),
        ];
        let rest = self.text.get(self.at..).unwrap_or_default();
        match words.into_iter().find(|(word, _)| rest.starts_with(word)) {
            Some((word, value)) => {
                self.at += word.len();
                Ok(value)
            }
            None => Err(self.unexpected("a value")),
        }
    }

    fn open_array(&mut self, start: usize) -> Result<Option<Node>, Diagnostic> {
        self.descend()?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Some(self.node(start, Value::Array(Vec::new()))));
        }
        self.open.push(Open::Array {
            start,
            items: Vec::new(),
        });
        Ok(None)
    }

    fn open_object(&mut self, start: usize) -> Result<Option<Node>, Diagnostic> {
        self.descend()?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Some(self.node(start, Value::Object(Object::default()))));
        }
        let key = self.key("a name in quotes or '}'")?;
        self.open.push(Open::Object {
            start,
            members: Vec::new(),
            key,
        });
        Ok(None)
    }

    /// Steps over an opening bracket, if that is not one too many.
    fn descend(&mut self) -> Result<(), Diagnostic> {
        let most = self.limits.depth.min(Limits::DEEPEST);
        if self.open.len() >= most {
            let message = Text::new("values stand more than {} deep inside each other").number(most);
            return Err(error("doc/too-deep", self.here(), message).hint("make it flatter"));
        }
        self.at += 1;
        self.blanks();
        Ok(())
    }

    /// Reads a name and the colon after it.
    fn key(&mut self, expected: &'static str) -> Result<(String, Span), Diagnostic> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.unexpected(expected));
        }
        let (key, end) = token::string(self.text, start).map_err(syntax)?;
        self.at = end;
        self.blanks();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("':' after a name"));
        }
        self.at += 1;
        Ok((key, Span { start, end }))
    }

    /// Puts a finished value where it belongs.
    fn place_in_parent(&mut self, node: Node) -> Result<Step, Diagnostic> {
        self.blanks();
        let next = self.peek();
        match self.open.pop() {
            None if next.is_none() => Ok(Step::Whole(node)),
            None => Err(self.unexpected("nothing after the value")),
            Some(Open::Array { start, mut items }) => {
                items.push(node);
                match next {
                    Some(b',') => {
                        self.at += 1;
                        self.open.push(Open::Array { start, items });
                        Ok(Step::Next)
                    }
                    Some(b']') => {
                        self.at += 1;
                        Ok(Step::Closed(self.node(start, Value::Array(items))))
                    }
                    Some(_) | None => Err(self.unexpected("',' or ']'")),
                }
            }
            Some(Open::Object {
                start,
                mut members,
                key: (key, key_span),
            }) => {
                members.push(Member { key, key_span, node });
                match next {
                    Some(b',') => {
                        self.at += 1;
                        self.blanks();
                        let key = self.key("a name in quotes")?;
                        self.open.push(Open::Object { start, members, key });
                        Ok(Step::Next)
                    }
                    Some(b'}') => {
                        self.at += 1;
                        unique(&members)?;
                        let object = Value::Object(Object { members });
                        Ok(Step::Closed(self.node(start, object)))
                    }
                    Some(_) | None => Err(self.unexpected("',' or '}'")),
                }
            }
        }
    }

    fn node(&self, start: usize, value: Value) -> Node {
        Node {
            span: Span { start, end: self.at },
            value,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += rest.iter().take_while(blank).count();
    }

    /// Returns the span of the character that comes next.
    fn here(&self) -> Span {
        let next = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        Span {
            start: self.at,
            end: self.at + next.map_or(0, char::len_utf8),
        }
    }

    fn unexpected(&self, expected: &'static str) -> Diagnostic {
        let span = self.here();
        let found = self.text.get(span.start..span.end).unwrap_or_default();
        let message = if found.is_empty() {
            Text::new("expected {}, and the text ends").word(expected)
        } else {
            Text::new("expected {}, got {}").word(expected).value(found)
        };
        let before = self.text.get(..self.at).unwrap_or_default().trim_end();
        let hint = match found {
            "/" | "#" => "JSON has no comments",
            "'" => "strings and names stand in double quotes",
            "]" | "}" if before.ends_with(',') => "leave out the comma before it",
            _ if self.open.is_empty() => "a document is one JSON value, without text around it",
            _ => "look at what stands before it: a comma, a quote or a bracket may be missing",
        };
        error("doc/syntax", span, message).hint(hint)
    }
}

fn syntax(wrong: Wrong) -> Diagnostic {
    let span = Span {
        start: wrong.at.start,
        end: wrong.at.end,
    };
    error("doc/syntax", span, Text::new(wrong.what)).hint(wrong.hint)
}

/// Refuses a name that stands twice: readers disagree about which one counts.
pub(super) fn unique(members: &[Member]) -> Result<(), Diagnostic> {
    let mut sorted: Vec<&Member> = members.iter().collect();
    sorted.sort_by(|a, b| (&a.key, a.key_span.start).cmp(&(&b.key, b.key_span.start)));
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    let again = pairs.filter(|(first, second)| first.key == second.key);
    match again
        .map(|(_, second)| second)
        .min_by_key(|member| member.key_span.start)
    {
        None => Ok(()),
        Some(member) => {
            let message = Text::new("the name {} stands twice in one object").value(&member.key);
            let hint = "remove one of the two: programs disagree about which one counts";
            Err(error("doc/duplicate-key", member.key_span, message).hint(hint))
        }
    }
}
