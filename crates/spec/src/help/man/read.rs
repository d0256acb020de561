//! A page of the manual, read.

use super::definition::{Definition, definitions};
use super::line::Line;
use super::section::{Section, Topic, sections};
use super::synopsis::calls;
use super::{commands, rendered, roff};
use crate::help::gathered::Gathered;
use crate::help::head::{Grouped, group, is_single_letter};
use crate::help::note::option;
use crate::help::text::{MAX_TEXT, clean, cut};
use crate::help::usage::Usage;
use crate::help::{Confidence, Origin, Page, Seen, Subject};

/// How wide the paper is where no line tells.
const WIDTH: usize = 80;
/// How long the sentence about a command may be.
const ABOUT: usize = 400;

/// Reads a page of the manual: its source, or what a viewer made of it.
pub fn read_man(text: &str, subject: &Subject<'_>) -> Page {
    let text = cut(text, MAX_TEXT);
    let lines = if roff::is_source(text) {
        roff::render(text)
    } else {
        rendered::lines(&clean(text))
    };
    let width = lines
        .iter()
        .map(|line| line.indent.saturating_add(line.text.chars().count()))
        .max();
    let width = width.unwrap_or(WIDTH).min(200);
    let mut gathered = Gathered::default();
    let mut usage = Usage::default();
    for section in &sections(&lines) {
        match section.topic {
            Topic::Name => gathered.page.about = gathered.page.about.take().or_else(|| about(section)),
            Topic::Synopsis => {
                for call in calls(section, subject) {
                    usage.read(&call, subject);
                }
            }
            Topic::Options | Topic::Other => add_options(section, width, &mut gathered),
            Topic::Commands => {
                commands::add(section, subject, &mut gathered);
                add_options(section, width, &mut gathered);
            }
            Topic::Silent => {}
        }
    }
    crate::help::finish::usage(&mut gathered, usage, &[]);
    let mut page = gathered.page;
    for option in &mut page.options {
        option.seen.origin = Origin::Man;
    }
    for positional in &mut page.positionals {
        positional.seen.origin = Origin::Man;
    }
    page
}

/// Returns the file that a source is instead of a page: `man1/other.1`.
pub fn man_includes(text: &str) -> Option<&str> {
    roff::include(text)
}

/// `tool - what it does`, in one sentence.
fn about(section: &Section<'_>) -> Option<String> {
    let lines: Vec<&str> = section
        .lines
        .iter()
        .map(|line| line.text.as_str())
        .take(20)
        .collect();
    let text = lines.join(" ");
    let signs = [
        " - ",
        " \u{2013} ",
        " \u{2014} ",
        " -- ",
        " \u{2212} ",
        " \u{2010} ",
    ];
    let found = signs
        .iter()
        .filter_map(|sign| text.split_once(sign))
        .min_by_key(|(name, _)| name.len());
    let about = found.map(|(_, about)| cut(about.trim(), ABOUT).to_owned());
    about.filter(|about| !about.is_empty())
}

fn add_options(section: &Section<'_>, width: usize, gathered: &mut Gathered) {
    let outermost = section
        .lines
        .iter()
        .filter(|line| !line.is_blank())
        .map(|line| line.indent)
        .min();
    for definition in definitions(section.lines, width) {
        // Below a command stand its own options.
        if section.topic == Topic::Commands
            && outermost.is_some_and(|outermost| definition.indent > outermost)
        {
            continue;
        }
        add(definition, section.title, gathered);
    }
}

fn add(definition: Definition, title: &str, gathered: &mut Gathered) {
    let confidence = if definition.certain {
        Confidence::Certain
    } else {
        Confidence::Likely
    };
    let global = title.to_ascii_lowercase().starts_with("global");
    let mut groups: Vec<(Grouped, bool, Option<String>, usize)> = Vec::new();
    for (head, line) in definition.heads {
        let (repeats, remark) = (head.repeats, head.remark.clone());
        for grouped in group(head) {
            match groups.last_mut() {
                Some((before, ..)) if is_same(before, &grouped) => {
                    before.names.extend(grouped.names);
                    before.value = before.value.take().or(grouped.value);
                }
                Some(_) | None => groups.push((grouped, repeats, remark.clone(), line)),
            }
        }
    }
    for (grouped, repeats, remark, line) in groups {
        let seen = Seen {
            origin: Origin::Man,
            line,
            confidence,
        };
        let mut found = option(
            grouped,
            repeats,
            remark.as_deref(),
            definition.description.clone(),
            seen,
        );
        found.global = global;
        gathered.add(found);
    }
}

/// Whether two heads above one text are a letter and a word for the same thing.
fn is_same(before: &Grouped, next: &Grouped) -> bool {
    let letters = |grouped: &Grouped| grouped.names.iter().all(|name| is_single_letter(name));
    let words = |grouped: &Grouped| grouped.names.iter().all(|name| name.starts_with("--"));
    let fits = before.value.is_some() == next.value.is_some() || next.value.is_some();
    fits && (letters(before) && words(next) || words(before) && letters(next))
}

/// Returns the words of a line up to a gap.
pub(crate) fn before_gap(line: &Line) -> &str {
    line.text.split("  ").next().unwrap_or_default().trim_end()
}
