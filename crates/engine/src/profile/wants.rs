//! What a call wants to touch, added up over the call and the calls inside it.
//!
//! Whose word counts: inside the roots a description is believed, since that is what was judged. Outside of them only
//! a settled one is, and only where it names the path itself: a path that the caller chose is not opened by choosing.
//! Credentials are opened where the gate is ([`Gate`]), and a wider path than theirs is shown without them.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use argrail_spec::atip::Effects;
use serde_json::Value;

use super::exec::Starts;
use super::ground::Ground;
use super::grounds::{Grounds, interpreter, relay};
use super::pointed::{Pointed, Pointer};
use super::secret_files::SecretFiles;
use super::spot::{Act, Named, Spot};
use super::withheld::{Gate, Thing, Withheld};
use crate::policy::{Basis, Confinement, Egress, Facts, Stranger, Terms, tidy};

/// How deep calls inside calls are followed.
const DEEP: usize = 8;
/// The most paths of one list.
const PATHS: usize = 1024;

/// What git shows files with, in the place of programs that a repository names.
const CAT: &str = "/bin/cat";

/// What is wanted.
#[derive(Debug, Default)]
pub(super) struct Wants {
    pub(super) read: Vec<Spot>,
    /// What of that is credentials.
    pub(super) secrets: Vec<Spot>,
    pub(super) write: Vec<Spot>,
    pub(super) grounds: Vec<Grounds>,
    pub(super) egress: Vec<Reached>,
    pub(super) starts: Starts,
    /// Whether git is called, here or inside.
    pub(super) git: bool,
    /// A person's own settings of git, where the call may have no credentials.
    pub(super) git_settings: Vec<Spot>,
    pub(super) notes: Vec<String>,
    /// What is named and not shown.
    pub(super) withheld: Vec<Withheld>,
}

/// Somewhere that is talked to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reached {
    /// A host, or hosts below one.
    Name(String),
    /// Every public host.
    Public,
}

/// Adds up what is wanted.
pub(super) struct Gather<'g> {
    ground: &'g Ground,
    /// What the roots show.
    roots: &'g [Spot],
    confinement: Confinement,
    /// The whole call, which all of its words belong to.
    whole: &'g Facts,
    gate: Gate,
    secrets: SecretFiles<'g>,
    /// What its words point to, once somebody has to know.
    pointed: OnceCell<Pointed<'g>>,
    wants: Wants,
}

/// What a description says a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// Something to be read.
    Plain,
    /// Something with credentials in it.
    Secret,
}

impl<'g> Gather<'g> {
    /// Starts with the roots, which every call reads.
    pub(super) fn new(ground: &'g Ground, roots: &'g [Spot], whole: &'g Facts, terms: Terms) -> Self {
        let wants = Wants {
            read: roots.to_vec(),
            ..Wants::default()
        };
        Self {
            ground,
            roots,
            confinement: terms.confinement,
            whole,
            gate: Gate::of(whole, terms),
            secrets: SecretFiles::of(&ground.home),
            pointed: OnceCell::new(),
            wants,
        }
    }

    /// Returns what the call wants, which is one of `program`.
    pub(super) fn of(mut self, program: &Path) -> Wants {
        self.call(self.whole, Some(program), 0);
        let mut wants = self.wants;
        wants.read.sort();
        wants.read.dedup();
        wants.secrets.sort();
        wants.secrets.dedup();
        wants.write.sort();
        wants.write.dedup();
        wants.egress.sort();
        wants.egress.dedup();
        wants
    }

    fn call(&mut self, facts: &Facts, program: Option<&Path>, depth: usize) {
        let grounds = program.map(|program| Grounds::of(program, &self.ground.home));
        self.wants.grounds.extend(grounds);
        self.wants.git |= facts.invoked.tool == "git";
        self.read(facts);
        self.start(facts, program);
        match self.confinement {
            Confinement::Closed => {}
            Confinement::Effects if is_unknown(facts) => self.wants.write.extend_from_slice(self.roots),
            Confinement::Effects if is_guess(facts) => {
                self.wants.write.extend_from_slice(self.roots);
                self.talk(facts);
            }
            Confinement::Effects => {
                self.write(facts);
                self.talk(facts);
            }
        }
        self.inside(facts, depth);
    }

    fn read(&mut self, facts: &Facts) {
        let effects = &facts.invoked.effects;
        let filesystem = effects.filesystem.as_ref();
        let mut plain: Vec<&str> = strings(effects, "x-reads");
        if let Some(filesystem) = filesystem.filter(|filesystem| filesystem.read == Some(true)) {
            plain.extend(filesystem.paths.iter().flatten().map(String::as_str));
        }
        let methods = facts.invoked.authentication.iter().flat_map(|auth| &auth.methods);
        let mut secret: Vec<&str> = strings(effects, "x-secrets");
        secret.extend(methods.filter_map(|method| method.config_path.as_deref()));
        for (texts, sort) in [(plain, Sort::Plain), (secret, Sort::Secret)] {
            for text in texts.into_iter().take(PATHS) {
                self.open(facts, text, sort);
            }
        }
    }

