//! What a text says before its lists: what the program is, and its version.

use super::text::{Line, cut};
use super::{Page, Subject};

const MAX_ABOUT: usize = 300;

/// The first words of a text.
#[derive(Default)]
pub(crate) struct Preamble {
    about: String,
    version: Option<String>,
    is_complete: bool,
}

impl Preamble {
    /// Reads a line of prose.
    pub(crate) fn prose(&mut self, line: &Line<'_>, subject: &Subject<'_>, after_blank: bool) {
        // A sentence may wrap in front of a dash; none begins with one.
        let is_option = self.about.is_empty() && line.text.starts_with('-');
        if self.is_complete || is_option || is_drawing(line.text) || is_complaint(line.text) {
            return;
        }
        if let Some(version) = version(line.text, subject.name) {
            self.version.get_or_insert(version);
            return;
        }
        if after_blank && !self.about.is_empty() {
            self.is_complete = true;
            return;
        }
        let text = line.text.strip_prefix(subject.name).and_then(|rest| {
            let rest = rest.trim_start();
            rest.strip_prefix("- ")
                .or_else(|| rest.strip_prefix(": "))
                .or_else(|| rest.strip_prefix("\u{2013} "))
        });
        if !self.about.is_empty() {
            self.about.push(' ');
        }
        self.about.push_str(text.unwrap_or(line.text));
        self.is_complete = self.about.len() > MAX_ABOUT;
    }

    pub(crate) fn finish(self, page: &mut Page) {
        let about = cut(self.about.trim(), MAX_ABOUT);
        if !about.is_empty() {
            page.about = Some(about.to_owned());
        }
        page.version = page.version.take().or(self.version);
    }
}

/// Letters made of signs, as some programs greet with.
fn is_drawing(text: &str) -> bool {
    let signs = text
        .chars()
        .filter(|c| !c.is_alphanumeric() && !c.is_whitespace())
        .count();
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    signs > 3 && signs > letters
}

/// `tool: invalid option -- 'h'`
fn is_complaint(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    [
        "invalid option",
        "unknown option",
        "unrecognized",
        "illegal option",
        "unknown command",
        "error:",
        "is not a",
        "not found",
        "no such",
        "warning:",
    ]
    .iter()
    .any(|phrase| lower.contains(phrase))
}

/// `tool 1.2.3 (…)`, `tool version 1.2`, `tool v1.2`
fn version(text: &str, name: &str) -> Option<String> {
    let (start, rest) = text.split_at_checked(name.len())?;
    if !start.eq_ignore_ascii_case(name) {
        return None;
    }
    let rest = rest.trim_start_matches([' ', '-', ',', '@', '(', '/']);
    let rest = rest.strip_prefix("version").map_or(rest, str::trim_start);
    let rest = rest.strip_prefix('v').unwrap_or(rest);
    let word = rest.split([' ', ',', ')', ';']).next()?;
    let is_version = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.') && word.len() < 40;
    is_version.then(|| word.trim_end_matches('.').to_owned())
}
