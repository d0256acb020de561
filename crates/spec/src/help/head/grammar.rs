//! The grammar of a head.
//!
//! Nothing is skipped: a word that is neither a spelling, nor what joins two, nor a value makes the text prose.

use super::scanner::Scanner;
use super::spelling::{Spelling, spelling};
use super::value::{RawValue, attached, is_prose_word, token};
use crate::help::text::{is_placeholder, is_upper_word};

const MAX_FORMS: usize = 64;
const MAX_HEAD: usize = 4096;

/// What joins a form to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// It is the first.
    First,
    /// `-a, --all`
    Comma,
    /// `-a or --all`
    Or,
    /// `-a/--all`
    Slash,
    /// `--on / --off`
    SpacedSlash,
    /// `-a|--all`
    Pipe,
    /// `-a FILE | -b FILE`
    SpacedPipe,
    /// `-a --all`
    Space,
    /// `-a [ --all ]`
    Bracket,
    /// `-a; -b`
    Semicolon,
}

/// One spelling, with what joins it and with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) link: Link,
    pub(crate) names: Vec<String>,
    pub(crate) value: Option<RawValue>,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Head {
    pub(crate) forms: Vec<Form>,
    /// Whether dots behind a spelling say that it may be repeated.
    pub(crate) repeats: bool,
    /// What stands in round brackets behind it.
    pub(crate) remark: Option<String>,
    /// How many values are plain words in small letters, which prose is made of, too.
    pub(crate) plain_words: usize,
    /// How many values begin with a capital, as sentences do.
    pub(crate) capitalised: usize,
    /// How many values are words that sentences about options are made of.
    pub(crate) nouns: usize,
}

impl Head {
    /// Goes on with `other`, as if a comma joined them.
    pub(crate) fn and(mut self, other: Self) -> Self {
        let joined = other.forms.into_iter().map(|form| match form.link {
            Link::First => Form {
                link: Link::Comma,
                ..form
            },
            Link::Comma
            | Link::Or
            | Link::Slash
            | Link::SpacedSlash
            | Link::Pipe
            | Link::SpacedPipe
            | Link::Space
            | Link::Bracket
            | Link::Semicolon => form,
        });
        self.forms.extend(joined);
        self.repeats |= other.repeats;
        self.remark = self.remark.or(other.remark);
        self
    }

    /// `--wind: <north|south>: text`: takes the value that stands before the description, and returns that.
    pub(crate) fn value_before_text<'t>(&mut self, text: &'t str) -> &'t str {
        let mut scanner = Scanner::new(text);
        let inside = scanner.is_at("<").then(|| scanner.enclosed()).flatten();
        let behind = scanner.rest().strip_prefix(':').map(str::trim_start);
        match (inside, behind, self.forms.last_mut()) {
            (Some(inside), Some(behind), Some(last)) if last.value.is_none() => {
                last.value = Some(RawValue {
                    text: inside.to_owned(),
                    optional: false,
                });
                behind
            }
            _ => text,
        }
    }

    /// Whether its last spelling is a word of some length.
    pub(crate) fn is_long(&self) -> bool {
        let last = self.forms.last().and_then(|form| form.names.last());
        last.is_some_and(|name| name.starts_with("--") && name.len() > 9)
    }
}

/// Reads `field` as a head, all of it.
pub(crate) fn parse(field: &str) -> Option<Head> {
    if field.len() > MAX_HEAD || !is_balanced(field) {
        return None;
    }
    let mut parser = Parser {
        scanner: Scanner::new(field),
        head: Head::default(),
        link: Link::First,
        seen: false,
    };
    parser.run()?;
    let is_head = parser.seen && matches!(parser.link, Link::Space | Link::First);
    is_head.then_some(parser.head)
}

struct Parser<'t> {
    scanner: Scanner<'t>,
    head: Head,
    /// What the next form is joined by.
    link: Link,
    /// Whether anything with a dash was read, placeholders too.
    seen: bool,
}

impl<'t> Parser<'t> {
    fn run(&mut self) -> Option<()> {
        loop {
            let spaces = self.scanner.skip_spaces();
            let Some(c) = self.scanner.peek() else {
                return Some(());
            };
            match c {
                '-' => self.form()?,
                '+' if !self.is_signed_value() => self.form()?,
                ',' if self.seen => self.join(Link::Comma)?,
                ';' if self.seen && self.scanner.rest().trim_end() != ";" => self.join(Link::Semicolon)?,
                '|' | '/' if self.seen => self.alternative(c, spaces)?,
                '[' if self.seen || self.opens_with_dash() => self.square()?,
                '(' if self.seen => self.round()?,
                '.' => self.dots()?,
                '*' if self.seen && self.scanner.rest() == "*" => {
                    self.scanner.take(1);
                }
                _ if self.seen => self.word()?,
                _ => return None,
            }
        }
    }

