//! A definition while its description is read: a head, and the lines that go on with it.
//!
//! A line goes on if it stands where the description stands. A line that begins with a dash there is prose, unless it has
//! all that a definition has.

use super::head::{Ending, Head, Split, group, is_same_option, is_single_letter, split};
use super::layout::title;
use super::note::{option, require};
use super::text::{Line, Mark, find_gap};
use super::{Confidence, FoundOption, Origin, Seen};

const MAX_DESCRIPTION: usize = 4000;

/// Options that are being described.
pub(crate) struct Definition {
    head: Head,
    description: String,
    line: usize,
    confidence: Confidence,
    /// The column of the head.
    indent: usize,
    /// The column of the description, once it is known.
    column: Option<usize>,
    /// Whether they are options of every command.
    global: bool,
    /// Whether a mark says that they have to be given.
    required: bool,
    /// Whether a blank line followed.
    after_blank: bool,
    /// The column of the last line that went on.
    went_on: Option<usize>,
    /// Where a description may stand if it does not stand deeper.
    flush: Flush,
}

/// Whether the description may begin below its head, in the same column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flush {
    /// The head stands alone between a blank line and text.
    May,
    /// A list goes on there.
    Never,
}

impl Definition {
    pub(crate) fn new(found: Split<'_>, line: &Line<'_>, global: bool) -> Self {
        let confidence = match found.ending {
            Ending::Gap | Ending::Column | Ending::Sign => Confidence::Certain,
            Ending::LineEnd | Ending::Space => Confidence::Likely,
        };
        Self {
            head: found.head,
            description: found.description.to_owned(),
            line: line.number,
            confidence,
            indent: line.indent,
            column: found.column,
            global,
            required: line.mark == Mark::Starred,
            after_blank: false,
            went_on: None,
            flush: Flush::Never,
        }
    }

    /// Says whether text in the column of the head describes it.
    pub(crate) fn with_flush(self, flush: Flush) -> Self {
        Self { flush, ..self }
    }

    /// Whether `other`, on the line below, is one more name of what nothing described yet.
    pub(crate) fn is_renamed(&self, other: &Head, line: &Line<'_>) -> bool {
        let is_below = line.indent == self.indent && !self.after_blank && self.description.is_empty();
        is_below && is_same_option(&self.head, other)
    }

    /// Whether `other`, deeper and on the line below, is the letter of a word that nothing described yet.
    pub(crate) fn is_word_for(&self, other: &Head, line: &Line<'_>) -> bool {
        let alone = |head: &Head| match head.forms.as_slice() {
            [form] => form.names.first().cloned(),
            _ => None,
        };
        let is_word = alone(&self.head).is_some_and(|name| name.starts_with("--"));
        self.awaits_text(line) && is_word && alone(other).is_some_and(|name| is_single_letter(&name))
    }

    /// Whether a deeper line may come before the description.
    pub(crate) fn awaits_text(&self, line: &Line<'_>) -> bool {
        line.indent > self.indent && !self.after_blank && self.description.is_empty()
    }

    /// Gives up its head.
    pub(crate) fn into_head(self) -> Head {
        self.head
    }

    /// Notes a blank line.
    pub(crate) fn blank(&mut self) {
        self.after_blank = true;
    }

    /// Whether a line goes on with the description. If so, it is part of it now.
    pub(crate) fn goes_on(&mut self, line: &Line<'_>, next: Option<&Line<'_>>) -> bool {
        if self.flush == Flush::May && line.indent == self.indent && !self.after_blank {
            self.push(line.text);
            return true;
        }
        if line.indent <= self.indent {
            return false;
        }
        let is_bullet = line.text.starts_with("- ");
        let dash = (line.text.starts_with(['-', '+']) && !is_bullet)
            || line.text.starts_with("[-")
            || line.text.starts_with("{-");
        let goes_on = match self.column {
            Some(column) if line.indent >= column => {
                !(dash && line.indent == column && begins_new(line, Described::Yes))
            }
            Some(_) if dash && !self.after_blank && self.went_on == Some(line.indent) => {
                !begins_new(line, Described::Yes)
            }
            Some(_) if self.after_blank || dash => false,
            Some(_) => {
                !line.text.ends_with(':')
                    || line.text.starts_with('(')
                    || line.text.contains(' ') && title(line, next, false).is_none()
            }
            None if dash && self.is_followed_by(line) => false,
            None if self.after_blank && dash => false,
            None => {
                self.column = Some(line.indent);
                true
            }
        };
        if goes_on {
            self.after_blank = false;
            self.went_on = Some(line.indent);
            self.push(line.text);
        }
        goes_on
    }

    /// Whether a line with a dash is the next definition, as long as no column is known.
    fn is_followed_by(&self, line: &Line<'_>) -> bool {
        let is_described = !self.description.is_empty();
        (is_described || begins_new(line, Described::No)) && split(line, Vec::new).is_some()
    }

    fn push(&mut self, text: &str) {
        if self.description.len() + text.len() > MAX_DESCRIPTION {
            return;
        }
        if !self.description.is_empty() {
            self.description.push(' ');
        }
        self.description.push_str(text.strip_prefix("# ").unwrap_or(text));
    }

    /// Returns the options that are defined.
    pub(crate) fn options(self) -> Vec<FoundOption> {
        let seen = Seen {
            origin: Origin::Help,
            line: self.line,
            confidence: self.confidence,
        };
        let description = single_spaced(self.description);
        let mut head = self.head;
        let (repeats, remark) = (head.repeats, head.remark.take());
        let groups = group(head);
        let descriptions = std::iter::repeat_n(description, groups.len());
        let make = |(grouped, description)| {
            let mut found = option(grouped, repeats, remark.as_deref(), description, seen);
            found.global = self.global;
            if self.required {
                require(&mut found);
            }
            found
        };
        groups.into_iter().zip(descriptions).map(make).collect()
    }
}

/// Types at the far right and sentences leave gaps behind.
fn single_spaced(text: String) -> String {
    if find_gap(&text, 0).is_none() {
        return text;
    }
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Whether the open definition has a description.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Described {
    Yes,
    No,
}

/// Whether a line that stands where descriptions stand is a definition all the same.
fn begins_new(line: &Line<'_>, described: Described) -> bool {
    split(line, Vec::new).is_some_and(|split| match split.ending {
        Ending::Gap => split.head.plain_words < 2,
        Ending::LineEnd => described == Described::No && split.head.plain_words + split.head.capitalised == 0,
        Ending::Sign => described == Described::No,
        Ending::Column | Ending::Space => false,
    })
}
