//! Items into typed arguments: types, defaults, environment, required and exclusive ones.

use std::cmp::Reverse;
use std::path::PathBuf;

use super::error::BindError;
use super::path::{locate, stream};
use super::place::{Words, place};
use super::scan::{ArgRef, Item, Scan};
use crate::host::Host;
use crate::model::convert::{convert, split_list};
use crate::model::{Arg, Args, Command, Entry, Kind, Origin, Repeat, Typed};

/// What binding needs to know beside the words.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Environment and paths.
    pub host: &'a dyn Host,
    /// Where path arguments may lead.
    pub roots: &'a [PathBuf],
}

impl<'c, 'w> Scan<'c, 'w> {
    /// Returns the positionals of the command, each with its words, in the order of the words.
    ///
    /// # Errors
    /// A word that could not be read, or the first word too many.
    pub fn places(&self) -> Result<Vec<(ArgRef<'c>, Vec<&'w str>)>, BindError> {
        let items = self.items.as_ref().map_err(Clone::clone)?;
        let Some(command) = self.path.last() else {
            return Ok(Vec::new());
        };
        let words = Words::of(items, self.terminator);
        let placed = place(command, &words);
        match placed.surplus.first().and_then(|at| words.all.get(*at)) {
            Some(surplus) => Err(BindError::Surplus {
                given: (*surplus).to_owned(),
                most: command.positionals().count(),
            }),
            None => Ok(placed
                .list
                .into_iter()
                .map(|(arg, words)| (ArgRef(arg), words))
                .collect()),
        }
    }

    /// Returns the typed arguments of the command.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn bind(self, around: Surroundings<'_>) -> Result<Args, BindError> {
        let items = self.items.as_ref().map_err(Clone::clone)?;
        let mut binding = Binding {
            around,
            entries: Vec::with_capacity(items.len()),
        };
        for item in items {
            match item {
                Item::Option {
                    arg,
                    spelt,
                    values,
                    negated,
                } => binding.option(arg.0, spelt, values, *negated)?,
                Item::Word(_) | Item::Unknown(_) => {}
            }
        }
        for (arg, values) in self.places()? {
            binding.positional(arg.0, &values)?;
        }
        self.path.iter().try_for_each(|command| binding.fill(command))?;
        self.path.iter().try_for_each(|command| binding.check(command))?;
        Ok(binding.args(&self.path))
    }
}

struct Binding<'a, 'c> {
    around: Surroundings<'a>,
    entries: Vec<Bound<'c>>,
}

/// A value and the argument it belongs to: `git -C DIR commit -C HEAD` has two that are called the same.
struct Bound<'c> {
    arg: &'c Arg,
    value: Typed,
    origin: Origin,
}

