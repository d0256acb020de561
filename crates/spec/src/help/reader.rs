//! Reads a help text, line by line.
//!
//! Whether a line goes on with the item before, is a heading, defines an option or a command, or is prose is decided
//! in this order, by its indentation and by what stands around it. Nothing in it knows a program by name.

use super::definition::{Definition, Flush};
use super::gathered::Gathered;
use super::head::{Ending, Head, Split, parse, split};
use super::layout::{Topic, cells, columns, is_column_of_letters, title, topic};
use super::leads::add_leads;
use super::list::Lists;
use super::preamble::Preamble;
use super::text::{Line, cut, is_upper_word, lines};
use super::usage::{Call, Usage, collect, is_options_word, notation, opening, without_rests};
use super::{Page, Subject, clean};

/// Reads what a program prints about itself or about one of its commands.
pub fn read_help(text: &str, subject: &Subject<'_>) -> Page {
    let cleaned = clean(text);
    let lines = lines(&cleaned);
    let mut reader = Reader::new(&lines, subject);
    reader.run();
    let mut page = reader.finish();
    add_leads(&cleaned, &mut page);
    page
}

/// A heading that is still open.
pub(crate) struct Section {
    indent: usize,
    pub(crate) topic: Topic,
    pub(crate) title: String,
}

