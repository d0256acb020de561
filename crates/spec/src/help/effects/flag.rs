//! What one option adds to what its command changes, in the form of `x-effects` (`docs/descriptions.md`).
//!
//! An option can only make a command worse here. That `--dry-run` makes it better is noted and claimed by nobody:
//! such a rule counts only in the words of somebody who settles it.

use serde_json::{Map, Value, json};

use super::command::because;
use super::evidence::{Evidence, Ledger, Place, Reason};
use super::flag_words::{
    ASSENTS, FORMATS, HOLDS_BACK, IN_PLACE, INSISTS, OUTPUTS, PATHS, PROGRAMS, REHEARSES, STARTS, TEXT, TURNS,
};
use super::lemma::verb;
use super::sentence;
use super::vocabulary::{Meaning, Where};
use super::words::{Token, parts, tokens};
use crate::atip::{Effects, Filesystem, Kind};
use crate::help::{FoundOption, FoundValue, Takes};

/// What an option is for, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The command only tells what it would do: `--dry-run`.
    Rehearses,
    /// It answers questions beforehand: `--yes`.
    Assents,
    /// It gets past a safeguard: `--force`.
    Insists,
    /// It names a file to write, or has files written: `--output FILE`, `--in-place`.
    Writes,
    /// It deletes or overwrites: `--delete`.
    Removes,
    /// Its value is started: `--exec COMMAND`.
    Starts,
    /// It sends something away: `--upload`.
    Sends,
    /// It changes something else: `--install`.
    Changes,
}

impl Role {
    /// Returns the word for it in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rehearses => "rehearses",
            Self::Assents => "assents",
            Self::Insists => "insists",
            Self::Writes => "writes",
            Self::Removes => "removes",
            Self::Starts => "starts",
            Self::Sends => "sends",
            Self::Changes => "changes",
        }
    }
}

/// What an option adds.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionEstimate {
    /// What it is for.
    pub role: Role,
    /// What happens whenever it is given, as `x-effects` has it. None where it changes nothing by itself.
    pub effects: Option<Effects>,
    /// Why.
    pub reasons: Vec<Reason>,
}

impl OptionEstimate {
    /// Returns what `x-inferred` says about it.
    pub fn marks(&self) -> Map<String, Value> {
        let mut marks = Map::new();
        marks.insert("role".to_owned(), self.role.as_str().into());
        marks.insert("because".to_owned(), because(&self.reasons));
        marks
    }

    /// Returns the value of `x-effects`, if there is one.
    pub fn x_effects(&self) -> Option<Value> {
        self.effects.as_ref().map(|effects| json!(effects))
    }
}

/// Estimates what an option adds. `name` is what the metadata calls it, for `arg:NAME`.
pub fn estimate_option(option: &FoundOption, name: &str) -> Option<OptionEstimate> {
    let (role, found) = judged(option)?;
    let mut ledger = Ledger::default();
    match role {
        Role::Rehearses | Role::Assents => ledger.because("class", &found),
        Role::Insists => ledger.destroys(&found),
        Role::Writes => {
            ledger.writes(&found);
            if takes_path(option) {
                ledger.effects.filesystem = Some(Filesystem {
                    write: Some(true),
                    paths: Some(vec![format!("arg:{name}")]),
                    ..Filesystem::default()
                });
            }
        }
        Role::Starts => {
            ledger.starts(&found);
            ledger.not_twice(&found);
        }
        Role::Removes | Role::Sends | Role::Changes => ledger.add(&found, None),
    }
    let claims = ledger.effects != Effects::default();
    Some(OptionEstimate {
        role,
        effects: claims.then_some(ledger.effects),
        reasons: ledger.reasons,
    })
}

/// Returns what an option is for, as far as it matters.
pub(super) fn role(option: &FoundOption) -> Option<Role> {
    judged(option).map(|(role, _)| role)
}

/// Whether an option keeps the command from a change that it makes otherwise.
pub(super) fn holds_back(option: &FoundOption) -> bool {
    let mut names = option.spellings.iter().filter_map(|flag| long_name(flag));
    names.any(|name| HOLDS_BACK.contains(&name.as_str()))
}

/// Decides what it is for: by its name, then by what its description says first.
fn judged(option: &FoundOption) -> Option<(Role, Evidence)> {
    let names: Vec<String> = option
        .spellings
        .iter()
        .filter_map(|flag| long_name(flag))
        .collect();
    let found = |flag: &str, meaning| Evidence {
        meaning,
        place: Place::Option,
        word: flag.to_owned(),
        object: None,
    };
    for name in &names {
        let is = |list: &[&str]| list.contains(&name.as_str());
        let role = if is(REHEARSES) {
            Some(Role::Rehearses)
        } else if is(ASSENTS) {
            Some(Role::Assents)
        } else if is(INSISTS) {
            Some(Role::Insists)
        } else if (is(OUTPUTS) && takes_path(option)) || (is(IN_PLACE) && !takes_text(option)) {
            Some(Role::Writes)
        } else if starts(option, name) {
            Some(Role::Starts)
        } else {
            None
        };
        if let Some(role) = role {
            return Some((role, found(name, Meaning::Doubt)));
        }
    }
    let by_name = names.iter().find_map(|name| Some((name, verb_of(option, name)?)));
    if let Some((name, meaning)) = by_name {
        return Some((role_of(meaning)?, found(name, meaning)));
    }
    described(option)
}

