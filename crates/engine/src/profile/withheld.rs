//! What a description names and a call does not get, and why: so that a tool which fails of it does not fail in silence.

use std::path::{Path, PathBuf};

use argrail_acli::{Mask, Text};
use serde_json::{Value, json};

use super::pointed::Pointer;
use crate::output::CommandMask;
use crate::output::Secrets;
use crate::policy::{Agreed, Confinement, Facts, Stranger, Terms};

/// The most characters of a caller's word that are repeated.
const SHOWN: usize = 200;

/// Whether credentials are shown to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    /// They are.
    Open,
    /// They are not, for this reason.
    Shut(Shut),
}

/// Why credentials are not shown to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shut {
    /// It runs in the closed sandbox, which has none.
    Closed,
    /// Somebody's code runs in it that nobody vouches for, and no person said yes to this very call.
    Stranger(Stranger),
}

impl Gate {
    /// Decides for a call whose credentials a settled description names.
    pub(super) fn of(facts: &Facts, terms: Terms) -> Self {
        Self::beside(facts.stranger(), terms)
    }

    /// Decides for a call of a program whose bundle names the credentials.
    pub(super) fn of_bundle(facts: &Facts, terms: Terms) -> Self {
        Self::beside(facts.stranger_within(), terms)
    }

    fn beside(stranger: Option<Stranger>, terms: Terms) -> Self {
        match (terms.confinement, terms.agreed, stranger) {
            (Confinement::Closed, _, _) => Self::Shut(Shut::Closed),
            (Confinement::Effects, Agreed::Person, _) | (Confinement::Effects, _, None) => Self::Open,
            // A grant was given for a command, and not for whatever the workspace makes of it later.
            (Confinement::Effects, Agreed::Rules | Agreed::Grant, Some(stranger)) => {
                Self::Shut(Shut::Stranger(stranger))
            }
        }
    }
}

/// Something that a call does not get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// What.
    pub thing: Thing,
    /// Why.
    pub because: Because,
}

/// A thing that is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    /// A file or directory.
    Path(PathBuf),
    /// A variable, by its name.
    Variable(String),
}

/// Why something is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Because {
    /// It is a credential, and the call may not have any.
    Credential(Shut),
    /// A word of the call or a link of the workspace points to it: who names a path does not open it by that.
    Named(Pointer),
    /// A link of the home stands on the way to it, and whoever made that chose where it leads.
    BehindLink(PathBuf),
}

impl Withheld {
    /// A path that something points to.
    pub(super) fn named(path: &Path, pointer: &Pointer) -> Self {
        Self {
            thing: Thing::Path(path.to_owned()),
            because: Because::Named(pointer.clone()),
        }
    }

    /// A path of a bundle that a link of the home leads to.
    pub(super) fn behind_link(path: PathBuf, link: PathBuf) -> Self {
        Self {
            thing: Thing::Path(path),
            because: Because::BehindLink(link),
        }
    }

    /// A credential that the call may not have.
    pub(super) fn credential(thing: Thing, shut: Shut) -> Self {
        Self {
            thing,
            because: Because::Credential(shut),
        }
    }

    /// Returns it for an answer, with `~` for the home. No value of a variable is in it.
    pub fn to_json(&self, home: &Path) -> Value {
        let (key, thing) = match &self.thing {
            Thing::Path(path) => ("path", short(path, home)),
            Thing::Variable(name) => ("variable", name.clone()),
        };
        match &self.because {
            Because::Named(Pointer::Word(word)) => {
                let word: String = masked(word).chars().take(SHOWN).collect();
                json!({key: thing, "because": "a word of the call points to it", "word": word})
            }
            Because::Named(Pointer::Link(link)) => {
                json!({key: thing, "because": "a link of the workspace leads to it", "link": short(link, home)})
            }
            Because::BehindLink(link) => {
                json!({key: thing, "because": "a link of the home stands on the way to it", "link": short(link, home)})
            }
            Because::Credential(Shut::Closed) => {
                json!({key: thing, "because": "the closed sandbox has no credentials"})
            }
            Because::Credential(Shut::Stranger(stranger)) => {
                json!({key: thing, "because": stranger.as_str()})
            }
        }
    }

    /// Returns what to do about it, where the caller can do something.
    pub fn hint(&self, home: &Path) -> Option<Text> {
        match (&self.because, &self.thing) {
            (Because::Named(Pointer::Word(word)), Thing::Path(path)) => Some(
                Text::new("{} is not shown to this call, because the word {} points to it: write the call without that")
                    .value(short(path, home))
                    .value(masked(word)),
            ),
            (Because::Named(Pointer::Link(link)), Thing::Path(path)) => Some(
                Text::new("{} is not shown to this call, because the link {} leads to it: take the link away")
                    .value(short(path, home))
                    .value(short(link, home)),
            ),
            (Because::BehindLink(link), Thing::Path(path)) => Some(
                Text::new("{} is not shown to this call, because {} is a link: a person can put a directory in its place")
                    .value(short(path, home))
                    .value(short(link, home)),
            ),
            (Because::Named(_) | Because::Credential(_) | Because::BehindLink(_), _) => None,
        }
    }

    /// Whether the caller's own words are the reason.
    pub fn is_named(&self) -> bool {
        matches!(self.because, Because::Named(_))
    }
}

/// A word without what looks like a credential.
fn masked(word: &str) -> String {
    CommandMask::new(Secrets::none()).mask(word).into_owned()
}

/// A path with `~` for the home.
fn short(path: &Path, home: &Path) -> String {
    match path.strip_prefix(home) {
        Ok(rest) => format!("~/{}", rest.display()),
        Err(_) => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::policy::tests::input::facts;

    #[test]
    fn a_word_is_repeated_without_the_credential_in_it() {
        let word = Pointer::Word("https://me:hunter2plain@host.example/~/.netrc".to_owned());
        let home = Path::new("/data/ann");
        let withheld = Withheld::named(&home.join(".netrc"), &word);
        let (told, hint) = (withheld.to_json(home), withheld.hint(home).unwrap());
        assert_eq!(told["path"], "~/.netrc");
        for text in [told.to_string(), hint.to_string()] {
            assert!(
                text.contains("host.example") && !text.contains("hunter2plain"),
                "{text}"
            );
        }
    }

    #[test]
    fn credentials_and_strangers_meet_only_by_a_persons_word() {
        let check = |call: Value, confinement, agreed, want: Gate| {
            let terms = Terms { confinement, agreed };
            assert_eq!(Gate::of(&facts(&call), terms), want, "{call} {terms:?}");
        };
        let plain = json!({"tool": "gh"});
        let runs = json!({"tool": "cargo", "effects": {"x-runs": "workspace-code"}});
        let shut = Gate::Shut(Shut::Stranger(Stranger::WorkspaceCode));
        for agreed in [Agreed::Rules, Agreed::Grant, Agreed::Person] {
            check(
                plain.clone(),
                Confinement::Closed,
                agreed,
                Gate::Shut(Shut::Closed),
            );
            check(
                runs.clone(),
                Confinement::Closed,
                agreed,
                Gate::Shut(Shut::Closed),
            );
            check(plain.clone(), Confinement::Effects, agreed, Gate::Open);
        }
        check(runs.clone(), Confinement::Effects, Agreed::Rules, shut);
        check(runs.clone(), Confinement::Effects, Agreed::Grant, shut);
        check(runs, Confinement::Effects, Agreed::Person, Gate::Open);
    }
}
