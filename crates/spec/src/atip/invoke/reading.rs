//! From the items of one scan to what they mean together.

use argrail_acli::{Arg, ArgRef, Command, Item};

use super::super::grammar::assignment;
use super::super::model::{Effects, Extra};
use super::behaviour::Prompts;
use super::named_words::{Destinations, NamedWords, resolved};
use super::parameter::{Inside, Parameter};
use super::prepared::Prepared;
use super::rule::{Mode, Occurrence, Rule};
use super::types::{
    Given, Inner, Invoked, OutputFormat, OutputShape, ProgramText, Raised, Unverified, Why, Word,
};

/// Variables that change how something is shown, and nothing else.
const HARMLESS: [&str; 7] = ["LANG", "LANGUAGE", "TZ", "NO_COLOR", "COLUMNS", "LINES", "TERM"];

/// A command line that is being understood.
pub(super) struct Reading<'p, 'w> {
    prepared: &'p Prepared,
    out: Invoked,
    /// What was given, each with all its values, in the order of its first occurrence.
    given: Vec<Occurred<'p, 'w>>,
    /// How many of the words stand before `--`.
    before: usize,
    wants_json: bool,
}

/// One option or argument with all that was given for it.
struct Occurred<'p, 'w> {
    parameter: &'p Parameter,
    /// As it was written first.
    spelt: Option<String>,
    values: Vec<&'w str>,
    is_off: bool,
    place: Place,
}

/// Where an option stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Where it is declared.
    Own,
    /// Before the command that declares it, as the option of the same name of a command above: what it adds counts,
    /// and it makes nothing better.
    Above,
}

impl<'p, 'w> Reading<'p, 'w> {
    pub(super) fn new(prepared: &'p Prepared, tool: &str, path: Vec<String>) -> Self {
        Self {
            prepared,
            out: Invoked {
                tool: tool.to_owned(),
                path,
                ..Invoked::default()
            },
            given: Vec::new(),
            before: usize::MAX,
            wants_json: false,
        }
    }

    /// Takes the options, and what nobody knows.
    pub(super) fn items(&mut self, items: &[Item<'_, 'w>], path: &[&Command], terminator: Option<usize>) {
        if let Some(end) = terminator {
            let before = items.iter().take(end);
            self.before = before.filter(|item| matches!(item, Item::Word(_))).count();
        }
        for item in items {
            match item {
                Item::Option {
                    arg,
                    spelt,
                    values,
                    negated,
                } => match self.parameter(arg.0, path) {
                    Some((level, parameter)) => {
                        self.option(parameter, spelt, values, *negated);
                        self.below(level, parameter, spelt, values);
                    }
                    None => self.unverified(spelt, Why::UnknownOption),
                },
                Item::Unknown(word) if word.starts_with('-') => self.unverified(word, Why::UnknownOption),
                Item::Unknown(word) => self.unverified(word, Why::UnknownWord),
                Item::Word(_) => {}
            }
        }
    }

    /// Takes the words, each with the argument that it is.
    pub(super) fn words(&mut self, places: &[(ArgRef<'_>, Vec<&'w str>)], path: &[&Command]) {
        let mut at = 0;
        for (arg, words) in places {
            let parameter = self.parameter(arg.0, path).map(|(_, parameter)| parameter);
            for word in words {
                self.out.words.push(Word {
                    name: parameter.map(|parameter| parameter.name.clone()),
                    text: (*word).to_owned(),
                    is_path: parameter.is_some_and(|parameter| parameter.is_path),
                    expands: parameter.is_some_and(|parameter| parameter.expands),
                });
                if at < self.before {
                    self.check_response_file(word);
                }
                at += 1;
            }
            match parameter {
                Some(parameter) => self.argument(parameter, words),
                None => words
                    .iter()
                    .for_each(|word| self.unverified(word, Why::UnknownWord)),
            }
        }
    }

    /// Takes a request for help that the tool does not describe, and what stands behind it.
    pub(super) fn help(&mut self, words: &[&str]) {
        self.out.asks_help = true;
        for (at, word) in words.iter().enumerate() {
            let why = if at == 0 {
                Why::UnknownOption
            } else {
                Why::UnknownWord
            };
            self.unverified(word, why);
        }
    }

    /// Returns what an argument is, and how many commands are above the one that declares it.
    fn parameter(&self, arg: &Arg, path: &[&Command]) -> Option<(usize, &'p Parameter)> {
        path.iter().enumerate().find_map(|(level, command)| {
            let at = command.args().iter().position(|known| std::ptr::eq(known, arg))?;
            Some((level, self.prepared.levels.get(level)?.get(at)?))
        })
    }