    /// Shows one path that a description names, as far as that may be shown.
    fn open(&mut self, facts: &Facts, text: &str, sort: Sort) {
        let Ground { home, directory, .. } = self.ground;
        let word = is_word(facts, text);
        let chosen = word.then(|| Named::chosen(text, directory)).flatten();
        let declared = Named::declared_to_read(text, directory, home).into_iter();
        for named in declared.chain(chosen) {
            let Some(spot) = named.narrowest(Act::Read) else {
                continue;
            };
            if self.roots.iter().any(|root| root.holds(spot.path())) {
                self.wants.read.push(spot);
            } else if facts.basis != Basis::Settled || self.ground.holds_home(spot.path()) {
                continue;
            } else if word {
                let pointer = Pointer::Word(text.to_owned());
                self.withhold(Withheld::named(&tidy(named.path()), &pointer));
            } else {
                self.outside(&facts.invoked.tool, spot, &tidy(named.path()), sort);
            }
        }
    }

    /// Shows something outside of the roots, which a settled description of a tool names as `named`.
    fn outside(&mut self, tool: &str, spot: Spot, named: &Path, sort: Sort) {
        let home = &self.ground.home;
        let secret = sort == Sort::Secret || self.secrets.hold(spot.path()) || self.secrets.hold(named);
        let in_part = tool == "git" && is_git_settings(named, home);
        if let (true, false, Gate::Shut(shut)) = (secret, in_part, self.gate) {
            let thing = Thing::Path(named.to_owned());
            self.withhold(Withheld::credential(thing, shut));
            return;
        }
        let pointed = self.pointed.get_or_init(|| Pointed::of(self.whole, self.ground));
        let pointer = match secret {
            true => pointed
                .to_secret(spot.path())
                .or_else(|| pointed.to_secret(named)),
            false if spot.path().starts_with(home) => pointed.to(spot.path()),
            false => pointed.exactly(spot.path()),
        };
        if let Some(pointer) = pointer {
            self.wants.withheld.push(Withheld::named(named, pointer));
            return;
        }
        match (secret, self.gate) {
            (false, _) => self.wants.read.extend(self.secrets.without(spot, named)),
            (true, Gate::Open) => {
                self.wants.secrets.push(spot.clone());
                self.wants.read.push(spot);
            }
            (true, Gate::Shut(_)) => self.wants.git_settings.push(spot),
        }
    }

    /// Tells, once, what is not shown.
    fn withhold(&mut self, withheld: Withheld) {
        if !self.wants.withheld.contains(&withheld) {
            self.wants.withheld.push(withheld);
        }
    }

    fn write(&mut self, facts: &Facts) {
        let Some(filesystem) = &facts.invoked.effects.filesystem else {
            return;
        };
        let act = match (filesystem.write, filesystem.delete) {
            (_, Some(true)) => Act::Remove,
            (Some(true), Some(false) | None) => Act::Write,
            (Some(false) | None, Some(false) | None) => return,
        };
        let Some(paths) = filesystem.paths.as_ref().filter(|paths| !paths.is_empty()) else {
            self.wants.write.extend_from_slice(self.roots);
            return;
        };
        for text in paths.iter().take(PATHS) {
            if !self.grant(facts, text, act) {
                self.wants
                    .notes
                    .push(format!("{text:?} cannot be granted for writing"));
            }
        }
    }

    /// Lets one path be written, if it may be granted at all.
    fn grant(&mut self, facts: &Facts, text: &str, act: Act) -> bool {
        let Ground { home, directory, .. } = self.ground;
        let chosen = is_word(facts, text);
        let named = match chosen {
            true => Named::chosen(text, directory),
            false => Named::declared(text, directory, home),
        };
        let found = named.and_then(|named| Some((named.narrowest(act)?, tidy(named.path()))));
        let Some((spot, named)) = found else { return false };
        if self.roots.iter().any(|root| root.holds(spot.path())) {
            self.wants.write.push(spot);
            return true;
        }
        let pointed = self.pointed.get_or_init(|| Pointed::of(self.whole, self.ground));
        let settled = facts.basis == Basis::Settled && !chosen && !self.ground.holds_home(spot.path());
        if !settled || pointed.to(spot.path()).is_some() {
            return false;
        }
        // What may be written may be read.
        if self.secrets.touch(&spot, &named) {
            match self.gate {
                Gate::Open => self.wants.secrets.push(spot.clone()),
                Gate::Shut(shut) => {
                    self.withhold(Withheld::credential(Thing::Path(named), shut));
                    return false;
                }
            }
        }
        self.wants.write.push(spot);
        true
    }

    fn talk(&mut self, facts: &Facts) {
        if facts.invoked.effects.network != Some(true) {
            return;
        }
        match &facts.egress {
            Egress::None => {}
            Egress::Names(names) => {
                let names = names.iter().cloned().map(Reached::Name);
                self.wants.egress.extend(names);
            }
            Egress::Public => self.wants.egress.push(Reached::Public),
        }
    }

