//! Reading a template, word by word. Every word is read, so that everything is told at once.

use std::ops::Range;

use serde_json::{Number, Value};

use super::model::{Ending, Filter, Hole, Part, Source, Template};
use super::places::arrange;
use super::template_error::{Problem, TemplateError};
use crate::doc::Spanned;

/// The most words of a template.
const MOST_WORDS: usize = 256;
/// The most placeholders of one word.
const MOST_HOLES: usize = 32;
/// The most filters of one placeholder.
const MOST_FILTERS: usize = 8;
/// The most steps of a path.
const MOST_STEPS: usize = 16;
/// The most characters of a name, a number or the name of a filter.
const LONGEST_NAME: usize = 128;

impl Template {
    /// Reads the words after a program.
    ///
    /// # Errors
    /// Everything that is wrong with them, in order.
    pub fn parse(words: &[Spanned<String>]) -> Result<Self, Vec<TemplateError>> {
        if words.len() > MOST_WORDS {
            let of = "words";
            let most = MOST_WORDS;
            return Err(vec![TemplateError {
                word: most,
                at: 0..0,
                span: words.get(most).map(|word| word.span).unwrap_or_default(),
                problem: Problem::TooMany { most, of },
            }]);
        }
        let mut read = Vec::new();
        let mut wrong = Vec::new();
        for (index, word) in words.iter().enumerate() {
            match parts(index, word) {
                Ok(parts) => read.push((index, parts)),
                Err(Wrong { at, problem }) => wrong.push(TemplateError {
                    word: index,
                    at,
                    span: word.span,
                    problem,
                }),
            }
        }
        let (words, misplaced) = arrange(words, read);
        wrong.extend(misplaced);
        wrong.sort_by_key(|error| error.word);
        match wrong.is_empty() {
            true => Ok(Self { words }),
            false => Err(wrong),
        }
    }
}

/// What is wrong inside of one word.
struct Wrong {
    at: Range<usize>,
    problem: Problem,
}

fn parts(index: usize, word: &str) -> Result<Vec<Part>, Wrong> {
    let mut reader = Reader { text: word, at: 0 };
    if let Some(at) = word.find('\0') {
        return Err(reader.wrong(at, Problem::Nul));
    }
    let mut parts = Vec::new();
    while let Some((before, _)) = reader.rest().split_once("${") {
        if !before.is_empty() {
            parts.push(Part::Text(before.to_owned()));
        }
        let start = reader.at + before.len();
        reader.at = start + 2;
        let mut hole = reader.hole(start)?;
        hole.word = index;
        parts.push(Part::Hole(hole));
        if parts.len() > 2 * MOST_HOLES {
            let most = MOST_HOLES;
            let of = "placeholders in one word";
            return Err(reader.wrong(start, Problem::TooMany { most, of }));
        }
    }
    if !reader.rest().is_empty() || parts.is_empty() {
        parts.push(Part::Text(reader.rest().to_owned()));
    }
    Ok(parts)
}

struct Reader<'w> {
    text: &'w str,
    at: usize,
}