/// Returns the name of a long option without its dashes, in lower case.
fn long_name(flag: &str) -> Option<String> {
    let name = flag.trim_start_matches('-');
    (name.chars().count() > 1).then(|| parts(name).join("-"))
}

/// What the verb in a name says: `--delete-after`, `-remove`.
fn verb_of(option: &FoundOption, name: &str) -> Option<Meaning> {
    let parts = parts(name);
    if parts
        .iter()
        .any(|part| TURNS.contains(&part.as_str()) || TEXT.contains(&part.as_str()))
    {
        return None;
    }
    let first = parts.first()?;
    let plain = parts.iter().find_map(|part| {
        use super::lemma::Form;
        let known = verb(part).filter(super::lemma::Verb::is_plain)?;
        match known.form {
            Form::Base | Form::Ing | Form::Noun => known.meaning(|place| place == Where::Anywhere),
            Form::Third | Form::Past => None,
        }
    });
    let leading = || {
        let known = verb(first).filter(|known| known.form == super::lemma::Form::Base)?;
        let meaning = known.meaning(|place| matches!(place, Where::Verb | Where::Anywhere))?;
        // A value makes most verbs a setting: `--set KEY=VALUE`, `--tag NAME`.
        matches!(option.takes, Takes::Nothing).then_some(meaning)
    };
    plain.or_else(leading)
}

fn role_of(meaning: Meaning) -> Option<Role> {
    match meaning {
        Meaning::Show | Meaning::Vague | Meaning::Doubt => None,
        Meaning::Create | Meaning::Modify | Meaning::Install | Meaning::SignIn | Meaning::Pay => {
            Some(Role::Changes)
        }
        Meaning::Write => Some(Role::Writes),
        Meaning::Run => Some(Role::Starts),
        Meaning::Fetch | Meaning::Send => Some(Role::Sends),
        Meaning::Remove | Meaning::Undo | Meaning::End => Some(Role::Removes),
    }
}

/// What a description says first, where it is a danger by itself.
fn described(option: &FoundOption) -> Option<(Role, Evidence)> {
    let said = sentence::read(&option.description);
    let head = said.head?;
    let found = said.found.iter().find(|found| found.meaning == head)?;
    let is_text = found
        .object
        .as_deref()
        .is_some_and(|object| TEXT.contains(&object));
    let words = tokens(&option.description);
    let mentions = |list: &[&str]| {
        words
            .iter()
            .filter_map(Token::word)
            .any(|word| list.contains(&word))
    };
    let role = match head {
        Meaning::Remove | Meaning::Undo | Meaning::End if !is_text => Role::Removes,
        Meaning::Send | Meaning::Fetch => Role::Sends,
        Meaning::Write if takes_path(option) || mentions(&["file", "files", "disk"]) => Role::Writes,
        Meaning::Modify if mentions(&["place", "in-place"]) => Role::Writes,
        Meaning::Run if takes_program(option) => Role::Starts,
        Meaning::Install | Meaning::Pay => Role::Changes,
        Meaning::Vague | Meaning::Show | Meaning::Create if takes_path(option) && sends_output(&words) => {
            Role::Writes
        }
        Meaning::Remove
        | Meaning::Undo
        | Meaning::End
        | Meaning::Write
        | Meaning::Modify
        | Meaning::Run
        | Meaning::Show
        | Meaning::Vague
        | Meaning::Doubt
        | Meaning::Create
        | Meaning::SignIn => return None,
    };
    Some((role, found.clone()))
}

/// "Output to FILE", "print the log into FILE".
fn sends_output(words: &[Token]) -> bool {
    let mut words = words.iter().filter_map(Token::word);
    words.any(|word| matches!(word, "to" | "into"))
}

/// Whether its value is a path.
fn takes_path(option: &FoundOption) -> bool {
    value(option).is_some_and(|value| match value.kind {
        Kind::File | Kind::Directory => true,
        Kind::String | Kind::Array => {
            let name = parts(&value.name);
            let has = |list: &[&str]| name.iter().any(|part| list.contains(&part.as_str()));
            has(PATHS) && !has(FORMATS)
        }
        Kind::Integer | Kind::Number | Kind::Boolean | Kind::Url | Kind::Enum => false,
    })
}

/// Whether its value is something else than a path.
fn takes_text(option: &FoundOption) -> bool {
    matches!(option.takes, Takes::Value(_)) && !takes_path(option)
}

fn takes_program(option: &FoundOption) -> bool {
    value(option).is_some_and(|value| {
        parts(&value.name)
            .iter()
            .any(|part| PROGRAMS.contains(&part.as_str()))
    })
}

/// Whether its value is started.
fn starts(option: &FoundOption, name: &str) -> bool {
    let parts = parts(name);
    let has = |list: &[&str]| parts.iter().any(|part| list.contains(&part.as_str()));
    if has(TURNS) || !has(STARTS) || value(option).is_none() {
        return false;
    }
    let said = sentence::read(&option.description);
    let runs = said.found.iter().any(|found| found.meaning == Meaning::Run);
    takes_program(option) || runs || parts.first().is_some_and(|first| first.starts_with("exec"))
}

fn value(option: &FoundOption) -> Option<&FoundValue> {
    match &option.takes {
        Takes::Nothing => None,
        Takes::Perhaps(value) | Takes::Value(value) => Some(value),
    }
}
