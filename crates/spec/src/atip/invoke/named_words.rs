//! `arg:NAME` in effects: the words that were given for that option or argument take its place. `arg:NAME|HOST` is a
//! host that has a default: the first part counts that was given, or that is no name.

use std::borrow::Cow;

use serde_json::Value;

use super::super::model::Effects;
use super::host::host;
use super::types::Invoked;

/// What marks a name.
const MARK: &str = "arg:";
/// What stands before the next part of a host that has a default.
const OR: char = '|';

/// The words of a command line by the names of what they are.
pub(super) struct NamedWords<'a> {
    words: Vec<(&'a str, &'a str)>,
}

impl<'a> NamedWords<'a> {
    pub(super) fn of(invoked: &'a Invoked) -> Self {
        let options = invoked.options.iter().flat_map(|given| {
            given
                .values
                .iter()
                .map(|value| (given.name.as_str(), value.as_str()))
        });
        let words = invoked
            .words
            .iter()
            .filter_map(|word| Some((word.name.as_deref()?, word.text.as_str())));
        Self {
            words: options.chain(words).collect(),
        }
    }

    fn get(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let named = self.words.iter().filter(move |(known, _)| *known == name);
        named.map(|(_, word)| *word)
    }
}

/// Returns the effects with words for names. A path stays as it was written; of a host, only what is plainly one counts,
/// and all other words are `odd`.
pub(super) fn resolved<'e>(
    effects: &'e Effects,
    words: &NamedWords<'_>,
    odd: &mut Vec<String>,
) -> Cow<'e, Effects> {
    let paths = effects
        .filesystem
        .as_ref()
        .and_then(|files| files.paths.as_deref());
    let has_names = paths.is_some_and(|paths| paths.iter().any(|path| path.starts_with(MARK)));
    let hosts = effects.extra.get("x-egress").and_then(Value::as_array);
    let names_host = |host: &Value| host.as_str().is_some_and(|host| host.starts_with(MARK));
    let has_hosts = hosts.is_some_and(|hosts| hosts.iter().any(names_host));
    if !has_names && !has_hosts {
        return Cow::Borrowed(effects);
    }
    let mut effects = effects.clone();
    if let Some(paths) = effects.filesystem.as_mut().and_then(|files| files.paths.as_mut()) {
        *paths = paths.iter().flat_map(|path| given(path, words)).collect();
    }
    if let Some(Value::Array(hosts)) = effects.extra.get_mut("x-egress") {
        *hosts = hosts
            .iter()
            .flat_map(|entry| named_hosts(entry, words, odd))
            .collect();
    }
    Cow::Owned(effects)
}

fn given(path: &str, words: &NamedWords<'_>) -> Vec<String> {
    match path.strip_prefix(MARK) {
        Some(name) => words.get(name).map(str::to_owned).collect(),
        None => vec![path.to_owned()],
    }
}

fn named_hosts(entry: &Value, words: &NamedWords<'_>, odd: &mut Vec<String>) -> Vec<Value> {
    let Some(parts) = entry.as_str().filter(|entry| entry.starts_with(MARK)) else {
        return vec![entry.clone()];
    };
    for part in parts.split(OR) {
        let Some(name) = part.strip_prefix(MARK) else {
            return vec![Value::from(part)];
        };
        let mut given = words.get(name).peekable();
        if given.peek().is_some() {
            return plain_hosts(given, odd);
        }
    }
    Vec::new()
}

fn plain_hosts<'w>(words: impl Iterator<Item = &'w str>, odd: &mut Vec<String>) -> Vec<Value> {
    let mut hosts = Vec::new();
    for word in words {
        match host(word) {
            Some(host) => hosts.push(Value::String(host)),
            None => odd.push(word.to_owned()),
        }
    }
    hosts
}
