//! Lists without dashes: commands, and words without a flag.

use super::gathered::Gathered;
use super::layout::{Topic, columns, command_entry, fields, is_name, name_list, outer_name, without_bullet};
use super::reader::Section;
use super::text::{Line, cut, find_gap};
use super::usage::{Call, Usage, bare};
use super::{Confidence, FoundCommand, Origin, Seen, Subject};

const MAX_DESCRIPTION: usize = 1000;
const MAX_ARGUMENTS: usize = 200;

/// What was listed so far.
pub(crate) struct Lists<'s> {
    prefix: Vec<&'s str>,
    open: Option<Open>,
    /// Whether the lines before listed names only.
    in_grid: bool,
    /// How the sections of commands hang together.
    intro: Intro,
    /// Words without a flag, with what is said about them.
    pub(crate) arguments: Vec<Argument>,
    /// Lists under headings that say nothing: commands, if the usage wants one and nobody else names any.
    perhaps: Vec<FoundCommand>,
    perhaps_is_spoilt: bool,
    /// The column of the commands that are listed below a word.
    nested: Option<usize>,
    /// Words that stand for a command.
    pub(crate) slots: Vec<String>,
    /// The column of the first entry of the list.
    entry_indent: Option<usize>,
}

/// A word that is described.
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) line: usize,
}

/// Whether headings that say nothing are groups of commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Intro {
    None,
    /// A heading announced commands and has none yet.
    Announced,
    /// Groups follow it.
    Groups,
}

struct Open {
    target: Target,
    indent: usize,
    column: Option<usize>,
    after_blank: bool,
    text: String,
}

enum Target {
    Command(FoundCommand),
    Perhaps(FoundCommand),
    Argument { name: String, line: usize },
}

impl<'s> Lists<'s> {
    pub(crate) fn new(subject: &'s Subject<'s>) -> Self {
        Self {
            prefix: subject.words(),
            open: None,
            in_grid: false,
            intro: Intro::None,
            arguments: Vec::new(),
            perhaps: Vec::new(),
            perhaps_is_spoilt: false,
            nested: None,
            slots: Vec::new(),
            entry_indent: None,
        }
    }

    pub(crate) fn blank(&mut self) {
        self.in_grid = false;
        if let Some(open) = &mut self.open {
            open.after_blank = true;
        }
    }

    /// Says what a heading announces, given what the headings before did.
    ///
    /// `inside` is its column if it stands inside of a list of commands.
    pub(crate) fn heading(
        &mut self,
        found: Topic,
        title: &str,
        before: Topic,
        inside: Option<usize>,
    ) -> Topic {
        self.in_grid = false;
        match inside {
            // What stands below one of the commands is about that command.
            Some(column)
                if self.entry_indent.is_some_and(|entry| column > entry) && found != Topic::Commands =>
            {
                return Topic::Examples;
            }
            Some(_) if found == Topic::Open && before == Topic::Commands => return Topic::Commands,
            Some(_) | None => {}
        }
        self.entry_indent = None;
        self.nested = None;
        match found {
            Topic::Commands => {
                self.intro = Intro::Announced;
                found
            }
            Topic::Open if self.intro == Intro::Announced || self.intro == Intro::Groups => {
                let is_group = before == Topic::Commands && title.split(' ').count() < 12;
                self.intro = if is_group { Intro::Groups } else { Intro::None };
                if is_group { Topic::Commands } else { found }
            }
            Topic::Usage
            | Topic::Options
            | Topic::GlobalOptions
            | Topic::Arguments
            | Topic::Examples
            | Topic::Aliases
            | Topic::Others
            | Topic::Open => {
                self.intro = Intro::None;
                found
            }
        }
    }