impl<'c> Binding<'_, 'c> {
    /// Hands the values out by name. Of two with the same name, that of the deeper command comes first.
    fn args(self, path: &[&Command]) -> Args {
        let depth = |bound: &Bound<'_>| {
            let holds = |command: &&Command| command.args().iter().any(|arg| std::ptr::eq(arg, bound.arg));
            Reverse(path.iter().position(holds))
        };
        let mut entries = self.entries;
        if path.len() > 1 {
            entries.sort_by_key(depth);
        }
        let named = |bound: Bound<'_>| Entry {
            id: bound.arg.id.clone(),
            value: bound.value,
            origin: bound.origin,
        };
        Args(entries.into_iter().map(named).collect())
    }

    fn option(&mut self, arg: &'c Arg, spelt: &str, words: &[&str], negated: bool) -> Result<(), BindError> {
        let value = match words {
            [] => Typed::Boolean(!negated),
            [word] => self.typed(arg, spelt, word)?,
            // What belongs together, as the words of `-exec`, stays together as one list.
            several => Typed::List(
                several
                    .iter()
                    .map(|word| self.typed(arg, spelt, word))
                    .collect::<Result<_, _>>()?,
            ),
        };
        self.add(arg, value)
    }

    fn positional(&mut self, arg: &'c Arg, words: &[&str]) -> Result<(), BindError> {
        words.iter().try_for_each(|word| {
            let value = self.typed(arg, arg.shown(), word)?;
            self.add(arg, value)
        })
    }

    fn add(&mut self, arg: &'c Arg, value: Typed) -> Result<(), BindError> {
        let known = self.entries.iter_mut().find(|entry| std::ptr::eq(entry.arg, arg));
        let Some(entry) = known else {
            self.insert(arg, value, Origin::Typed);
            return Ok(());
        };
        match arg.repeat {
            Repeat::Once => {
                return Err(BindError::Twice {
                    name: arg.shown().to_owned(),
                });
            }
            Repeat::Last => entry.value = value,
            Repeat::Many => match (&mut entry.value, collected(arg, value)) {
                (Typed::Integer(count), Typed::Integer(more)) => *count = count.saturating_add(more),
                (Typed::List(items), Typed::List(more)) => items.extend(more),
                (kept, other) => *kept = other,
            },
        }
        Ok(())
    }

    fn insert(&mut self, arg: &'c Arg, value: Typed, origin: Origin) {
        let value = match arg.repeat {
            Repeat::Many => collected(arg, value),
            Repeat::Once | Repeat::Last => value,
        };
        self.entries.push(Bound { arg, value, origin });
    }

    fn typed(&self, arg: &Arg, name: &str, word: &str) -> Result<Typed, BindError> {
        let value = if arg.kind.is_path() {
            self.path(arg, name, word)?
        } else {
            convert(&arg.kind, word).ok_or_else(|| wrong_type(arg, name, word))?
        };
        for check in &arg.checks {
            if !(check.holds)(&value) {
                let (name, given, expected) = (name.to_owned(), word.to_owned(), check.expected.clone());
                return Err(BindError::Refused {
                    name,
                    given,
                    expected,
                });
            }
        }
        Ok(value)
    }

    fn path(&self, arg: &Arg, name: &str, word: &str) -> Result<Typed, BindError> {
        if arg.takes_streams
            && let Some(stream) = stream(word)
        {
            return Ok(stream);
        }
        let one = |text: &str| match locate(text, self.around.roots, self.around.host) {
            Some(path) => Ok(Typed::Path(path)),
            None => Err(BindError::OutsideRoots {
                name: name.to_owned(),
                given: text.to_owned(),
                roots: self.around.roots.to_vec(),
            }),
        };
        if matches!(arg.kind, Kind::Array(_)) {
            return split_list(word)
                .map(one)
                .collect::<Result<_, _>>()
                .map(Typed::List);
        }
        one(word)
    }

    /// Adds what was not typed: from the environment, else the default.
    fn fill(&mut self, command: &'c Command) -> Result<(), BindError> {
        for arg in command.args() {
            if self.has(arg) {
                continue;
            }
            let from_env = arg.env.as_deref().and_then(|name| self.around.host.env(name));
            if let Some(text) = from_env {
                let value = self.typed(arg, arg.shown(), switch(arg, &text))?;
                self.insert(arg, value, Origin::Env);
            } else if let Some(default) = &arg.default {
                let value = self.default(arg, default)?;
                self.entries.push(Bound {
                    arg,
                    value,
                    origin: Origin::Default,
                });
            }
        }
        Ok(())
    }

    /// A default is written by the definition, so it is read by the same rules as a word.
    fn default(&self, arg: &Arg, default: &serde_json::Value) -> Result<Typed, BindError> {
        use serde_json::Value;
        let read = |value: &Value| match value {
            Value::String(text) => self.typed(arg, arg.shown(), text),
            other => self.typed(arg, arg.shown(), &other.to_string()),
        };
        match (default, &arg.kind) {
            (value, Kind::Json) => Ok(Typed::Json(value.clone())),
            (Value::Array(items), _) => {
                let mut all = Vec::with_capacity(items.len());
                for item in items {
                    match read(item)? {
                        Typed::List(inner) => all.extend(inner),
                        one => all.push(one),
                    }
                }
                Ok(Typed::List(all))
            }
            (value, _) if arg.repeat == Repeat::Many => Ok(collected(arg, read(value)?)),
            (value, _) => read(value),
        }
    }

    fn check(&self, command: &Command) -> Result<(), BindError> {
        let whole = |arg: &&Arg| arg.is_whole && self.was_typed(arg);
        if let Some(whole) = command.args().iter().find(whole) {
            return self.check_alone(command, whole);
        }
        let must = |arg: &&Arg| arg.required && !arg.is_required_by_handler && !self.has(arg);
        if let Some(missing) = command.args().iter().find(must) {
            let (name, expected) = (missing.shown().to_owned(), missing.kind.expected());
            return Err(BindError::Missing { name, expected });
        }
        for group in &command.inside().exclusive {
            let members = || {
                command
                    .args()
                    .iter()
                    .filter(|arg| group.ids.iter().any(|id| **id == *arg.id))
            };
            let shown = |arg: &Arg| arg.shown().to_owned();
            let given: Vec<String> = members().filter(|arg| self.was_typed(arg)).map(shown).collect();
            if given.len() > 1 {
                return Err(BindError::Exclusive { names: given });
            }
            if group.required && given.is_empty() {
                return Err(BindError::OneOf {
                    names: members().map(shown).collect(),
                });
            }
        }
        Ok(())
    }

    /// What stands for all others stands alone.
    fn check_alone(&self, command: &Command, whole: &Arg) -> Result<(), BindError> {
        let is_other = |arg: &&Arg| !std::ptr::eq(*arg, whole) && self.was_typed(arg);
        match command.args().iter().find(is_other) {
            Some(other) => Err(BindError::Exclusive {
                names: vec![whole.shown().to_owned(), other.shown().to_owned()],
            }),
            None => Ok(()),
        }
    }

    fn has(&self, arg: &Arg) -> bool {
        self.entries.iter().any(|entry| std::ptr::eq(entry.arg, arg))
    }

    /// A default does not take sides in an exclusive group.
    fn was_typed(&self, arg: &Arg) -> bool {
        self.entries
            .iter()
            .any(|entry| std::ptr::eq(entry.arg, arg) && entry.origin != Origin::Default)
    }
}

/// The usual words for on and off in the environment, for what is on or off.
fn switch<'t>(arg: &Arg, text: &'t str) -> &'t str {
    match (&arg.kind, text) {
        (Kind::Flag | Kind::Boolean, "1" | "yes" | "on") => "true",
        (Kind::Flag | Kind::Boolean, "0" | "no" | "off" | "") => "false",
        (_, text) => text,
    }
}

/// The form in which repetitions add up: a count for flags, a list for all others.
fn collected(arg: &Arg, value: Typed) -> Typed {
    match (&arg.kind, value) {
        (Kind::Flag, Typed::Boolean(false)) => Typed::Integer(0),
        (Kind::Flag, Typed::Integer(count)) => Typed::Integer(count),
        (Kind::Flag, _) => Typed::Integer(1),
        (Kind::Array(_), Typed::List(items)) => Typed::List(items),
        (_, value) => Typed::List(vec![value]),
    }
}

fn wrong_type(arg: &Arg, name: &str, word: &str) -> BindError {
    let choices = match &arg.kind {
        Kind::Enum(values) => values.clone(),
        _ => Vec::new(),
    };
    BindError::WrongType {
        name: name.to_owned(),
        given: word.to_owned(),
        expected: arg.kind.expected(),
        choices,
    }
}
