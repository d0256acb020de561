//! Single words that speak about a command, and the effects that they amount to.
//!
//! More evidence never makes effects better: each piece adds dangers, and none takes one away.

use super::vocabulary::{FILES, Meaning};
use crate::atip::{Cost, Effects, Filesystem};

/// What is said to be changed where no word names it.
const NAMELESS: &str = "resource";

/// Where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// In the name of the command, or of one above it.
    Name,
    /// In a description.
    Description,
    /// An option that the command has.
    Option,
}

impl Place {
    /// Returns the word for it in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Option => "option",
        }
    }
}

/// Why an effect is claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The effect, with dots: `filesystem.write`. `class` where it only hints at what the command is.
    pub field: &'static str,
    /// Where the word stands.
    pub place: Place,
    /// The word or the flag.
    pub word: String,
}

/// One word that speaks about a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Evidence {
    pub(super) meaning: Meaning,
    pub(super) place: Place,
    pub(super) word: String,
    /// What it is done to, if the text says so.
    pub(super) object: Option<String>,
}

impl Evidence {
    /// Whether it says that something changes.
    pub(super) fn changes(&self) -> bool {
        match self.meaning {
            Meaning::Show | Meaning::Vague | Meaning::Doubt => false,
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
            | Meaning::Pay => true,
        }
    }
}

/// Effects as they grow, with the reason of each.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) effects: Effects,
    pub(super) reasons: Vec<Reason>,
}

impl Ledger {
    /// Adds what one piece of evidence says. `noun` is what the command is about, for words without an object.
    pub(super) fn add(&mut self, found: &Evidence, noun: Option<&str>) {
        let object = found.object.as_deref();
        let is_file = object.is_some_and(|object| FILES.contains(&object));
        let named = object.or(noun).unwrap_or(NAMELESS);
        match found.meaning {
            Meaning::Show | Meaning::Vague => {}
            Meaning::Doubt => self.because("class", found),
            Meaning::Create => self.creates(found, named),
            Meaning::Modify => self.modifies(found, named),
            Meaning::Write => self.writes(found),
            Meaning::Run => {
                self.starts(found);
                self.not_twice(found);
            }
            Meaning::Fetch => {
                self.talks(found);
                self.writes(found);
            }
            Meaning::Send => {
                self.talks(found);
                self.creates(found, named);
                self.effects.reversible = Some(false);
                self.because("reversible", found);
            }
            Meaning::Install => {
                self.talks(found);
                self.creates(found, named);
                self.writes(found);
                self.starts(found);
            }
            Meaning::SignIn => {
                self.talks(found);
                self.modifies(found, "credentials");
            }
            Meaning::Remove => {
                push(&mut self.effects.deletes, named);
                self.because("deletes", found);
                self.destroys(found);
            }
            Meaning::Undo | Meaning::End => {
                self.modifies(found, named);
                self.destroys(found);
            }
            Meaning::Pay => {
                self.effects.cost.get_or_insert_with(Cost::default).billable = Some(true);
                self.because("cost.billable", found);
                self.not_twice(found);
            }
        }
        if is_file {
            self.touches_files(found);
        }
    }

    fn touches_files(&mut self, found: &Evidence) {
        match found.meaning {
            Meaning::Create | Meaning::Modify | Meaning::Undo => self.writes(found),
            Meaning::Remove => {
                self.files().delete = Some(true);
                self.because("filesystem.delete", found);
            }
            Meaning::Show
            | Meaning::Vague
            | Meaning::Doubt
            | Meaning::Write
            | Meaning::Run
            | Meaning::Fetch
            | Meaning::Send
            | Meaning::Install
            | Meaning::SignIn
            | Meaning::End
            | Meaning::Pay => {}
        }
    }

    pub(super) fn talks(&mut self, found: &Evidence) {
        self.effects.network = Some(true);
        self.because("network", found);
    }

    pub(super) fn starts(&mut self, found: &Evidence) {
        self.effects.subprocess = Some(true);
        self.because("subprocess", found);
    }

    pub(super) fn not_twice(&mut self, found: &Evidence) {
        self.effects.idempotent = Some(false);
        self.because("idempotent", found);
    }

    pub(super) fn destroys(&mut self, found: &Evidence) {
        self.effects.destructive = Some(true);
        self.because("destructive", found);
    }

    pub(super) fn writes(&mut self, found: &Evidence) {
        self.files().write = Some(true);
        self.because("filesystem.write", found);
    }

    fn creates(&mut self, found: &Evidence, named: &str) {
        push(&mut self.effects.creates, named);
        self.because("creates", found);
        self.not_twice(found);
    }

    pub(super) fn modifies(&mut self, found: &Evidence, named: &str) {
        push(&mut self.effects.modifies, named);
        self.because("modifies", found);
    }

    fn files(&mut self) -> &mut Filesystem {
        self.effects.filesystem.get_or_insert_with(Filesystem::default)
    }

    /// Notes why, once.
    pub(super) fn because(&mut self, field: &'static str, found: &Evidence) {
        let reason = Reason {
            field,
            place: found.place,
            word: found.word.clone(),
        };
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }
}

fn push(list: &mut Option<Vec<String>>, item: &str) {
    let list = list.get_or_insert_default();
    if item == NAMELESS && !list.is_empty() {
        return;
    }
    list.retain(|known| known != NAMELESS);
    if !list.iter().any(|known| known == item) {
        list.push(item.to_owned());
    }
}