impl<'w> Reader<'w> {
    fn rest(&self) -> &'w str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes characters as long as they are of a kind.
    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'w str {
        let rest = self.rest();
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.take_while(|c| c == ' ' || c == '\t');
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        if is_there {
            self.at += wanted.len_utf8();
        }
        is_there
    }

    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), Wrong> {
        match self.take(wanted) {
            true => Ok(()),
            false => Err(self.unexpected(expected)),
        }
    }

    fn wrong(&self, start: usize, problem: Problem) -> Wrong {
        let next = self.text.get(start..).and_then(|rest| rest.chars().next());
        let end = self.at.max(start + next.map_or(0, char::len_utf8));
        Wrong {
            at: start..end,
            problem,
        }
    }

    fn unexpected(&self, expected: &'static str) -> Wrong {
        match self.peek().map(String::from) {
            Some(came) => self.wrong(self.at, Problem::Unexpected { expected, came }),
            // Whatever was expected: what is missing is the end of the placeholder.
            None => self.wrong(self.at, Problem::Open),
        }
    }

    /// Reads a placeholder behind its `${`.
    fn hole(&mut self, start: usize) -> Result<Hole, Wrong> {
        self.skip_blanks();
        let source = self.source(start)?;
        let mut filters = Vec::new();
        let mut ending = Ending::Plain;
        self.skip_blanks();
        while self.take('|') {
            self.skip_blanks();
            let at = self.at;
            if filters.len() >= MOST_FILTERS {
                let most = MOST_FILTERS;
                let of = "filters";
                return Err(self.wrong(at, Problem::TooMany { most, of }));
            }
            if ending != Ending::Plain {
                self.take_while(is_name);
                let ended = match ending {
                    Ending::Optional(_) => "optional",
                    Ending::Flag(_) | Ending::Plain => "flag",
                };
                return Err(self.wrong(at, Problem::Behind(ended)));
            }
            self.filter(&mut filters, &mut ending)?;
            self.skip_blanks();
        }
        self.expect('}', "'|' or '}'")?;
        Ok(Hole {
            source,
            filters,
            ending,
            word: 0,
            at: start..self.at,
        })
    }

    fn source(&mut self, start: usize) -> Result<Source, Wrong> {
        let at = self.at;
        let word = self.name()?;
        let mut steps = Vec::new();
        while self.take('.') {
            if steps.len() >= MOST_STEPS {
                let most = MOST_STEPS;
                let of = "steps in a path";
                return Err(self.wrong(at, Problem::TooMany { most, of }));
            }
            steps.push(self.name()?.to_owned());
        }
        match word {
            "input" | "context" | "secrets" if steps.is_empty() => Err(self.unexpected("'.' and a name")),
            "input" => Ok(Source::Input(steps)),
            "context" => Ok(Source::Context(steps)),
            "value" if steps.is_empty() => Ok(Source::Value),
            "value" => Err(self.wrong(at, Problem::Source(format!("value.{}", steps.join("."))))),
            "secrets" => Err(self.wrong(start, Problem::Secret(steps.join(".")))),
            other => Err(self.wrong(at, Problem::Source(other.to_owned()))),
        }
    }

    fn name(&mut self) -> Result<&'w str, Wrong> {
        let start = self.at;
        let name = self.take_while(is_name);
        if name.is_empty() {
            return Err(self.unexpected("a name"));
        }
        if name.chars().nth(LONGEST_NAME).is_some() {
            let most = LONGEST_NAME;
            let of = "characters in a name";
            return Err(self.wrong(start, Problem::TooMany { most, of }));
        }
        Ok(name)
    }

    fn filter(&mut self, filters: &mut Vec<Filter>, ending: &mut Ending) -> Result<(), Wrong> {
        let start = self.at;
        let has_default = filters.iter().any(|filter| matches!(filter, Filter::Default(_)));
        let is_json = filters.contains(&Filter::Json);
        match self.name()? {
            "json" if is_json => return Err(self.wrong(start, Problem::Order("json"))),
            "json" => filters.push(Filter::Json),
            "default" if has_default => return Err(self.wrong(start, Problem::Order("default"))),
            "default" => {
                let value = self.in_brackets(Self::literal)?;
                filters.push(Filter::Default(value));
            }
            "optional" => *ending = Ending::Optional(self.option()?),
            // The text of a value is neither true nor false.
            "flag" if is_json => return Err(self.wrong(start, Problem::Order("flag"))),
            "flag" => *ending = Ending::Flag(self.option()?),
            other => return Err(self.wrong(start, Problem::Filter(other.to_owned()))),
        }
        Ok(())
    }

    fn in_brackets<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Wrong>) -> Result<T, Wrong> {
        self.skip_blanks();
        self.expect('(', "'('")?;
        self.skip_blanks();
        let inside = read(self)?;
        self.skip_blanks();
        self.expect(')', "')'")?;
        Ok(inside)
    }

    fn option(&mut self) -> Result<String, Wrong> {
        let start = self.at;
        let word = self.in_brackets(Self::text)?;
        let name = word.trim_end_matches('=').trim_start_matches('-');
        let is_option = word.starts_with('-')
            && !name.is_empty()
            && !word.contains(|c: char| c.is_whitespace() || c.is_control());
        match is_option {
            true => Ok(word),
            false => Err(self.wrong(start, Problem::Option(word))),
        }
    }

    /// Reads a text in single quotes. `\'` and `\\` are what they escape.
    fn text(&mut self) -> Result<String, Wrong> {
        self.expect('\'', "a text in single quotes")?;
        let mut text = String::new();
        loop {
            text.push_str(self.take_while(|c| c != '\'' && c != '\\'));
            if self.take('\'') {
                return Ok(text);
            }
            if !self.take('\\') {
                return Err(self.unexpected("a closing quote"));
            }
            match self.peek() {
                Some(c @ ('\'' | '\\')) => {
                    self.take(c);
                    text.push(c);
                }
                Some(_) | None => return Err(self.unexpected("' or \\ behind a backslash")),
            }
        }
    }

    /// Reads what a default may be.
    fn literal(&mut self) -> Result<Value, Wrong> {
        if self.peek() == Some('\'') {
            return self.text().map(Value::String);
        }
        if self.take('[') {
            // No words at all: what is not given is left out.
            self.expect(']', "']'")?;
            return Ok(Value::Array(Vec::new()));
        }
        let start = self.at;
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        match word {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => number(word).ok_or_else(|| {
                self.at = start;
                self.unexpected("a text in single quotes, a number, true, false or []")
            }),
        }
    }
}

/// Whether a character may be part of a name: any but those that the grammar uses.
fn is_name(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !".|{}()'\"\\,=".contains(c)
}

/// Reads a number as JSON has it.
fn number(text: &str) -> Option<Value> {
    if text.len() > LONGEST_NAME {
        return None;
    }
    let number: Number = serde_json::from_str(text).ok()?;
    Some(Value::Number(number))
}
