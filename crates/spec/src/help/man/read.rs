//! A page of the manual, read.

use std::collections::HashMap;

use super::commands::Expected;
use super::definition::{Definition, definitions};
use super::fold::fold;
use super::implied::implied;
use super::line::settle;
use super::negation::Negations;
use super::section::{Section, Topic, sections};
use super::synopsis::calls;
use super::{commands, rendered, roff};
use crate::help::gathered::Gathered;
use crate::help::head::{Grouped, Head, RawValue, group, is_single_letter};
use crate::help::list::Lists;
use crate::help::note::option;
use crate::help::text::{MAX_TEXT, clean, cut};
use crate::help::usage::Usage;
use crate::help::{Confidence, FoundOption, FoundValue, Origin, Page, Seen, Subject, Takes};

/// How long the sentence about a command may be.
const ABOUT: usize = 400;

/// Reads a page of the manual: its source, or what a viewer made of it.
pub fn read_man(text: &str, subject: &Subject<'_>) -> Page {
    let text = cut(text, MAX_TEXT);
    let (mut lines, width) = if roff::is_source(text) {
        // Nothing wraps in a source, so no line is ever full.
        (roff::render(text), usize::MAX)
    } else {
        rendered::lines(&clean(text))
    };
    settle(&mut lines);
    let mut reading = Reading::default();
    let mut usage = Usage::default();
    let mut synopsis = String::new();
    for section in &sections(&lines) {
        match section.topic {
            Topic::Name => {
                let known = &mut reading.gathered.page.about;
                *known = known.take().or_else(|| about(section));
            }
            Topic::Synopsis => {
                for call in calls(section, subject) {
                    usage.read(&call, subject);
                    synopsis.push(' ');
                    synopsis.push_str(&call.text);
                }
                reading.letters = letters(&usage);
            }
            Topic::Options | Topic::Other => reading.options(section, width),
            Topic::Commands => {
                let expected = usage.wants_command || !usage.choices.is_empty();
                let expected = if expected {
                    Expected::Yes
                } else {
                    Expected::IfNamed(&synopsis)
                };
                commands::add(section, subject, expected, &mut reading.gathered);
                reading.options(section, width);
            }
            Topic::Silent => {}
        }
    }
    reading.gathered.drop_repetitions();
    reading.negations.finish(&mut reading.gathered);
    crate::help::finish::usage(&mut reading.gathered, usage, &Lists::new(subject));
    let mut page = reading.gathered.page;
    fold(&mut page.options);
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

/// What was read so far.
#[derive(Default)]
struct Reading {
    gathered: Gathered,
    negations: Negations,
    /// Letters of the synopsis with the names of their values.
    letters: HashMap<String, String>,
}

impl Reading {
    fn options(&mut self, section: &Section<'_>, width: usize) {
        let shown = section.lines.iter().filter(|line| !line.is_blank());
        let outermost = shown.map(|line| line.indent).min();
        for definition in definitions(section.lines, width) {
            // Below a command stand its own options.
            let below = outermost.is_some_and(|outermost| definition.indent > outermost);
            if section.topic != Topic::Commands || !below {
                self.add(definition, section);
            }
        }
    }

    /// On paper `-ofile` is `-o` with a value that only its font tells apart. Where the synopsis writes `-o file`, it is
    /// clear.
    fn unglue(&self, grouped: &mut Grouped) {
        let [name] = grouped.names.as_mut_slice() else {
            return;
        };
        let end = name.char_indices().nth(2).map_or(name.len(), |(at, _)| at);
        let Some((letter, rest)) = name.split_at_checked(end).filter(|_| grouped.value.is_none()) else {
            return;
        };
        if !rest.is_empty() && self.letters.get(letter).is_some_and(|value| value == rest) {
            grouped.value = Some(RawValue {
                text: rest.to_owned(),
                optional: false,
            });
            *name = letter.to_owned();
        }
    }

    fn add(&mut self, definition: Definition, section: &Section<'_>) {
        let confidence = if definition.certain {
            Confidence::Certain
        } else {
            Confidence::Likely
        };
        let global = section.title.to_ascii_lowercase().starts_with("global");
        let body = section.lines.get(definition.body.clone()).unwrap_or_default();
        for (mut grouped, head, line) in grouped(definition.heads) {
            self.unglue(&mut grouped);
            self.negations.look(grouped.names.iter(), body);
            let seen = Seen {
                origin: Origin::Man,
                line,
                confidence,
            };
            let description = definition.description.clone();
            let mut found = option(grouped, head.repeats, head.remark.as_deref(), description, seen);
            found.global = global;
            switch(&mut found);
            let names_itself =
                |spelling: &String| spelling.starts_with("--") && !spelling.starts_with("--no-");
            if found.takes == Takes::Nothing
                && definition.certain
                && found.spellings.iter().any(names_itself)
                && let Some(value) = implied(&found.description)
            {
                found.takes = Takes::Value(value);
            }
            self.gathered.add(found);
        }
    }
}

fn letters(usage: &Usage) -> HashMap<String, String> {
    let mut letters = HashMap::new();
    for found in &usage.options {
        if let ([name], Some(value)) = (found.option.names.as_slice(), &found.option.value)
            && is_single_letter(name)
        {
            let value = value.text.trim_matches(['<', '>', '[', ']']);
            letters.insert(name.clone(), value.to_owned());
        }
    }
    letters
}

/// What else a head says about each of its options.
struct Beside {
    repeats: bool,
    remark: Option<String>,
}

/// The options of heads that share one text.
fn grouped(heads: Vec<(Head, usize)>) -> Vec<(Grouped, Beside, usize)> {
    let mut groups: Vec<(Grouped, Beside, usize)> = Vec::new();
    for (head, line) in heads {
        let (repeats, remark) = (head.repeats, head.remark.clone());
        for grouped in group(head) {
            match groups.last_mut() {
                Some((before, ..)) if is_same(before, &grouped) => {
                    before.names.extend(grouped.names);
                    before.value = before.value.take().or(grouped.value);
                }
                Some(_) | None => groups.push((
                    grouped,
                    Beside {
                        repeats,
                        remark: remark.clone(),
                    },
                    line,
                )),
            }
        }
    }
    groups
}

/// `--debug=true|false` is a switch that can be written out.
fn switch(option: &mut FoundOption) {
    let spelt_out = |value: &FoundValue| {
        let mut values: Vec<&str> = value.values.iter().map(String::as_str).collect();
        values.sort_unstable();
        values == ["false", "true"]
    };
    let is_switch = match &option.takes {
        Takes::Value(value) | Takes::Perhaps(value) => spelt_out(value),
        Takes::Nothing => false,
    };
    if is_switch {
        option.takes = Takes::Nothing;
    }
}

/// Whether two heads above one text are a letter and a word for the same thing.
fn is_same(before: &Grouped, next: &Grouped) -> bool {
    let letters = |grouped: &Grouped| grouped.names.iter().all(|name| is_single_letter(name));
    let words = |grouped: &Grouped| grouped.names.iter().all(|name| name.starts_with("--"));
    let fits = before.value.is_some() == next.value.is_some() || next.value.is_some();
    fits && (letters(before) && words(next) || words(before) && letters(next))
}
