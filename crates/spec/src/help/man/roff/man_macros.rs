//! The macros of man(7), with those that docutils, pod2man and ronn put in front of their pages.
//!
//! Unknown macros are left out, as every formatter leaves them out.

use super::inline::{Font, Inline};
use super::layout::{Fill, Layout, write_fonts};
use super::request::Request;
use crate::help::man::line::Role;

/// The margin of text in a section.
const BASE: usize = 7;
/// How long a head may be.
const HEAD: usize = 4_000;
/// How deep `.RS` may stand in `.RS`.
const NESTING: usize = 50;

/// What the next line of text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Text,
    /// The head of a definition, whose body has this margin.
    Head(usize),
    /// The heading of a section or a part of one.
    Heading(Role),
    /// One line in that font: `.B` without words.
    Font(Font),
}

/// Whether a macro is one of those that are obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// It is.
    Yes,
    /// It is not, and nothing happened.
    No,
}

/// The state of a page that is written in man(7).
#[derive(Debug)]
pub(super) struct Man {
    /// The margins of the `.RS` that are open.
    margins: Vec<usize>,
    next: Next,
    /// How far bodies stand in, by the last `.TP` or `.IP` that said it.
    step: usize,
    /// A head that goes on in the next line.
    partial: Option<Inline>,
}

impl Default for Man {
    fn default() -> Self {
        Self {
            margins: Vec::new(),
            next: Next::Text,
            step: BASE,
            partial: None,
        }
    }
}

impl Man {
    /// Writes a line of text.
    pub(super) fn text(&mut self, number: usize, text: &str, page: &mut Layout) {
        match std::mem::replace(&mut self.next, Next::Text) {
            Next::Text => page.text(number, text),
            Next::Font(font) => page.fonts(number, &[text.to_owned()], [font, font], " "),
            Next::Head(body) => {
                let words = [text.to_owned()];
                self.head(number, &words, [Font::Roman; 2], "", body, page);
            }
            Next::Heading(role) => self.heading(number, role, &[text.to_owned()], page),
        }
    }

    /// Obeys a macro, if it is one.
    pub(super) fn request(&mut self, number: usize, request: &Request<'_>, page: &mut Layout) -> Known {
        match request.name {
            "SH" | "SS" => {
                let role = if request.name == "SH" {
                    Role::Section
                } else {
                    Role::Subsection
                };
                match request.arguments() {
                    words if words.is_empty() => self.next = Next::Heading(role),
                    words => self.heading(number, role, &words, page),
                }
            }
            "TP" | "TQ" => {
                if request.name == "TP" {
                    page.blank(number);
                }
                let step = self.step(request.arguments().first());
                page.margin(self.base());
                self.next = Next::Head(self.base().saturating_add(step));
            }
            "IP" => self.indented(number, request, page),
            "PP" | "LP" | "P" | "HP" | "Sp" | "sp" => {
                page.blank(number);
                if request.name != "sp" && request.name != "Sp" {
                    page.margin(self.base());
                    self.next = Next::Text;
                }
            }
            "RS" | "INDENT" => self.shift(request.arguments().first(), page),
            "RE" | "UNINDENT" => {
                self.margins.pop();
                page.margin(self.base());
            }
            "in" => self.in_request(request.rest, page),
            "SY" | "YS" | "OP" => Self::usage(number, request, page),
            _ => return self.font_or_fill(number, request, page),
        }
        Known::Yes
    }

    fn font_or_fill(&mut self, number: usize, request: &Request<'_>, page: &mut Layout) -> Known {
        let (fonts, between) = match request.name {
            "B" | "SB" | "Sy" => ([Font::Bold; 2], " "),
            "I" | "CW" | "Em" => ([Font::Italic; 2], " "),
            "SM" | "R" => ([Font::Roman; 2], " "),
            "BR" => ([Font::Bold, Font::Roman], ""),
            "BI" => ([Font::Bold, Font::Italic], ""),
            "RB" => ([Font::Roman, Font::Bold], ""),
            "RI" => ([Font::Roman, Font::Italic], ""),
            "IB" => ([Font::Italic, Font::Bold], ""),
            "IR" => ([Font::Italic, Font::Roman], ""),
            "br" => {
                page.end_line();
                return Known::Yes;
            }
            "nf" | "EX" | "Vb" | "CS" | "DS" | "TS" => {
                page.end_line();
                page.fill = Fill::Off;
                return Known::Yes;
            }
            "fi" | "EE" | "Ve" | "CE" | "DE" | "TE" => {
                page.end_line();
                page.fill = Fill::On;
                return Known::Yes;
            }
            _ => return Known::No,
        };
        let words = request.arguments();
        if words.is_empty() {
            if let ([font, _], Next::Text) = (fonts, self.next) {
                self.next = Next::Font(font);
            }
            return Known::Yes;
        }
        match std::mem::replace(&mut self.next, Next::Text) {
            Next::Head(body) => self.head(number, &words, fonts, between, body, page),
            Next::Heading(role) => self.heading(number, role, &words, page),
            Next::Text | Next::Font(_) => page.fonts(number, &words, fonts, between),
        }
        Known::Yes
    }

