//! `arg:NAME` in effects: the words that were given for that option or argument take its place. `arg:NAME|HOST` is a
//! host that has a default: the first part counts that was given, or that is no name.
//!
//! Who names a host decides whether it is asked about, so what only the words name is gathered on the way.

use std::borrow::Cow;

use serde_json::Value;

use super::super::model::Effects;
use super::host::host;
use super::shared_places::{FoundPlace, PlaceShape};
use super::types::Invoked;

/// What marks a name.
const MARK: &str = "arg:";
/// What stands before the next part of a host that has a default.
const OR: char = '|';
/// Hosts that a command talks to.
const EGRESS: &str = "x-egress";
/// Names at a shared service that anybody can register: buckets, accounts, apps, vaults.
const DESTINATIONS: &str = "x-destinations";
/// What stands before the shape of a place in them: every word that has it counts, wherever it stands.
pub(crate) const EVERY_WORD: &str = "words:";
/// What stands behind a scheme that the word may leave out: `s3://?arg:path` is a bucket with and without `s3://`.
const OPTIONAL_SCHEME: &str = "//?";
/// The longest name of those: a resource path of a cloud.
const LONGEST_NAME: usize = 512;

/// The words of a command line by the names of what they are.
pub(super) struct NamedWords<'a> {
    words: Vec<(&'a str, &'a str)>,
    /// Words that are given for nothing that the description names.
    nameless: Vec<&'a str>,
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
        let nameless = invoked.words.iter().filter(|word| word.name.is_none());
        Self {
            words: options.chain(words).collect(),
            nameless: nameless.map(|word| word.text.as_str()).collect(),
        }
    }

    fn all(&self) -> impl Iterator<Item = &'a str> {
        let named = self.words.iter().map(|(_, word)| *word);
        named.chain(self.nameless.iter().copied())
    }

    fn get(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let named = self.words.iter().filter(move |(known, _)| *known == name);
        named.map(|(_, word)| *word)
    }
}

/// What the words of a command line name besides options and paths, gathered while effects are resolved.
#[derive(Debug, Default)]
pub(super) struct Destinations {
    /// Hosts, and names at a shared service, that stand among the words.
    by_words: Vec<String>,
    /// Hosts that the description names itself.
    by_description: Vec<String>,
    /// Words that should name a host and do not plainly do.
    odd: Vec<String>,
}

impl Destinations {
    /// Returns what nobody but the caller names, each once; and the words that could not be read.
    pub(super) fn finish(self) -> (Vec<String>, Vec<String>) {
        let Self {
            by_words,
            by_description,
            mut odd,
        } = self;
        let mut caller_named: Vec<String> = Vec::new();
        for name in by_words {
            let described = by_description.iter().any(|host| covers(host, &name));
            if !described && !caller_named.contains(&name) {
                caller_named.push(name);
            }
        }
        odd.dedup();
        (caller_named, odd)
    }
}

/// Whether a host of a description, or a wildcard of one, is this name.
fn covers(described: &str, name: &str) -> bool {
    match described.strip_prefix('*') {
        Some(dotted) => dotted.starts_with('.') && name.len() > dotted.len() && name.ends_with(dotted),
        None => described.eq_ignore_ascii_case(name),
    }
}

/// Returns the effects with words for names. A path stays as it was written; of a host, only what is plainly one counts.
pub(super) fn resolved<'e>(
    effects: &'e Effects,
    words: &NamedWords<'_>,
    found: &mut Destinations,
) -> Cow<'e, Effects> {
    let paths = effects
        .filesystem
        .as_ref()
        .and_then(|files| files.paths.as_deref());
    let has_names = paths.is_some_and(|paths| paths.iter().any(|path| path.starts_with(MARK)));
    let hosts = effects.extra.get(EGRESS).and_then(Value::as_array);
    let hosts = hosts.into_iter().flatten().filter_map(Value::as_str);
    let has_hosts = hosts.clone().any(|host| host.starts_with(MARK));
    if !has_names && !has_hosts && !effects.extra.contains_key(DESTINATIONS) {
        found.by_description.extend(hosts.map(str::to_owned));
        return Cow::Borrowed(effects);
    }
    let mut effects = effects.clone();
    if let Some(paths) = effects.filesystem.as_mut().and_then(|files| files.paths.as_mut()) {
        *paths = paths.iter().flat_map(|path| given(path, words)).collect();
    }
    if let Some(Value::Array(hosts)) = effects.extra.get_mut(EGRESS) {
        *hosts = hosts
            .iter()
            .flat_map(|entry| named_hosts(entry, words, found))
            .collect();
    }
    if let Some(Value::Array(entries)) = effects.extra.get_mut(DESTINATIONS) {
        let named = entries.iter().filter_map(Value::as_str);
        let named: Vec<String> = named
            .flat_map(|entry| destinations(entry, words, found))
            .collect();
        *entries = named.iter().cloned().map(Value::from).collect();
        found.by_words.extend(named);
    }
    Cow::Owned(effects)
}

