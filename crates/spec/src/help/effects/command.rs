//! The estimate of one command.

use serde_json::{Map, Value, json};

use super::class::Class;
use super::evidence::{Evidence, Ledger, Place, Reason};
use super::flag::{Role, holds_back, role};
use super::vocabulary::{Meaning, NETWORK, SECRET_KEYS, SECRETS, SETTINGS};
use super::words::{parts, tokens};
use super::{name, sentence};
use crate::atip::Effects;
use crate::help::{FoundOption, Page};

/// How many reasons are kept.
const MOST_REASONS: usize = 32;
/// How many options are looked at.
const MOST_OPTIONS: usize = 5000;

/// What a command seems to change.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The effects that are claimed. What is absent is unknown.
    pub effects: Effects,
    /// What it amounts to. A [`Class::Read`] that the effects do not claim is a hint.
    pub class: Class,
    /// Why, in the order in which the words were found.
    pub reasons: Vec<Reason>,
}

impl Estimate {
    /// Returns what `x-inferred` says about it: the class, and which word stands for which effect.
    pub fn marks(&self) -> Map<String, Value> {
        let mut marks = Map::new();
        marks.insert("class".to_owned(), self.class.as_str().into());
        if !self.reasons.is_empty() {
            marks.insert("because".to_owned(), because(&self.reasons));
        }
        marks
    }

    /// Whether it claims that the command only reads.
    pub fn claims_read(&self) -> bool {
        self.effects.idempotent == Some(true)
    }
}

/// Returns reasons as JSON.
pub(super) fn because(reasons: &[Reason]) -> Value {
    let reasons = reasons.iter();
    let reasons = reasons
        .map(|reason| json!({"field": reason.field, "in": reason.place.as_str(), "word": reason.word}));
    Value::Array(reasons.collect())
}

/// Estimates what a command changes.
///
/// `path` are the words that call it, the tool's name first; `page` is what its own text says, and `about` what the
/// list says in which it stands.
pub fn estimate(path: &[&str], page: &Page, about: Option<&str>) -> Estimate {
    let named = name::read(path);
    let texts = [about, page.about.as_deref()].into_iter().flatten();
    let texts: Vec<&str> = texts.filter(|text| !text.trim().is_empty()).collect();
    let said: Vec<sentence::Said> = texts.iter().map(|text| sentence::read(text)).collect();
    let doubts = page.options.iter().take(MOST_OPTIONS).filter_map(doubt);

    let mut ledger = Ledger::default();
    let spoken = said.iter().flat_map(|said| &said.found);
    let all: Vec<Evidence> = named.found.iter().chain(spoken).cloned().chain(doubts).collect();
    for found in &all {
        ledger.add(found, named.noun.as_deref());
    }
    if let Some(word) = network_word(&texts) {
        ledger.talks(&in_text(word));
    }
    let class = if all.iter().any(Evidence::changes) {
        Class::of(&ledger.effects)
    } else if all.iter().any(|found| found.meaning == Meaning::Doubt) {
        Class::Unknown
    } else {
        hinted(&named, &said)
    };
    let class = match class {
        Class::Read => read(&mut ledger, path, &named, &said, &texts),
        Class::Unknown | Class::Change | Class::Destructive => class,
    };
    let mut reasons = ledger.reasons;
    reasons.truncate(MOST_REASONS);
    Estimate {
        effects: ledger.effects,
        class,
        reasons,
    }
}

/// Says what a command is that nothing calls a change.
fn hinted(named: &name::Named, said: &[sentence::Said]) -> Class {
    let heads = || said.iter().filter_map(|said| said.head);
    let shows = named.shows || (named.found.is_empty() && heads().any(|head| head == Meaning::Show));
    let others = heads().any(|head| head != Meaning::Show);
    if shows && !others {
        Class::Read
    } else {
        Class::Unknown
    }
}

/// Adds what a command that seems to read may claim. Its name and its description must both say so, and what it shows
/// must be no secret, and nothing that often holds one.
fn read(
    ledger: &mut Ledger,
    path: &[&str],
    named: &name::Named,
    said: &[sentence::Said],
    texts: &[&str],
) -> Class {
    let in_name = named.found.iter().filter(|found| found.meaning == Meaning::Show);
    let in_text = said.iter().flat_map(|said| &said.found);
    let in_text = in_text.filter(|found| found.meaning == Meaning::Show);
    if let Some(secret) = secret_word(path, texts) {
        let prints = ("x-prints".to_owned(), "credentials".into());
        ledger.effects.extra.extend([prints]);
        ledger.because("x-prints", &secret);
        return Class::Unknown;
    }
    let described = said.iter().any(|said| said.head == Some(Meaning::Show));
    let field = if named.shows && described && !shows_settings(path, texts) {
        ledger.effects.idempotent = Some(true);
        "idempotent"
    } else {
        "class"
    };
    for found in in_name.chain(in_text) {
        ledger.because(field, found);
    }
    Class::Read
}

/// An option that only a command has that changes something: it rehearses, insists, answers a question, or holds a
/// change back.
fn doubt(option: &FoundOption) -> Option<Evidence> {
    // Those of all commands are many, and what they are for is not asked.
    let is_change = |role| match role {
        Role::Rehearses | Role::Assents | Role::Insists => true,
        Role::Writes | Role::Removes | Role::Starts | Role::Sends | Role::Changes => false,
    };
    let speaks = holds_back(option) || (!option.global && role(option).is_some_and(is_change));
    let word = option.spellings.last()?.clone();
    speaks.then_some(Evidence {
        meaning: Meaning::Doubt,
        place: Place::Option,
        word,
        object: None,
    })
}

fn in_text(word: String) -> Evidence {
    Evidence {
        meaning: Meaning::Doubt,
        place: Place::Description,
        word,
        object: None,
    }
}

fn network_word(texts: &[&str]) -> Option<String> {
    let mut words = texts.iter().flat_map(|text| tokens(text));
    words.find_map(|token| Some(token.word().filter(|word| NETWORK.contains(word))?.to_owned()))
}

/// Whether it shows what often holds a secret.
fn shows_settings(path: &[&str], texts: &[&str]) -> bool {
    let is_setting = |word: &str| SETTINGS.contains(&word);
    let named = path.iter().skip(1).flat_map(|word| parts(word));
    let mut spoken = texts.iter().flat_map(|text| tokens(text));
    named.into_iter().any(|word| is_setting(&word))
        || spoken.any(|token| token.word().is_some_and(is_setting))
}

/// Returns the word for a secret that it would show.
fn secret_word(path: &[&str], texts: &[&str]) -> Option<Evidence> {
    let secret = |words: &[String]| {
        let pairs = words.windows(2).find_map(|pair| match pair {
            [kind, key] => {
                let is_key = matches!(key.as_str(), "key" | "keys") && SECRET_KEYS.contains(&kind.as_str());
                is_key.then(|| format!("{kind} {key}"))
            }
            _ => None,
        });
        let single = words.iter().find(|word| SECRETS.contains(&word.as_str()));
        single.cloned().or(pairs)
    };
    let evidence = |place, word| Evidence {
        meaning: Meaning::Show,
        place,
        word,
        object: None,
    };
    let named: Vec<String> = path.iter().flat_map(|word| parts(word)).collect();
    if let Some(word) = secret(&named) {
        return Some(evidence(Place::Name, word));
    }
    texts.iter().find_map(|text| {
        let words: Vec<String> = tokens(text)
            .iter()
            .filter_map(|token| Some(token.word()?.to_owned()))
            .collect();
        Some(evidence(Place::Description, secret(&words)?))
    })
}