    /// Takes an option of a command above for the one of the same name that a command below has: tools read
    /// `tool --format=json list` as they read `tool list --format=json`.
    fn below(&mut self, level: usize, parameter: &Parameter, spelt: &str, values: &[&'w str]) {
        let prepared = self.prepared;
        let is_same = |other: &&Parameter| {
            other.name == parameter.name
                && other
                    .spellings
                    .iter()
                    .any(|spelling| parameter.spellings.contains(spelling))
        };
        let nearer = prepared.levels.iter().skip(level + 1).flatten();
        for same in nearer.filter(is_same) {
            self.occurred(same, Some(spelt), values, false, Place::Above);
        }
    }

    fn option(&mut self, parameter: &'p Parameter, spelt: &str, values: &[&'w str], negated: bool) {
        self.out.options.push(Given {
            name: parameter.name.clone(),
            spellings: parameter.spellings.clone(),
            spelt: spelt.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            is_path: parameter.is_path,
            expands: parameter.expands,
            negated,
        });
        values.iter().for_each(|value| self.check_response_file(value));
        self.wants_json |= parameter.is_json;
        let is_off = negated || (parameter.is_switch && values.iter().any(|value| is_off(value)));
        if parameter.is_switch && parameter.rules.iter().any(|rule| rule.mode == Mode::Instead) {
            // It would make the call a better one, and whether the tool takes it for yes or no, nobody can tell.
            let odd = values.iter().filter(|value| !is_off_or_on(value));
            odd.for_each(|value| self.unverified(value, Why::UnknownWord));
        }
        self.occurred(parameter, Some(spelt), values, is_off, Place::Own);
        self.inside(parameter, parameter.without_end(values));
        if parameter.assigns {
            values.iter().for_each(|value| self.assign(value));
        }
    }

