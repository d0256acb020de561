//! What the words that call a command say: `volume rm`, `list-buckets`, `get-or-create`.
//!
//! The last word counts most. A word above it that is nothing but a verb counts too (`delete pod`); one that may be a
//! noun (`release list`) only where the last word says nothing. The name of the tool never makes a command a read.

use super::evidence::{Evidence, Place};
use super::lemma::{Form, Verb, verb};
use super::vocabulary::{Meaning, Where};
use super::words::parts;

/// How many words of a path count.
const DEEPEST: usize = 16;

/// What a path says.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) found: Vec<Evidence>,
    /// Whether it says that the command shows something.
    pub(super) shows: bool,
    /// What the command is about.
    pub(super) noun: Option<String>,
}

/// Reads the words that call a command, the tool first.
pub(super) fn read(path: &[&str]) -> Named {
    let Some((last, above)) = path.split_last() else {
        return Named::default();
    };
    let above = above.iter().take(DEEPEST);
    let mut named = part(last);
    let is_silent = named.found.is_empty();
    // `set version` sets it; `release info` shows it. Which of them it is, nobody can tell.
    let is_thing = named.found.iter().all(|found| found.meaning == Meaning::Show)
        && parts(last).last().is_some_and(|part| is_noun(part));
    for (at, group) in above.enumerate() {
        let of_group = part(group);
        let is_tool = at == 0;
        let plain = parts(group)
            .iter()
            .any(|word| acts(word).is_some_and(|verb| verb.is_plain()));
        let doubts = |found: &Evidence| is_thing && !is_tool && !plain && found.changes();
        let heard = of_group.found.into_iter().map(|found| match doubts(&found) {
            true => Evidence {
                meaning: Meaning::Doubt,
                ..found
            },
            false => found,
        });
        let heard = heard.filter(|found| match found.meaning {
            // `search code` searches; `history redo` is about a history.
            Meaning::Show => is_silent && !is_tool && !is_noun(&found.word),
            Meaning::Vague => is_silent,
            Meaning::Doubt => is_silent || is_thing,
            Meaning::Create
            | Meaning::Modify
            | Meaning::Write
            | Meaning::Run
            | Meaning::Fetch
            | Meaning::Send
            | Meaning::Install
            | Meaning::SignIn
            | Meaning::Remove
            | Meaning::Undo
            | Meaning::End
            | Meaning::Pay => plain || (is_silent && !is_tool),
        });
        named.found.extend(heard);
        if !is_tool && named.noun.is_none() {
            named.noun = of_group.noun.or_else(|| parts(group).pop());
        }
    }
    named.shows = named.found.iter().any(|found| found.meaning == Meaning::Show)
        && named.found.iter().all(|found| found.meaning == Meaning::Show);
    named
}

/// Returns the verb of a part. `deleted` tells what kind of thing it is, and `tags` are things.
fn acts(part: &str) -> Option<Verb> {
    verb(part).filter(|verb| match verb.form {
        Form::Base | Form::Ing => true,
        Form::Third | Form::Noun => verb.is_plain(),
        Form::Past => false,
    })
}

/// Whether a part names what is shown, and not that it is.
fn is_noun(part: &str) -> bool {
    verb(part).is_some_and(|verb| {
        verb.senses
            .iter()
            .all(|(_, place)| matches!(place, Where::Noun | Where::Text))
    })
}

/// Reads one word of a path.
fn part(name: &str) -> Named {
    let parts = parts(name);
    let verbs: Vec<Option<Verb>> = parts.iter().map(|part| acts(part)).collect();
    let shows = |at: usize, wheres: &[Where]| {
        let sense = verbs.get(at).copied().flatten()?;
        let all = sense.senses.iter();
        let mut fitting = all.filter(|(_, place)| wheres.contains(place));
        fitting
            .any(|(meaning, _)| *meaning == Meaning::Show)
            .then_some(at)
    };
    let last = parts.len().saturating_sub(1);
    // `verify-commit` verifies a commit, and makes none.
    let is_vague = verbs.first().copied().flatten().is_some_and(|verb| {
        let meaning =
            verb.meaning(|place| matches!(place, Where::Verb | Where::Name | Where::First | Where::Anywhere));
        parts.len() > 1 && meaning == Some(Meaning::Vague)
    });
    // A verb at either end makes the rest what it shows; a noun does so only by itself.
    let by_verb = shows(0, &[Where::Verb, Where::Name, Where::First])
        .or_else(|| shows(last, &[Where::Verb, Where::Name]));
    let shown = by_verb.or_else(|| shows(last, &[Where::Noun]));
    let mut named = Named::default();
    for (at, (part, verb)) in parts.iter().zip(&verbs).enumerate() {
        let joined = at
            .checked_sub(1)
            .and_then(|at| parts.get(at))
            .is_some_and(|part| matches!(part.as_str(), "and" | "or" | "then"));
        let meaning = match verb {
            _ if shown == Some(at) => Some(Meaning::Show),
            Some(verb) if verb.is_plain() || joined || at == 0 || (by_verb.is_none() && !is_vague) => verb
                .meaning(|place| match place {
                    Where::Anywhere | Where::Verb | Where::Name | Where::First => true,
                    Where::Noun | Where::Text => false,
                }),
            None if joined => Some(Meaning::Doubt),
            Some(_) | None => None,
        };
        match meaning {
            Some(meaning) => named.found.push(Evidence {
                meaning,
                place: Place::Name,
                word: part.clone(),
                object: None,
            }),
            None if named.noun.is_none() && part.len() > 1 => named.noun = Some(part.clone()),
            None => {}
        }
    }
    named
}