    /// `-days +int`
    fn is_signed_value(&self) -> bool {
        self.seen
            && self.link == Link::Space
            && self
                .scanner
                .rest()
                .chars()
                .take(3)
                .filter(char::is_ascii_alphanumeric)
                .count()
                > 1
    }

    /// Three dots repeat, more of them lead the eye to the next column.
    fn dots(&mut self) -> Option<()> {
        let dots = self.scanner.take_while(|c| c == '.').len();
        self.head.repeats |= dots == 3;
        (self.seen && dots > 2).then_some(())
    }

    fn form(&mut self) -> Option<()> {
        if self.head.forms.len() >= MAX_FORMS {
            return None;
        }
        match spelling(&mut self.scanner)? {
            Spelling::Names(names) => {
                let value = attached(&mut self.scanner).or_else(|| self.glued());
                self.head.forms.push(Form {
                    link: self.link,
                    names,
                    value,
                });
                if self.scanner.eat("...") {
                    self.head.repeats = true;
                }
                self.skip_bare_alternatives();
            }
            Spelling::Placeholder => {
                attached(&mut self.scanner);
            }
        }
        self.seen = true;
        self.link = Link::Space;
        // A letter right behind a spelling is none of the grammar's: `-x'y`, `--a!`.
        let ends = self
            .scanner
            .peek()
            .is_none_or(|c| matches!(c, ' ' | ',' | ';' | '|' | '/' | '[' | '(' | '.'));
        ends.then_some(())
    }

    /// `-Idirectory`, where the spelling ended in front of its value.
    fn glued(&mut self) -> Option<RawValue> {
        let is_glued = self.scanner.peek().is_some_and(|c| c.is_ascii_lowercase());
        is_glued.then(|| RawValue {
            text: token(&mut self.scanner).to_owned(),
            optional: false,
        })
    }

    /// `-v|vv|vvv` and `-PS/PA/PU[ports]`: the rest has no dash, so it does not stand in the text as a spelling.
    fn skip_bare_alternatives(&mut self) {
        loop {
            let mut ahead = self.scanner.clone();
            if !(ahead.eat("|") || ahead.eat("/")) {
                return;
            }
            let word = ahead.take_while(|c| c.is_ascii_alphanumeric() || c == '-');
            if word.is_empty() || word.starts_with('-') {
                return;
            }
            let value = attached(&mut ahead);
            if let Some(last) = self.head.forms.last_mut()
                && last.value.is_none()
            {
                last.value = value;
            }
            self.scanner = ahead;
        }
    }

    fn join(&mut self, link: Link) -> Option<()> {
        self.scanner.take(1);
        self.scanner.skip_spaces();
        self.link = link;
        self.expect_form()
    }

    fn expect_form(&mut self) -> Option<()> {
        if matches!(self.scanner.peek(), Some('-' | '+')) || self.opens_with_dash() {
            return Some(());
        }
        // `-h, --help, /?`
        if self.scanner.is_at("/") && self.link == Link::Comma {
            self.scanner.take(1);
            let name = self.scanner.take_while(|c| c.is_ascii_alphanumeric() || c == '?');
            self.link = Link::Space;
            return (!name.is_empty()).then_some(());
        }
        // `-x, --yy, or --zz`
        let mut ahead = self.scanner.clone();
        if ahead.eat("or ") && matches!(ahead.peek(), Some('-' | '+')) {
            self.scanner = ahead;
            return Some(());
        }
        None
    }

    fn alternative(&mut self, sign: char, spaces: usize) -> Option<()> {
        self.scanner.take(1);
        let behind = self.scanner.skip_spaces();
        if matches!(self.scanner.peek(), Some('-' | '+')) && self.scanner.peek_second() != Some(' ') {
            self.link = match sign {
                '/' if spaces > 0 && behind > 0 => Link::SpacedSlash,
                '/' => Link::Slash,
                _ if spaces > 0 && behind > 0 => Link::SpacedPipe,
                _ => Link::Pipe,
            };
            return Some(());
        }
        // `--auth USER[:PASS] | TOKEN`
        let text = token(&mut self.scanner);
        let value = self.head.forms.last_mut()?.value.as_mut()?;
        if text.is_empty() {
            return None;
        }
        value.text.push('|');
        value.text.push_str(text);
        Some(())
    }

    /// `[--all]`, `[ -a ]`, but not `[-/]MODE`.
    fn opens_with_dash(&self) -> bool {
        let inside = self
            .scanner
            .is_at("[")
            .then(|| self.scanner.peek_enclosed())
            .flatten();
        inside.is_some_and(|inside| {
            let mut chars = inside.trim_start().chars();
            chars.next() == Some('-')
                && chars
                    .next()
                    .is_some_and(|c| matches!(c, '-' | '?') || c.is_ascii_alphanumeric())
        })
    }

