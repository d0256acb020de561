//! Reads a help text, line by line.
//!
//! Whether a line goes on with the item before, is a heading, defines an option or a command, or is prose is decided
//! in this order, by its indentation and by what stands around it. Nothing in it knows a program by name.

use super::gathered::Gathered;
use super::head::{Ending, Split, group, split};
use super::layout::{Topic, columns, definitions, title, topic};
use super::list::Lists;
use super::note::option;
use super::preamble::Preamble;
use super::text::{Line, cut, lines};
use super::usage::{Call, Usage, collect, opening};
use super::{Confidence, Origin, Page, Seen, Subject, clean};

const MAX_DESCRIPTION: usize = 4000;

/// Reads what a program prints about itself or about one of its commands.
pub fn read_help(text: &str, subject: &Subject<'_>) -> Page {
    let cleaned = clean(text);
    let lines = lines(&cleaned);
    let mut reader = Reader::new(&lines, subject);
    reader.run();
    reader.finish()
}

/// Options that are being described.
struct Open {
    splits: Vec<OpenOption>,
    /// The column of the head.
    indent: usize,
    /// The column of the description, once it is known.
    column: Option<usize>,
    /// Whether a blank line followed.
    after_blank: bool,
}

struct OpenOption {
    head: super::head::Head,
    description: String,
    line: usize,
    confidence: Confidence,
}

/// A heading that is still open.
pub(crate) struct Section {
    indent: usize,
    pub(crate) topic: Topic,
    pub(crate) title: String,
    pub(crate) line: usize,
}

struct Reader<'l, 't, 's> {
    lines: &'l [Line<'t>],
    subject: &'s Subject<'s>,
    gathered: Gathered,
    usage: Usage,
    lists: Lists<'s>,
    preamble: Preamble,
    sections: Vec<Section>,
    open: Option<Open>,
    /// The indentation of the line before, if that was prose.
    prose: Option<usize>,
    after_blank: bool,
}

