//! A word as it stands, and the verb that it is a form of.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::vocabulary::{IRREGULAR, Meaning, NOUNS, WORDS, Where};

/// The longest word that is looked up: no verb is longer.
const LONGEST: usize = 32;

/// How a verb stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `delete`.
    Base,
    /// `deletes`: also the plural of a noun.
    Third,
    /// `deleting`.
    Ing,
    /// `deleted`.
    Past,
    /// `deletion`.
    Noun,
}

/// A verb that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verb {
    pub(super) senses: &'static [(Meaning, Where)],
    pub(super) form: Form,
}

impl Verb {
    /// Returns the worst of its meanings where `fits`.
    pub(super) fn meaning(&self, fits: impl Fn(Where) -> bool) -> Option<Meaning> {
        let senses = self.senses.iter().filter(|(_, place)| fits(*place));
        senses.map(|(meaning, _)| *meaning).max()
    }

    /// Whether it means that wherever it stands.
    pub(super) fn is_plain(&self) -> bool {
        self.senses.iter().any(|(_, place)| *place == Where::Anywhere)
    }
}

/// What a word says, by the word.
static VERBS: LazyLock<HashMap<&'static str, Vec<(Meaning, Where)>>> = LazyLock::new(|| {
    let mut verbs: HashMap<&'static str, Vec<(Meaning, Where)>> = HashMap::new();
    for (meaning, place, words) in WORDS {
        for word in words.split_ascii_whitespace() {
            verbs.entry(word).or_default().push((*meaning, *place));
        }
    }
    verbs
});

/// Returns the verb that this word is a form of. The word is in lower case.
pub(super) fn verb(word: &str) -> Option<Verb> {
    if word.len() > LONGEST || !word.is_ascii() {
        return None;
    }
    if let Some(known) = known(word, Form::Base) {
        return Some(known);
    }
    if let Some((_, base)) = NOUNS.iter().find(|(noun, _)| *noun == word) {
        return known(base, Form::Noun);
    }
    if let Some((_, base)) = IRREGULAR.iter().find(|(past, _)| *past == word) {
        return known(base, Form::Past);
    }
    inflected(word).or_else(|| prefixed(word))
}

fn known(base: &str, form: Form) -> Option<Verb> {
    VERBS.get(base).map(|senses| Verb { senses, form })
}

fn inflected(word: &str) -> Option<Verb> {
    let endings = [
        ("ies", "y", Form::Third),
        ("es", "", Form::Third),
        ("s", "", Form::Third),
        ("ing", "", Form::Ing),
        ("ing", "e", Form::Ing),
        ("ied", "y", Form::Past),
        ("ed", "", Form::Past),
        ("ed", "e", Form::Past),
    ];
    for (ending, instead, form) in endings {
        let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= 2) else {
            continue;
        };
        let doubled = stem.chars().next_back().and_then(|last| {
            let single = stem.strip_suffix(last)?;
            single.ends_with(last).then_some(single)
        });
        let found = known(&format!("{stem}{instead}"), form).or_else(|| match form {
            Form::Ing | Form::Past => known(doubled?, form),
            Form::Base | Form::Third | Form::Noun => None,
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// `reinstall`, `autoremove`, `unpause`: doing it again, by itself, or the other way round is still doing it.
fn prefixed(word: &str) -> Option<Verb> {
    ["re", "auto", "un", "force", "multi", "batch", "bulk"]
        .into_iter()
        .find_map(|prefix| {
            let rest = word.strip_prefix(prefix)?;
            let rest = rest.strip_prefix('-').unwrap_or(rest);
            if rest.len() < 3 {
                return None;
            }
            let found = known(rest, Form::Base).or_else(|| inflected(rest))?;
            let shows = found.senses.iter().any(|(meaning, _)| match meaning {
                Meaning::Show | Meaning::Vague => true,
                Meaning::Doubt
                | Meaning::Create
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
                | Meaning::Pay => false,
            });
            (!shows).then_some(found)
        })
}