fn given(path: &str, words: &NamedWords<'_>) -> Vec<String> {
    match path.strip_prefix(MARK) {
        Some(name) => words.get(name).map(str::to_owned).collect(),
        None => vec![path.to_owned()],
    }
}

fn named_hosts(entry: &Value, words: &NamedWords<'_>, found: &mut Destinations) -> Vec<Value> {
    let Some(text) = entry.as_str() else {
        return vec![entry.clone()];
    };
    if !text.starts_with(MARK) {
        found.by_description.push(text.to_owned());
        return vec![entry.clone()];
    }
    for part in text.split(OR) {
        let Some(name) = part.strip_prefix(MARK) else {
            found.by_description.push(part.to_owned());
            return vec![Value::from(part)];
        };
        let mut given = words.get(name).peekable();
        if given.peek().is_some() {
            let hosts = plain_hosts(given, found);
            found.by_words.extend(hosts.iter().cloned());
            return hosts.into_iter().map(Value::from).collect();
        }
    }
    Vec::new()
}

fn plain_hosts<'w>(words: impl Iterator<Item = &'w str>, found: &mut Destinations) -> Vec<String> {
    let mut hosts = Vec::new();
    for word in words {
        match host(word) {
            Some(host) => hosts.push(host),
            None => found.odd.push(word.to_owned()),
        }
    }
    hosts
}

/// The names that one entry of `x-destinations` stands for. `s3://arg:uri` takes the first part of values that are
/// written `s3://NAME/…`, and `s3://?arg:uri` of all; `s3:arg:bucket` takes whole values; `words:arn` what has that shape
/// in any word.
fn destinations(entry: &str, words: &NamedWords<'_>, found: &mut Destinations) -> Vec<String> {
    if let Some(shape) = entry.strip_prefix(EVERY_WORD).and_then(PlaceShape::named) {
        return shaped_places(shape, words, found);
    }
    let Some((kind, name)) = entry.split_once(MARK) else {
        return vec![entry.to_owned()];
    };
    let mut named = Vec::new();
    let optional = kind.strip_suffix(OPTIONAL_SCHEME);
    if let Some(scheme) = optional.or_else(|| kind.strip_suffix("//")) {
        let service = scheme.trim_end_matches(':');
        for word in words.get(name) {
            let rest = match word.split_once("://") {
                Some((written, rest)) if written.eq_ignore_ascii_case(service) => rest,
                Some(_) => continue,
                None if optional.is_some() => word,
                None => continue,
            };
            let place = rest.split(['/', '?', '#']).next().unwrap_or_default();
            // `s3://` alone names none: it lists one's own.
            if !(rest.is_empty() && optional.is_some()) {
                named.push((service, place, word));
            }
        }
    } else {
        let service = kind.trim_end_matches(':');
        named.extend(words.get(name).map(|word| (service, word, word)));
    }
    let mut plain = Vec::new();
    for (service, place, word) in named {
        match is_plain_name(place) {
            true => plain.push(format!("{service}://{}", place.to_ascii_lowercase())),
            false => found.odd.push(word.to_owned()),
        }
    }
    plain
}

fn shaped_places(shape: PlaceShape, words: &NamedWords<'_>, found: &mut Destinations) -> Vec<String> {
    let mut named = Vec::new();
    for place in words.all().flat_map(|word| shape.find_in(word)) {
        match place {
            FoundPlace::Named(name) if !named.contains(&name) => named.push(name),
            FoundPlace::Named(_) => {}
            FoundPlace::Odd(piece) => found.odd.push(piece),
        }
    }
    named
}

/// Names of buckets, accounts, apps and vaults, also with the parts that an ARN or a resource path has.
fn is_plain_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '@');
    !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(plain)
}