    fn heading(&mut self, number: usize, role: Role, words: &[String], page: &mut Layout) {
        let mut text = Inline::default();
        write_fonts(words, [Font::Roman; 2], " ", &mut page.strings, &mut text);
        self.margins.clear();
        self.step = BASE;
        page.blank(number);
        page.fill = Fill::On;
        let indent = if role == Role::Section { 0 } else { 3 };
        page.line(role, number, indent, &text.take());
        page.margin(BASE);
    }

    fn head(
        &mut self,
        number: usize,
        words: &[String],
        fonts: [Font; 2],
        between: &str,
        body: usize,
        page: &mut Layout,
    ) {
        let mut text = self.partial.take().unwrap_or_default();
        write_fonts(words, fonts, between, &mut page.strings, &mut text);
        if words.last().is_some_and(|word| word.ends_with("\\c")) && text.len() < HEAD {
            self.partial = Some(text);
            self.next = Next::Head(body);
            return;
        }
        page.line(Role::Head, number, self.base(), &text.take());
        page.margin(body);
    }

    /// `.IP`: with a word it is a definition, without one a paragraph that stands in.
    fn indented(&mut self, number: usize, request: &Request<'_>, page: &mut Layout) {
        let words = request.arguments();
        let step = self.step(words.get(1));
        let body = self.base().saturating_add(step);
        page.blank(number);
        self.next = Next::Text;
        match words.first() {
            Some(tag) if !tag.is_empty() => {
                let tag = [tag.clone()];
                self.head(number, &tag, [Font::Roman; 2], "", body, page);
            }
            Some(_) | None => page.margin(body),
        }
    }

    fn shift(&mut self, by: Option<&String>, page: &mut Layout) {
        let by = by.map_or(self.step, |by| width(by));
        let margin = self.base().saturating_add(by);
        if self.margins.len() < NESTING {
            self.margins.push(margin);
        } else {
            self.margins.push(self.base());
        }
        page.margin(self.base());
    }

    fn in_request(&mut self, rest: &str, page: &mut Layout) {
        let by = width(rest.trim_start_matches(['+', '-']));
        let base = self.base();
        page.margin(match rest.chars().next() {
            Some('+') => base.saturating_add(by),
            Some('-') | None => base,
            Some(_) => by,
        });
    }

    fn usage(number: usize, request: &Request<'_>, page: &mut Layout) {
        let words = request.arguments();
        match request.name {
            "SY" => {
                page.end_line();
                page.fonts(number, &words, [Font::Bold; 2], " ");
            }
            "OP" if !words.is_empty() => {
                page.plain(number, "[");
                // The bracket opens a word, and what follows belongs to it.
                page.glue();
                page.fonts(number, &words, [Font::Bold, Font::Italic], " ");
                page.glue();
                page.plain(number, "]");
            }
            _ => page.end_line(),
        }
    }

    fn base(&self) -> usize {
        self.margins.last().copied().unwrap_or(BASE)
    }

    fn step(&mut self, given: Option<&String>) -> usize {
        if let Some(given) = given {
            self.step = width(given).max(1);
        }
        self.step
    }
}

/// The columns of a width: `4`, `4n`, `4m`, `0.4i`, `1c`.
fn width(text: &str) -> usize {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let columns = if text.ends_with('i') {
        tenths(digits)
    } else {
        digits.split('.').next().and_then(|whole| whole.parse().ok())
    };
    columns.unwrap_or(BASE).min(60)
}

/// Inches, ten columns each.
fn tenths(digits: &str) -> Option<usize> {
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let whole: usize = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let tenth: usize = part.chars().next()?.to_digit(10)?.try_into().ok()?;
    Some(whole.checked_mul(10)?.saturating_add(tenth))
}