    /// `tool name:` above its description: an entry that looks like a heading.
    pub(crate) fn is_titled_entry(&self, line: &Line<'_>, title: &str, next: Option<&Line<'_>>) -> bool {
        let is_described = next.is_some_and(|next| {
            next.indent > line.indent && !next.text.starts_with('-') && next.behind_gap.is_none()
        });
        let has_prefix = self.prefix.first().is_some_and(|tool| title.starts_with(tool));
        let is_word = is_name(title) && title.starts_with(char::is_lowercase);
        is_described && line.text.ends_with(':') && (has_prefix || is_word)
    }

    /// Whether a line goes on with the entry before.
    pub(crate) fn goes_on(&mut self, line: &Line<'_>) -> bool {
        let Some(open) = &mut self.open else {
            return false;
        };
        let goes_on = match open.column {
            Some(column) => line.indent >= column && line.indent > open.indent,
            None => {
                line.indent > open.indent
                    && !(open.after_blank && open.text.is_empty())
                    && !is_nested(open, line)
            }
        };
        if goes_on {
            open.column.get_or_insert(line.indent);
            open.after_blank = false;
            if open.text.len() + line.text.len() < MAX_DESCRIPTION {
                if !open.text.is_empty() {
                    open.text.push(' ');
                }
                open.text.push_str(line.text);
            }
        }
        goes_on
    }