    fn argument(&mut self, parameter: &'p Parameter, words: &[&'w str]) {
        self.occurred(parameter, None, words, false, Place::Own);
        let is_command = parameter.command != Inside::Words;
        let assigned = match (parameter.assigns, is_command) {
            (false, _) => 0,
            (true, true) => words.iter().take_while(|word| assignment(word).is_some()).count(),
            (true, false) => words.len(),
        };
        let (assigned, rest) = words.split_at(assigned.min(words.len()));
        let is_assignment = |word: &&&str| assignment(word).is_some();
        assigned
            .iter()
            .filter(is_assignment)
            .for_each(|word| self.assign(word));
        self.inside(parameter, if is_command { rest } else { words });
    }

    fn occurred(
        &mut self,
        parameter: &'p Parameter,
        spelt: Option<&str>,
        values: &[&'w str],
        is_off: bool,
        place: Place,
    ) {
        let known = self
            .given
            .iter_mut()
            .find(|known| std::ptr::eq(known.parameter, parameter));
        match known {
            Some(known) => {
                known.values.extend(values);
                known.is_off |= is_off;
                if place == Place::Own {
                    known.place = Place::Own;
                }
            }
            None => self.given.push(Occurred {
                parameter,
                spelt: spelt.map(str::to_owned),
                values: values.to_vec(),
                is_off,
                place,
            }),
        }
    }

    /// What the words are besides words: a command, or the text of a program.
    fn inside(&mut self, parameter: &Parameter, words: &[&str]) {
        match (parameter.command, words.first()) {
            (Inside::Words, _) | (_, None) => {}
            (Inside::Command | Inside::Open, Some(first)) => {
                let open = parameter.command == Inside::Open;
                if open {
                    self.unverified(first, Why::Input);
                }
                let words = words.iter().map(|word| (*word).to_owned()).collect();
                self.out.inner.push(Inner { words, open });
            }
        }
        if let Some(language) = &parameter.program {
            self.out.programs.extend(words.iter().map(|text| ProgramText {
                language: language.clone(),
                text: (*text).to_owned(),
            }));
        }
    }

    fn assign(&mut self, word: &str) {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        if !HARMLESS.contains(&name) && !name.starts_with("LC_") {
            self.unverified(word, Why::Variable);
        }
        self.out.assigned.push((name.to_owned(), value.to_owned()));
    }

    fn check_response_file(&mut self, word: &str) {
        let prefix = self.prepared.response_files.as_deref();
        if prefix.is_some_and(|prefix| word.starts_with(prefix)) {
            self.unverified(word, Why::ResponseFile);
        }
    }

    fn unverified(&mut self, text: &str, why: Why) {
        let text = text.to_owned();
        self.out.unverified.push(Unverified { text, why });
    }

    /// Adds what everything means together.
    pub(super) fn finish(mut self) -> Invoked {
        self.effects();
        let prepared = self.prepared;
        self.out.prompts = self.prompts();
        self.out.output = self.output();
        self.out.exits = prepared.exits.clone();
        self.out.env = prepared.env.clone();
        // What is written on the command line is not taken from a variable.
        for (option, variable) in &prepared.env_vars {
            let is_written = self.out.options.iter().any(|given| given.name == *option);
            if !is_written && !self.out.env_vars.contains(variable) {
                self.out.env_vars.push(variable.clone());
            }
        }
        self.out.authentication = prepared.authentication.clone();
        self.out
    }

    fn effects(&mut self) {
        let mut spoken: Vec<(&Rule, String)> = Vec::new();
        for occurred in &self.given {
            let occurrence = occurred.occurrence();
            for rule in &occurred.parameter.rules {
                let counts = rule.mode == Mode::Adds || occurred.place == Place::Own;
                if counts && rule.applies(occurrence, |name| self.is_on(name)) {
                    let by = occurred.spelt.as_deref().or_else(|| rule.by(occurrence));
                    spoken.push((rule, by.unwrap_or(&occurred.parameter.name).to_owned()));
                }
            }
        }
        let named: NamedWords<'_> = NamedWords::of(&self.out);
        let mut found = Destinations::default();
        let last = spoken.iter().rev().find(|(rule, _)| rule.mode == Mode::Instead);
        let base = match last {
            Some((rule, _)) => instead(&rule.effects, &self.prepared.effects.extra),
            None => self.prepared.effects.clone(),
        };
        let mut effects = resolved(&base, &named, &mut found).into_owned();
        for (rule, _) in spoken.iter().filter(|(rule, _)| rule.mode == Mode::Adds) {
            effects = effects.with(&resolved(&rule.effects, &named, &mut found));
        }
        let raised = spoken.into_iter().map(|(rule, by)| Raised {
            by,
            effects: resolved(&rule.effects, &named, &mut Destinations::default()).into_owned(),
            instead: rule.mode == Mode::Instead,
        });
        let raised: Vec<Raised> = raised.collect();
        let (caller_named, odd) = found.finish();
        odd.iter()
            .for_each(|word| self.unverified(word, Why::UnknownWord));
        self.out.caller_named = caller_named;
        self.out.effects = effects;
        self.out.raised = raised;
    }

    /// Whether an option or argument of this name was given and not switched off.
    fn is_on(&self, name: &str) -> bool {
        self.given
            .iter()
            .any(|occurred| occurred.parameter.name == name && !occurred.is_off)
    }

    fn prompts(&self) -> Option<String> {
        let is_given = |name: &String| self.given.iter().any(|occurred| occurred.parameter.name == *name);
        let asks = |prompts: &&Prompts| !prompts.unless.iter().any(is_given);
        let on_option = self.given.iter().filter(|occurred| !occurred.is_off);
        let on_option = on_option.filter_map(|occurred| occurred.parameter.prompts.as_ref());
        let all = on_option.chain(&self.prepared.prompts);
        all.filter(asks).map(|prompts| prompts.advice.clone()).next()
    }

    fn output(&self) -> OutputShape {
        let on_option = self.given.iter().rev();
        let on_option = on_option.filter(|occurred| !occurred.is_off);
        let said = on_option
            .filter_map(|occurred| occurred.parameter.output.as_ref())
            .next();
        let said = said.unwrap_or(&self.prepared.output);
        if self.wants_json {
            return OutputShape {
                format: OutputFormat::Json,
                json_words: Some(self.prepared.output.json.clone()),
            };
        }
        OutputShape {
            format: said.format,
            json_words: None,
        }
    }
}

impl<'w> Occurred<'_, 'w> {
    fn occurrence(&self) -> Occurrence<'_> {
        Occurrence {
            values: &self.values,
            is_off: self.is_off,
        }
    }
}

/// The effects that take the place of the command's own. Our own keys stay where they say nothing else.
fn instead(effects: &Effects, own: &Extra) -> Effects {
    let mut effects = effects.clone();
    for (key, value) in own {
        if !effects.extra.contains_key(key) {
            effects.extra.insert(key.clone(), value.clone());
        }
    }
    effects
}

/// Words by which a switch is off.
const OFF: [&str; 8] = ["false", "f", "no", "n", "off", "none", "never", "0"];
/// Words by which it is on, also those that say how: `--dry-run=client`.
const ON: [&str; 12] = [
    "true", "t", "yes", "y", "on", "1", "always", "auto", "client", "server", "only", "all",
];

fn is_off(value: &str) -> bool {
    OFF.iter().any(|word| value.eq_ignore_ascii_case(word))
}

fn is_off_or_on(value: &str) -> bool {
    is_off(value) || ON.iter().any(|word| value.eq_ignore_ascii_case(word))
}