    fn square(&mut self) -> Option<()> {
        if !self.opens_with_dash() {
            return self.word();
        }
        let inside = self.scanner.enclosed()?;
        let inner = parse(inside.trim())?;
        let link = match self.link {
            Link::Space => Link::Bracket,
            link @ (Link::First
            | Link::Comma
            | Link::Or
            | Link::Slash
            | Link::SpacedSlash
            | Link::Pipe
            | Link::SpacedPipe
            | Link::Bracket
            | Link::Semicolon) => link,
        };
        for (index, form) in inner.forms.into_iter().enumerate() {
            let link = if index == 0 { link } else { form.link };
            self.head.forms.push(Form { link, ..form });
        }
        self.seen = true;
        self.link = Link::Space;
        Some(())
    }

    /// A remark: `(-r)`, `("one")`, `(a string; default: "x")`, and the `(=10)` that gives a default.
    fn round(&mut self) -> Option<()> {
        let inside = self.scanner.enclosed()?;
        let goes_on = self
            .scanner
            .peek()
            .is_some_and(|c| !matches!(c, ' ' | ',' | '.' | '*'));
        if goes_on {
            return self.mode(inside);
        }
        let remark = self.head.remark.get_or_insert_default();
        if !remark.is_empty() {
            remark.push(' ');
        }
        remark.push_str(inside);
        Some(())
    }

    /// `(+|-)x`: a choice that a word goes on with is a value.
    fn mode(&mut self, inside: &str) -> Option<()> {
        let last = self.head.forms.last_mut()?;
        if last.value.is_some() || !inside.contains('|') {
            return None;
        }
        let text = format!("({inside}){}", token(&mut self.scanner));
        last.value = Some(RawValue {
            text,
            optional: false,
        });
        Some(())
    }

    fn word(&mut self) -> Option<()> {
        let mut ahead = self.scanner.clone();
        if ahead.eat("or ") && matches!(ahead.peek(), Some('-' | '+')) {
            self.scanner = ahead;
            self.link = Link::Or;
            return Some(());
        }
        let is_optional = self.scanner.is_at("[");
        let text = token(&mut self.scanner);
        self.count(text)?;
        let last = self.head.forms.last_mut()?;
        match &mut last.value {
            Some(value) => {
                value.text.push(' ');
                value.text.push_str(text);
            }
            None => {
                last.value = Some(word_value(text, is_optional));
            }
        }
        Some(())
    }

    /// Refuses what only a sentence has.
    fn count(&mut self, text: &str) -> Option<()> {
        let is_end = text.ends_with(['.', '!', '?', ':']) && !text.ends_with("..") && text != "?";
        if text.is_empty() || is_end || is_prose_word(text) {
            return None;
        }
        let is_name = text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '\'' | ','));
        let name = self.head.forms.last().and_then(|form| form.names.last());
        // `-linkflags flags` is called after its value.
        let is_called_so = name.is_some_and(|name| name.len() > text.len() + 2 && name.ends_with(text));
        if matches!(text, "option" | "options" | "flag" | "flags") && !is_called_so {
            self.head.nouns += 1;
        }
        if is_name && !is_upper_word(text) && !text.chars().all(|c| c.is_ascii_digit()) {
            let small = text.chars().filter(|c| c.is_lowercase()).count();
            if text.starts_with(char::is_uppercase) && small < 2 {
                // `NxN`
            } else if text.starts_with(char::is_uppercase) && !is_placeholder(text) {
                self.head.capitalised += 1;
            } else {
                self.head.plain_words += 1;
            }
        }
        Some(())
    }
}

/// Whether every bracket is closed somewhere.
fn is_balanced(field: &str) -> bool {
    let (mut square, mut curly, mut round, mut angle) = (0_i32, 0_i32, 0_i32, 0_i32);
    let mut before = 0;
    for byte in field.bytes() {
        match byte {
            // What a placeholder says is its own affair: `<old (%) or new ({)>`.
            b'[' | b']' | b'{' | b'}' | b'(' | b')' if angle > 0 && square == 0 => {}
            b'[' => square += 1,
            b']' => square -= 1,
            b'{' => curly += 1,
            b'}' => curly -= 1,
            b'(' => round += 1,
            b')' => round -= 1,
            b'<' => angle += 1,
            b'>' => angle -= 1,
            // In `[1<=x<=9]` and `[x>=1]` the sign compares.
            b'=' if before == b'<' => angle -= 1,
            _ => {}
        }
        before = byte;
    }
    square == 0 && curly == 0 && round == 0 && angle <= 0
}

fn word_value(text: &str, is_optional: bool) -> RawValue {
    let inside = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match inside {
        // A choice in brackets is a choice of values: one has to be given.
        Some(inside) if is_optional && !inside.contains(['[', ']']) => RawValue {
            text: inside.trim().to_owned(),
            optional: !inside.contains('|'),
        },
        Some(_) | None => RawValue {
            text: text.to_owned(),
            optional: is_optional && text.ends_with(']'),
        },
    }
}