    /// Reads a line of a list. Returns whether it was one.
    pub(crate) fn line(
        &mut self,
        lines: &[Line<'_>],
        at: usize,
        section: Option<&Section>,
        gathered: &mut Gathered,
    ) -> bool {
        if let (Some(open), Some(line)) = (&self.open, lines.get(at))
            && line.indent > open.indent
            && is_nested(open, line)
        {
            self.nested = Some(line.indent);
            if let Target::Argument { name, .. } = &open.target {
                self.slots.push(name.clone());
            }
        }
        self.close(gathered);
        let Some(line) = lines.get(at) else {
            return false;
        };
        let topic = section.map_or(Topic::Open, |section| section.topic);
        match topic {
            Topic::Commands => self.command(lines, at, line, section, gathered),
            Topic::Arguments if self.nested.is_some_and(|nested| line.indent >= nested) => {
                self.command(lines, at, line, None, gathered)
            }
            Topic::Arguments => self.argument(lines, at, line),
            Topic::Open => self.perhaps(line, section),
            Topic::Usage
            | Topic::Options
            | Topic::GlobalOptions
            | Topic::Examples
            | Topic::Aliases
            | Topic::Others => false,
        }
    }

    fn command(
        &mut self,
        lines: &[Line<'_>],
        at: usize,
        line: &Line<'_>,
        section: Option<&Section>,
        gathered: &mut Gathered,
    ) -> bool {
        let group = section.map(|section| section.title.clone());
        if let Some(names) = name_list(line.text, self.in_grid)
            .filter(|names| names.len() > 2 || self.in_grid || line.text.ends_with(','))
        {
            self.in_grid = true;
            if self.intro == Intro::Announced {
                self.intro = Intro::None;
            }
            for name in names {
                gathered.add_command(found(name, &[], "", group.clone(), line.number));
            }
            return true;
        }
        let Some(entry) = command_entry(line, || columns(lines, at), &self.prefix) else {
            return self.outer(line, group, gathered);
        };
        if line.indent < self.entry_indent.unwrap_or(0) && line.behind_gap.is_none() {
            return false;
        }
        let is_bare = entry.description.is_empty();
        // Without a gap, what begins with a capital is a sentence.
        let is_sentence = line.behind_gap.is_none() && entry.name.starts_with(char::is_uppercase);
        let is_tool = self.prefix.first() == Some(&entry.name);
        if is_bare && !stands_alone(lines, at, line) || is_sentence || is_tool {
            return false;
        }
        if self.intro == Intro::Announced {
            self.intro = Intro::None;
        }
        self.entry_indent.get_or_insert(line.indent);
        self.open = Some(Open {
            target: Target::Command(found(entry.name, &entry.aliases, "", group, line.number)),
            indent: line.indent,
            column: entry.column,
            after_blank: false,
            text: entry.description.to_owned(),
        });
        true
    }

    /// `tool group name   text`: the group is a command, and the text is about what is below it.
    fn outer(&mut self, line: &Line<'_>, group: Option<String>, gathered: &mut Gathered) -> bool {
        let field = find_gap(line.text, 0).and_then(|(start, _)| line.text.get(..start));
        let Some(name) = field.and_then(|field| outer_name(field, &self.prefix)) else {
            return false;
        };
        gathered.add_command(found(name, &[], "", group, line.number));
        true
    }

    fn argument(&mut self, lines: &[Line<'_>], at: usize, line: &Line<'_>) -> bool {
        let text = without_bullet(line.text);
        let Some((field, description, column)) =
            fields(line, text, line.text.len() - text.len(), || columns(lines, at))
        else {
            return false;
        };
        let name = field
            .split(' ')
            .next()
            .unwrap_or_default()
            .trim_matches(['[', ']', '.', ':', ',']);
        let name = bare(name);
        let is_word = !name.is_empty() && name.len() < 60 && name.chars().any(char::is_alphanumeric);
        let is_sentence = text.contains(' ') && text.ends_with('.');
        let is_entry = column.is_some() || field.split(' ').count() < 4 && !is_sentence;
        if !is_word || !is_entry || self.arguments.len() >= MAX_ARGUMENTS {
            return false;
        }
        self.open = Some(Open {
            target: Target::Argument {
                name: name.to_owned(),
                line: line.number,
            },
            indent: line.indent,
            column,
            after_blank: false,
            text: description.to_owned(),
        });
        true
    }

    /// An entry under a heading that says nothing.
    fn perhaps(&mut self, line: &Line<'_>, section: Option<&Section>) -> bool {
        let Some(section) = section else {
            return false;
        };
        let Some(entry) = command_entry(line, Vec::new, &self.prefix).filter(|entry| entry.column.is_some())
        else {
            return false;
        };
        if entry.name.starts_with(char::is_uppercase) {
            self.perhaps_is_spoilt = true;
        }
        let group = Some(section.title.clone());
        self.open = Some(Open {
            target: Target::Perhaps(found(entry.name, &entry.aliases, "", group, line.number)),
            indent: line.indent,
            column: entry.column,
            after_blank: false,
            text: entry.description.to_owned(),
        });
        true
    }

    fn close(&mut self, gathered: &mut Gathered) {
        let Some(open) = self.open.take() else {
            return;
        };
        let text = cut(&open.text, MAX_DESCRIPTION).to_owned();
        match open.target {
            Target::Command(command) => gathered.add_command(described(command, text)),
            Target::Perhaps(command) => self.perhaps.push(described(command, text)),
            Target::Argument { name, line } => self.arguments.push(Argument {
                name,
                description: text,
                line,
            }),
        }
    }

    /// Commands that a notation offers: `link | route`.
    pub(crate) fn choices(&mut self, slot: &str, call: &Call, gathered: &mut Gathered) {
        self.slots.push(slot.to_owned());
        for name in call.text.split('|').map(str::trim).filter(|name| is_name(name)) {
            gathered.add_command(found(name, &[], "", None, call.line));
        }
    }

    /// Decides on what was unclear.
    pub(crate) fn finish(&mut self, gathered: &mut Gathered, usage: &Usage) {
        self.close(gathered);
        let is_topic = |command: &FoundCommand| {
            let group = command.group.as_deref().unwrap_or_default();
            group.eq_ignore_ascii_case("topics")
        };
        if usage.wants_command {
            let topics: Vec<FoundCommand> = self
                .perhaps
                .iter()
                .filter(|command| is_topic(command))
                .cloned()
                .collect();
            for command in topics {
                gathered.add_command(command);
            }
        }
        if !gathered.page.commands.is_empty() {
            return;
        }
        if usage.wants_command && self.perhaps.len() > 1 && !self.perhaps_is_spoilt {
            for command in std::mem::take(&mut self.perhaps) {
                gathered.add_command(command);
            }
        }
        for (name, line) in usage.commands() {
            let mut command = found(name, &[], "", None, line);
            command.seen.confidence = Confidence::Likely;
            gathered.add_command(command);
        }
        // `{add,remove} ...` is a choice of commands, and so is `{add,remove}` at the end.
        let is_open = usage
            .words
            .iter()
            .any(|word| word.variadic && word.name.contains('|'));
        let is_last = usage
            .words
            .last()
            .is_some_and(|word| word.required && word.name.contains('|'));
        let is_open = is_open || is_last;
        if gathered.page.commands.is_empty() && is_open {
            let line = usage.words.first().map_or(1, |word| word.line);
            for name in usage.choices.iter().filter(|name| is_name(name)) {
                let mut command = found(name, &[], "", None, line);
                command.seen.confidence = Confidence::Mentioned;
                gathered.add_command(command);
            }
        }
    }
}

/// Whether a deeper line below a word without text is a list of commands: parsers of the kind of argparse do so.
fn is_nested(open: &Open, line: &Line<'_>) -> bool {
    let is_word = matches!(open.target, Target::Argument { .. }) && open.text.is_empty();
    is_word
        && line.behind_gap.is_some()
        && command_entry(line, Vec::new, &[]).is_some_and(|entry| !entry.name.starts_with(char::is_uppercase))
}

/// Whether a name without a description is an entry all the same.
fn stands_alone(lines: &[Line<'_>], at: usize, line: &Line<'_>) -> bool {
    if line.text.starts_with("- ") || line.text.starts_with("* ") {
        return true;
    }
    if let Some(next) = lines
        .get(at + 1)
        .filter(|next| !next.is_blank() && next.indent > line.indent)
    {
        let is_group = next.behind_gap.is_some() && command_entry(next, Vec::new, &[]).is_some();
        return !next.text.starts_with('-') && !is_group;
    }
    let is_word = |index: usize| {
        lines.get(index).is_some_and(|near| {
            near.indent == line.indent && near.text.split(' ').count() < 3 && !near.is_blank()
        })
    };
    let is_short = line.text.split(' ').count() < 3;
    is_short && (is_word(at.wrapping_sub(1)) || is_word(at + 1))
}

fn found(
    name: &str,
    aliases: &[&str],
    description: &str,
    group: Option<String>,
    line: usize,
) -> FoundCommand {
    FoundCommand {
        name: name.to_owned(),
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
        group,
        description: description.to_owned(),
        deprecated: false,
        seen: Seen {
            origin: Origin::Help,
            line,
            confidence: Confidence::Certain,
        },
    }
}

/// Adds the description, and the other names that it ends with: `[aliases: a, b]`.
fn described(mut command: FoundCommand, text: String) -> FoundCommand {
    let lower = text.to_ascii_lowercase();
    let has_aliases = lower.contains("alias");
    for phrase in ["[aliases: ", "[alias: ", "(aliases: ", "(alias: ", "aliases: "] {
        let Some(rest) = has_aliases
            .then(|| lower.find(phrase))
            .flatten()
            .and_then(|at| text.get(at + phrase.len()..))
        else {
            continue;
        };
        let list = rest.split([']', ')']).next().unwrap_or_default();
        for alias in list
            .split([',', ' '])
            .map(str::trim)
            .filter(|alias| is_name(alias))
        {
            if !command.aliases.iter().any(|known| known == alias) && alias != command.name {
                command.aliases.push(alias.to_owned());
            }
        }
        break;
    }
    command.deprecated =
        lower.starts_with("deprecated") || lower.contains("(deprecated") || lower.contains("[deprecated");
    command.description = text;
    command
}