    fn start(&mut self, facts: &Facts, program: Option<&Path>) {
        let wanted = match self.confinement {
            // Git starts itself, and what shows a file. Nothing of the repository's is among them.
            Confinement::Closed if facts.invoked.tool == "git" && facts.basis == Basis::Settled => {
                let own = Starts::Nothing.and_program(Path::new(CAT));
                program.map_or(own.clone(), |program| own.and_program(program))
            }
            // It runs code of the workspace by starting programs, and those are as closed as itself.
            Confinement::Closed if self.runs_only_workspace_code(facts) => declared_starts(facts),
            Confinement::Closed => Starts::Nothing,
            Confinement::Effects if is_unknown(facts) || is_guess(facts) => Starts::Anything,
            Confinement::Effects => declared_starts(facts),
        };
        let wanted = match program.and_then(relay) {
            Some(relay) => wanted.and_program(&relay),
            None => wanted,
        };
        let starts = std::mem::take(&mut self.wants.starts);
        self.wants.starts = starts.and(wanted);
    }

    /// Whether a call is closed because of code that it finds, and for no other reason: in all of it nobody speaks for
    /// themselves, and no text of a program is among its words.
    fn runs_only_workspace_code(&self, facts: &Facts) -> bool {
        fn is_settled(facts: &Facts) -> bool {
            let own = facts.basis == Basis::Settled && facts.invoked.programs.is_empty();
            own && facts.invoked.inner.len() == facts.inner.len() && facts.inner.iter().all(is_settled)
        }
        facts.stranger_within() == Some(Stranger::WorkspaceCode) && is_settled(self.whole)
    }

    /// Adds the calls inside: what was judged as if it was called must be startable.
    fn inside(&mut self, facts: &Facts, depth: usize) {
        if depth >= DEEP {
            return;
        }
        for inner in &facts.inner {
            let name = &inner.invoked.tool;
            let found = self.ground.find(name);
            let Some(program) = &found else {
                self.wants.notes.push(format!("{name:?} is not installed"));
                self.call(inner, None, depth + 1);
                continue;
            };
            let mut starts = std::mem::take(&mut self.wants.starts).and_program(program);
            if let Some(interpreter) = self.interpreter(program) {
                starts = starts.and_program(&interpreter);
            }
            self.wants.starts = starts;
            self.call(inner, Some(program), depth + 1);
        }
    }

    /// A script is started by its interpreter, which must be listed too.
    fn interpreter(&self, program: &Path) -> Option<PathBuf> {
        let interpreter = interpreter(program)?;
        match interpreter.is_absolute() {
            true => Some(interpreter),
            false => self.ground.find(interpreter.to_str()?),
        }
    }
}

/// Whether nobody says what it does.
fn is_unknown(facts: &Facts) -> bool {
    match facts.basis {
        Basis::Undescribed => true,
        Basis::Settled | Basis::Claimed => facts.invoked.effects == Effects::default(),
    }
}

/// Whether what it changes is a guess from its name and its help, and nobody else says anything. What a guess leaves out
/// is unknown, as everything is of a program that nobody describes, so it is not taken away from who said yes to it.
fn is_guess(facts: &Facts) -> bool {
    let mut origins = facts.origins.values();
    let first = origins.next();
    match facts.basis {
        Basis::Settled | Basis::Undescribed => false,
        Basis::Claimed => {
            let effects = &facts.invoked.effects;
            effects.extra.contains_key("x-inferred")
                && effects.idempotent != Some(true)
                && origins.all(|origin| Some(origin) == first)
        }
    }
}

fn declared_starts(facts: &Facts) -> Starts {
    let effects = &facts.invoked.effects;
    let list = match (facts.basis, effects.extra.get("x-exec")) {
        (Basis::Settled, Some(Value::String(word))) if word == "any" => return Starts::Anything,
        (Basis::Settled, Some(Value::Array(_))) => strings(effects, "x-exec"),
        (Basis::Settled | Basis::Claimed | Basis::Undescribed, _) if effects.subprocess == Some(true) => {
            return Starts::Anything;
        }
        (Basis::Settled | Basis::Claimed | Basis::Undescribed, _) => return Starts::Nothing,
    };
    Starts::These(list.into_iter().map(str::to_owned).collect())
}

/// The texts of a list among the effects' own keys.
fn strings<'e>(effects: &'e Effects, key: &str) -> Vec<&'e str> {
    let list = effects.extra.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether a file is one of a person's own settings of git, which can be shown in part.
fn is_git_settings(file: &Path, home: &Path) -> bool {
    [".gitconfig", ".config/git/config"]
        .iter()
        .any(|name| file == home.join(name))
}

/// Whether a path that is declared is a word of the call: a description that says `arg:file` has been filled by now.
fn is_word(facts: &Facts, text: &str) -> bool {
    let invoked = &facts.invoked;
    let values = invoked.options.iter().flat_map(|option| &option.values);
    let words = invoked.words.iter().map(|word| &word.text);
    values.chain(words).any(|word| word == text)
}
