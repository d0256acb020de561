//! Effects in a few words, for people and agents. Foreign text in them is bounded, and quoted unless it is a plain name.

use argrail_acli::Text;
use argrail_spec::atip::{Effects, claim};

use super::case::Case;

/// Effects that change something, and how they are called.
pub(super) const CHANGES: [(&str, &str); 5] = [
    ("filesystem.write", "writes files"),
    ("filesystem.delete", "deletes files"),
    ("creates", "creates"),
    ("modifies", "modifies"),
    ("deletes", "deletes"),
];
/// The most characters of a name that needs no quotes.
const PLAIN: usize = 64;
/// The most kinds of thing that are named.
const KINDS: usize = 6;
/// The most effects that are listed.
const LISTED: usize = 16;

/// Returns foreign text as it may stand among words of ours.
pub(super) fn plain(text: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "_./:@+=~*-".contains(c);
    if !text.is_empty() && text.len() <= PLAIN && text.chars().all(simple) {
        return text.to_owned();
    }
    Text::new("{}").value(text).to_string()
}

/// Returns an effect in words, with the flag or value that brought it in.
pub(super) fn effect(case: &Case<'_>, key: &str) -> String {
    let words = bare(&case.effects, key);
    let by = case.facts.invoked.raised.iter();
    match by
        .into_iter()
        .find(|raised| claim(&raised.effects, key) == Some(true))
    {
        Some(raised) => format!("{words} by {}", plain(&raised.by)),
        None => words,
    }
}

/// Returns what is asked about a host that only the caller names.
pub(super) fn new_host(case: &Case<'_>, name: &str) -> String {
    match case.facts.uses_credentials() {
        true => format!("new host {}, with credentials", plain(name)),
        false => format!("new host {}", plain(name)),
    }
}

fn bare(effects: &Effects, key: &str) -> String {
    match key {
        "filesystem.read" => "reads files".to_owned(),
        "filesystem.write" => "writes files".to_owned(),
        "filesystem.delete" => "deletes files".to_owned(),
        "creates" => kinds("creates", effects.creates.as_deref()),
        "modifies" => kinds("modifies", effects.modifies.as_deref()),
        "deletes" => kinds("deletes", effects.deletes.as_deref()),
        "network" => "talks to the network".to_owned(),
        "subprocess" => "starts programs".to_owned(),
        "destructive" => "destroys data".to_owned(),
        "reversible" => "cannot be undone".to_owned(),
        "idempotent" => "is not safe to repeat".to_owned(),
        "cost.billable" => "costs money".to_owned(),
        "cost.estimate" => {
            let word = effects.cost.as_ref().and_then(|cost| cost.estimate.as_deref());
            format!("costs: {}", plain(word.unwrap_or("unknown")))
        }
        other => plain(other),
    }
}

fn kinds(verb: &'static str, kinds: Option<&[String]>) -> String {
    let kinds = kinds.unwrap_or_default();
    let mut words = verb.to_owned();
    for (index, kind) in kinds.iter().take(KINDS).enumerate() {
        words.push_str(if index == 0 { " " } else { ", " });
        words.push_str(&plain(kind));
    }
    if kinds.len() > KINDS {
        words.push_str(&format!(" and {} more", kinds.len() - KINDS));
    }
    words
}

/// Says which credentials a call gives to code that nobody vouches for.
fn given_away(case: &Case<'_>) -> Option<String> {
    case.facts.stranger()?;
    let named = case.facts.credentials();
    let first: Vec<String> = named.iter().take(KINDS).map(|name| plain(name)).collect();
    let rest = match named.len().saturating_sub(KINDS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!named.is_empty()).then(|| format!("gives {}{rest} to code that nobody vouches for", first.join(", ")))
}

/// Returns what a call does that a person would want to know, in words; `unknown` if that is all.
pub(super) fn effects(case: &Case<'_>) -> Vec<String> {
    let dangers = ["destructive", "cost.billable", "network", "subprocess"];
    let keys = CHANGES.iter().map(|(key, _)| *key).chain(dangers);
    let mut words: Vec<String> = keys
        .filter(|key| claim(&case.effects, key) == Some(true))
        .map(|key| bare(&case.effects, key))
        .collect();
    words.extend(case.new_hosts().map(|host| new_host(case, host)));
    if case.prints_credentials() {
        words.push("shows credentials".to_owned());
    }
    words.extend(given_away(case));
    if !case.is_known() {
        words.push("unknown".to_owned());
    }
    words.truncate(LISTED);
    words
}