impl<'l, 't, 's> Reader<'l, 't, 's> {
    fn new(lines: &'l [Line<'t>], subject: &'s Subject<'s>) -> Self {
        Self {
            lines,
            subject,
            gathered: Gathered::default(),
            usage: Usage::default(),
            lists: Lists::new(subject),
            preamble: Preamble::default(),
            sections: Vec::new(),
            open: None,
            prose: None,
            after_blank: true,
        }
    }

    fn run(&mut self) {
        let mut at = 0;
        while let Some(line) = self.lines.get(at) {
            if line.is_blank() {
                self.after_blank = true;
                self.prose = None;
                if let Some(open) = &mut self.open {
                    open.after_blank = true;
                }
                self.lists.blank();
                at += 1;
                continue;
            }
            at = self.line(at, *line);
            self.after_blank = false;
        }
        self.close();
    }

    /// Reads the line at `at` and returns the index of the next one.
    fn line(&mut self, at: usize, line: Line<'t>) -> usize {
        while self
            .sections
            .last()
            .is_some_and(|section| line.indent < section.indent)
        {
            self.sections.pop();
        }
        if self.goes_on(at, &line) {
            return at + 1;
        }
        if let Some(next) = self.calls(at, &line) {
            return next;
        }
        let dash = line.text.starts_with(['-', '+']) || line.text.starts_with("[-");
        if !dash && self.lists.goes_on(&line) {
            return at + 1;
        }
        if let Some(title) = title(&line, self.lines.get(at + 1), self.after_blank) {
            self.heading(&line, title);
            return at + 1;
        }
        if dash && self.definition(at, &line) {
            self.prose = None;
            return at + 1;
        }
        self.close();
        if self.topic() == Topic::Options && line.text.starts_with("[-") {
            self.usage.read_options(&Call {
                line: line.number,
                text: line.text.to_owned(),
            });
            return at + 1;
        }
        let section = self.sections.last();
        if !dash && self.lists.line(self.lines, at, section, &mut self.gathered) {
            self.prose = None;
            return at + 1;
        }
        if self.sections.is_empty() && self.gathered.page.options.is_empty() {
            self.preamble.prose(&line, self.subject, self.after_blank);
        }
        self.prose = Some(line.indent);
        at + 1
    }

    fn topic(&self) -> Topic {
        self.sections.last().map_or(Topic::Open, |section| section.topic)
    }

    fn heading(&mut self, line: &Line<'_>, title: &str) {
        self.close();
        let found = topic(title);
        let found = self.lists.heading(found, title, self.topic());
        self.sections.retain(|section| section.indent < line.indent);
        self.sections.push(Section {
            indent: line.indent,
            topic: found,
            title: cut(title, 80).to_owned(),
            line: line.number,
        });
        self.prose = None;
    }

    /// Usage lines, with or without the word.
    fn calls(&mut self, at: usize, line: &Line<'t>) -> Option<usize> {
        let (rest, start) = match opening(line) {
            Some(rest) => (rest, at),
            None if self.is_bare_call(line) => (line.text, at),
            None => return None,
        };
        self.close();
        let (calls, next) = collect(self.lines, start, rest);
        if calls.is_empty() {
            return None;
        }
        for call in &calls {
            self.usage.read(call, self.subject);
        }
        self.sections.retain(|section| section.indent < line.indent);
        self.prose = None;
        Some(next.max(at + 1))
    }

    /// A first line such as `tool [OPTIONS] FILE`.
    fn is_bare_call(&self, line: &Line<'_>) -> bool {
        let is_start = self.sections.is_empty() && self.gathered.page.options.is_empty() && line.number < 6;
        let behind = line
            .text
            .strip_prefix(self.subject.name)
            .and_then(|rest| rest.strip_prefix(' '));
        is_start
            && behind.is_some_and(|behind| behind.starts_with(['[', '<', '{']) && self.usage.words.is_empty())
    }

    /// Whether a line goes on with the description of the open item.
    fn goes_on(&mut self, at: usize, line: &Line<'t>) -> bool {
        let Some(open) = &mut self.open else {
            return false;
        };
        if line.indent <= open.indent {
            return false;
        }
        let dash = line.text.starts_with(['-', '+']) && !line.text.starts_with("- ");
        let goes_on = match open.column {
            Some(column) if line.indent >= column => {
                let is_new = dash && line.indent == column && begins_new(line, Described::Yes);
                !is_new
            }
            Some(_) if open.after_blank || dash => false,
            Some(_) => {
                !line.text.ends_with(':')
                    || line.text.contains(' ') && title(line, self.lines.get(at + 1), false).is_none()
            }
            None if dash && begins_new(line, Described::No) => false,
            None if open.after_blank && dash => false,
            None => {
                open.column = Some(line.indent);
                true
            }
        };
        if goes_on && let Some(open) = &mut self.open {
            open.after_blank = false;
            open.push(line.text);
        }
        goes_on
    }

    /// Whether a line defines options; if so, they are open now.
    fn definition(&mut self, at: usize, line: &Line<'t>) -> bool {
        match self.topic() {
            Topic::Examples | Topic::Usage => return false,
            Topic::Options
            | Topic::GlobalOptions
            | Topic::Commands
            | Topic::Arguments
            | Topic::Aliases
            | Topic::Others
            | Topic::Open => {}
        }
        let near = columns(self.lines, at);
        let Some(found) = split(line, &near) else {
            return false;
        };
        if !self.is_plausible(at, line, &found) {
            return false;
        }
        self.close();
        let ending = found.ending;
        let column = found.column;
        let splits = match ending {
            Ending::Gap => definitions(self.lines, at, found),
            Ending::Column | Ending::Sign | Ending::LineEnd | Ending::Space => vec![found],
        };
        let is_table = splits.len() > 1;
        let confidence = match ending {
            Ending::Gap | Ending::Column | Ending::Sign => Confidence::Certain,
            Ending::LineEnd | Ending::Space => Confidence::Likely,
        };
        let splits = splits
            .into_iter()
            .map(|split| OpenOption {
                head: split.head,
                description: split.description.to_owned(),
                line: line.number,
                confidence,
            })
            .collect();
        self.open = Some(Open {
            splits,
            indent: line.indent,
            column,
            after_blank: false,
        });
        if is_table {
            self.close();
        }
        true
    }

    /// Whether a line that could be a definition is one, and no wrapped prose.
    fn is_plausible(&self, at: usize, line: &Line<'t>, found: &Split<'t>) -> bool {
        let is_wrapped = self.prose == Some(line.indent);
        let is_listed = matches!(self.topic(), Topic::Options | Topic::GlobalOptions)
            || !self.gathered.page.options.is_empty()
            || self.open.is_some();
        let next = self.lines.get(at + 1).filter(|next| !next.is_blank());
        let is_described = next.is_some_and(|next| next.indent > line.indent);
        match found.ending {
            Ending::Gap | Ending::Column | Ending::Sign => true,
            Ending::LineEnd => !is_wrapped && (is_described || is_listed || found.head.plain_words == 0),
            Ending::Space => !is_wrapped && is_listed,
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let global = self.topic() == Topic::GlobalOptions;
        for one in open.splits {
            let seen = Seen {
                origin: Origin::Help,
                line: one.line,
                confidence: one.confidence,
            };
            let (repeats, remark) = (one.head.repeats, one.head.remark.clone());
            for grouped in group(one.head) {
                let mut found = option(grouped, repeats, remark.as_deref(), one.description.clone(), seen);
                found.global = global;
                self.gathered.add(found);
            }
        }
    }

    fn finish(mut self) -> Page {
        self.lists.finish(&mut self.gathered, &self.usage);
        super::finish::usage(&mut self.gathered, self.usage, &self.lists.arguments);
        self.preamble.finish(&mut self.gathered.page);
        self.gathered.page
    }
}

/// Whether a line that stands where descriptions stand is a definition all the same.
fn begins_new(line: &Line<'_>, described: Described) -> bool {
    split(line, &[]).is_some_and(|split| match split.ending {
        Ending::Gap => split.head.plain_words < 2,
        Ending::LineEnd => described == Described::No && split.head.plain_words + split.head.capitalised == 0,
        Ending::Column | Ending::Sign | Ending::Space => false,
    })
}

/// Whether the open item has a description.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Described {
    Yes,
    No,
}

impl Open {
    fn push(&mut self, text: &str) {
        let Some(last) = self.splits.last_mut() else {
            return;
        };
        if last.description.len() + text.len() > MAX_DESCRIPTION {
            return;
        }
        if !last.description.is_empty() {
            last.description.push(' ');
        }
        last.description.push_str(text);
    }
}