struct Reader<'l, 't, 's> {
    lines: &'l [Line<'t>],
    subject: &'s Subject<'s>,
    gathered: Gathered,
    usage: Usage,
    lists: Lists<'s>,
    preamble: Preamble,
    sections: Vec<Section>,
    open: Option<Definition>,
    /// A head that goes on with the next line.
    begun: Option<Head>,
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
            begun: None,
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
                    open.blank();
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
        if self.is_extended(&line) || self.goes_on(at, &line) {
            return at + 1;
        }
        if let Some(next) = self.calls(at, &line) {
            return next;
        }
        if let Some(next) = self.notation(at, &line) {
            return next;
        }
        let dash =
            line.text.starts_with(['-', '+']) || line.text.starts_with("[-") || line.text.starts_with("{-");
        if !dash && self.lists.goes_on(&line) {
            return at + 1;
        }
        if let Some(title) = self.title(at, &line) {
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
        if self.is_about() && self.gathered.page.options.is_empty() {
            self.preamble.prose(&line, self.subject, self.after_blank);
        }
        // Two columns are a list of something.
        self.prose = line.behind_gap.is_none().then_some(line.indent);
        at + 1
    }

    /// Whether prose says here what the program is.
    fn is_about(&self) -> bool {
        self.sections.last().is_none_or(|section| {
            let titles = ["name", "description", "summary", "overview", "about"];
            titles
                .iter()
                .any(|title| section.title.eq_ignore_ascii_case(title))
        })
    }

    fn topic(&self) -> Topic {
        self.sections.last().map_or(Topic::Open, |section| section.topic)
    }

    /// The title of a line, if that is a heading here.
    fn title(&self, at: usize, line: &Line<'t>) -> Option<&'t str> {
        let title = title(line, self.lines.get(at + 1), self.after_blank)?;
        // A name in capitals below "Arguments" is one of them.
        let is_entry = matches!(self.topic(), Topic::Arguments | Topic::Commands)
            && self
                .sections
                .last()
                .is_some_and(|section| line.indent > section.indent)
            && !line.text.ends_with(':');
        // The end of a sentence.
        let is_wrapped = self.prose == Some(line.indent) && title.starts_with(char::is_lowercase);
        let is_command = self.topic() == Topic::Commands
            && self.lists.is_titled_entry(line, title, self.lines.get(at + 1));
        (!is_entry && !is_wrapped && !is_command).then_some(title)
    }

    fn heading(&mut self, line: &Line<'_>, title: &str) {
        self.close();
        let found = topic(title);
        let is_inside = self
            .sections
            .iter()
            .any(|section| section.topic == Topic::Commands && section.indent < line.indent);
        let found = self
            .lists
            .heading(found, title, self.topic(), is_inside.then_some(line.indent));
        self.sections.retain(|section| section.indent < line.indent);
        self.sections.push(Section {
            indent: line.indent,
            topic: found,
            title: cut(title, 80).to_owned(),
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

    /// `OPTIONS := { -a | -b }`, `OBJECT := { link | route }`
    fn notation(&mut self, at: usize, line: &Line<'t>) -> Option<usize> {
        if !line.text.contains(":=") {
            return None;
        }
        let found = notation(self.lines, at)?;
        if is_options_word(&found.name) {
            let text = without_rests(&found.call.text);
            self.usage.read_options(&Call { text, ..found.call });
        } else if matches!(found.name.as_str(), "OBJECT" | "COMMAND" | "CMD" | "SUBCOMMAND") {
            self.lists.choices(&found.name, &found.call, &mut self.gathered);
        }
        Some(found.next)
    }

    /// A first line such as `tool [OPTIONS] FILE`.
    fn is_bare_call(&self, line: &Line<'_>) -> bool {
        let is_start = self.sections.is_empty() && self.gathered.page.options.is_empty() && line.number < 6;
        let behind = line
            .text
            .strip_prefix(self.subject.name)
            .and_then(|rest| rest.strip_prefix(' '));
        let behind = behind.map(|behind| {
            let path = self.subject.path.iter();
            path.fold(behind, |rest, name| {
                rest.strip_prefix(name).map_or(rest, str::trim_start)
            })
        });
        let is_call = |behind: &str| {
            let first = behind.split(' ').next().unwrap_or_default();
            behind.starts_with(['[', '<', '{']) || (is_upper_word(first) && !self.subject.path.is_empty())
        };
        is_start && self.usage.words.is_empty() && behind.is_some_and(is_call)
    }

    /// `--install NAME` above `[--also NAME] ...`: what else may stand there, before any description.
    fn is_extended(&mut self, line: &Line<'t>) -> bool {
        let is_bracket = line.text.starts_with("[-") && line.text.trim_end_matches([' ', '.']).ends_with(']');
        let is_extended = is_bracket
            && line.behind_gap.is_none()
            && self.open.as_ref().is_some_and(|open| open.awaits_text(line));
        if is_extended {
            self.usage.read_options(&Call {
                line: line.number,
                text: line.text.to_owned(),
            });
        }
        is_extended
    }

    /// Whether a line goes on with the description of the open definition.
    fn goes_on(&mut self, at: usize, line: &Line<'t>) -> bool {
        let next = self.lines.get(at + 1);
        self.open.as_mut().is_some_and(|open| open.goes_on(line, next))
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
        if self.is_begun(at, line) {
            return true;
        }
        let cells = cells(self.lines, at);
        if !cells.is_empty() {
            return self.table(&cells);
        }
        let Some(mut found) = split(line, || columns(self.lines, at)) else {
            return false;
        };
        // Brackets without a description are a usage line: `[-a|--all] [-b]`.
        if line.text.starts_with('[') && found.description.is_empty() {
            return false;
        }
        if !self.is_plausible(at, line, &found) {
            return false;
        }
        if self.begun.is_none() {
            let lines = self.lines;
            let renamed = self.open.take_if(|open| {
                open.is_renamed(&found.head, line)
                    || open.is_word_for(&found.head, line) && is_column_of_letters(lines, at)
            });
            self.begun = renamed.map(Definition::into_head);
        }
        self.close();
        if let Some(begun) = self.begun.take() {
            found.head = begun.and(found.head);
        }
        let global = self.topic() == Topic::GlobalOptions;
        let flush = self.flush(at, line, &found);
        self.open = Some(Definition::new(found, line, global).with_flush(flush));
        true
    }

    /// A head alone on its line, a blank line above it and text right below, is described there.
    fn flush(&self, at: usize, line: &Line<'t>, found: &Split<'t>) -> Flush {
        let is_described = self.lines.get(at + 1).is_some_and(|next| {
            next.indent == line.indent && next.text.starts_with(char::is_uppercase) && next.text.contains(' ')
        });
        if self.after_blank && is_described && found.ending == Ending::LineEnd {
            Flush::May
        } else {
            Flush::Never
        }
    }

    /// `--color[=WHEN],` above `--colour[=WHEN]   text`: one head on two lines.
    fn is_begun(&mut self, at: usize, line: &Line<'t>) -> bool {
        let head = line.text.strip_suffix(',').and_then(parse);
        let next = self
            .lines
            .get(at + 1)
            .filter(|next| next.text.starts_with('-') && next.indent >= line.indent);
        match (head, next) {
            (Some(head), Some(_)) if head.plain_words + head.capitalised == 0 => {
                self.close();
                self.begun = Some(match self.begun.take() {
                    Some(begun) => begun.and(head),
                    None => head,
                });
                true
            }
            (Some(_) | None, Some(_) | None) => false,
        }
    }

    /// A line of a table: every cell defines something.
    fn table(&mut self, cells: &[Line<'t>]) -> bool {
        self.close();
        let mut is_table = false;
        for cell in cells {
            if let Some(found) = split(cell, Vec::new) {
                self.open = Some(Definition::new(found, cell, false));
                self.close();
                is_table = true;
            }
        }
        is_table
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
            Ending::Gap | Ending::Column | Ending::Sign => !self.is_value_list(at, line),
            Ending::LineEnd => {
                !is_wrapped
                    && (is_described
                        || is_listed
                        || found.head.plain_words == 0
                        || found.head.forms.len() > 1)
            }
            Ending::Space => !is_wrapped && is_listed,
        }
    }

    /// `N-M` above `-M`: a list of forms that a value has.
    fn is_value_list(&self, at: usize, line: &Line<'t>) -> bool {
        let mut head = line.text.chars();
        let is_letter = head.next() == Some('-')
            && head.next().is_some_and(|c| c.is_ascii_uppercase())
            && head.next() == Some(' ');
        let above = at.checked_sub(1).and_then(|above| self.lines.get(above));
        let is_form = |above: &Line<'_>| {
            let word = above.text.split(' ').next().unwrap_or_default();
            above.indent == line.indent && !word.starts_with('-') && is_upper_word(word) && word.len() < 8
        };
        is_letter && self.topic() == Topic::Open && above.is_some_and(is_form)
    }

    fn close(&mut self) {
        for option in self.open.take().map(Definition::options).unwrap_or_default() {
            self.gathered.add(option);
        }
    }

    fn finish(mut self) -> Page {
        self.gathered.drop_repetitions();
        self.lists.finish(&mut self.gathered, &self.usage);
        super::finish::usage(&mut self.gathered, self.usage, &self.lists);
        self.preamble.finish(&mut self.gathered.page);
        self.gathered.page
    }
}
