//! Whether a pattern covers a call: everything that the call has, the pattern names.
//!
//! An option that the pattern writes with a value has to be there, in the order of the pattern: `--dry-run` or a filter
//! that is left out, or one that stands behind what it should hold back, makes another call of it.
//!
//! What nobody verified, the text of a program, a word that may look like another and one that leads up (`..`) are
//! covered by themselves alone, letter by letter. Words that come from elsewhere are not covered at all.

use std::path::{Path, PathBuf};

use argrail_spec::atip::{Certainty, Given, Why};

use super::glob;
use super::mismatch::Mismatch;
use super::pattern::{Danger, OptionPattern, Pattern, Values};
use crate::policy::case::{Case, Reach};
use crate::policy::facts::{Egress, Facts};
use crate::policy::host;
use crate::policy::path_glob::tidy;
use crate::policy::rules::Rules;

impl Pattern {
    /// Whether it covers a call that starts in `directory`. `home` is what `~` means. Calls inside are not looked at.
    pub fn covers(&self, facts: &Facts, directory: &Path, home: &Path) -> bool {
        self.mismatch(facts, directory, home).is_none()
    }

    /// Returns the first thing about the call that it does not name; nothing if it covers the call.
    pub fn mismatch(&self, facts: &Facts, directory: &Path, home: &Path) -> Option<Mismatch> {
        let call = Call {
            facts,
            directory,
            home,
        };
        if self.tool != facts.invoked.tool {
            return Some(Mismatch::Tool(facts.invoked.tool.clone()));
        }
        if !call.is_whole() {
            return Some(Mismatch::Elsewhere);
        }
        let dangers = facts.own_dangers();
        let danger = dangers.into_iter().find(|danger| !self.covers_danger(*danger));
        let host = || (!self.covers_hosts(facts)).then_some(Mismatch::Hosts);
        self.word_mismatch(&call)
            .or_else(|| self.option_mismatch(&call))
            .or_else(|| danger.map(Mismatch::Danger))
            .or_else(host)
            .or_else(|| self.path_mismatch(&call))
    }

    /// What nobody has read is covered where the pattern says so, and where it is one call, word for word: then a person
    /// said yes to that very text.
    fn covers_danger(&self, danger: Danger) -> bool {
        let says = self.dangers.contains(&danger);
        match danger {
            Danger::Destructive | Danger::Billable => says,
            Danger::Unread => says || self.is_one_call(),
        }
    }

    /// Whether nothing in it stands for more than one word.
    fn is_one_call(&self) -> bool {
        let exact = |option: &OptionPattern| match &option.values {
            Values::Any => false,
            Values::These(globs) => globs.iter().all(|glob| glob::literal(glob).is_some()),
        };
        self.words.each.is_empty() && self.words.more.is_none() && self.options.iter().all(exact)
    }

    fn word_mismatch(&self, call: &Call<'_>) -> Option<Mismatch> {
        let path = &call.facts.invoked.path;
        // A subcommand is named, and no star stands for one.
        if let Some(subcommand) = path.get(self.command.len()) {
            return Some(Mismatch::Subcommand(subcommand.clone()));
        }
        let texts = call.words();
        let mut globs = self.words.each.iter();
        for (at, text) in texts.iter().copied().enumerate() {
            let fits = match self.command.get(at) {
                Some(word) => word == text,
                None => match globs.next().or(self.words.more.as_ref()) {
                    Some(glob) => call.fits(glob, text),
                    None => return Some(Mismatch::MoreWords(text.to_owned())),
                },
            };
            if !fits {
                return Some(call.unfit(text));
            }
        }
        let mut wanted = self.command.iter().chain(&self.words.each);
        let missing = wanted.nth(texts.len());
        missing.map(|word| Mismatch::FewerWords(word.clone()))
    }

    fn option_mismatch(&self, call: &Call<'_>) -> Option<Mismatch> {
        let mut known = call.facts.invoked.options.iter();
        let named = |given: &&Given| self.options.iter().any(|option| option.covers(given, call));
        if let Some(given) = known.find(|given| !named(given)) {
            let is_named = self.options.iter().any(|option| option.is_called(given));
            return Some(match given.values.first() {
                Some(value) if is_named => call.unfit(value),
                Some(_) | None => Mismatch::Option(plain_spelling(&given.spelt).to_owned()),
            });
        }
        let mut unknown = call.facts.invoked.unverified.iter();
        let spelt = |text: &str| self.options.iter().any(|option| option.is_literally(text));
        let unspelt = unknown.find(|word| word.why == Why::UnknownOption && !spelt(&word.text));
        unspelt
            .map(|word| Mismatch::Exact(word.text.clone()))
            .or_else(|| self.needed_mismatch(call))
    }

    /// The first option that it writes with values and that is not there with each of them, the first of each option
    /// in the order of the pattern.
    fn needed_mismatch(&self, call: &Call<'_>) -> Option<Mismatch> {
        let given = &call.facts.invoked.options;
        let mut before = 0;
        let missed = self.options.iter().find(|option| {
            let Values::These(globs) = &option.values else {
                return false;
            };
            let in_order = match given.iter().position(|given| option.covers(given, call)) {
                Some(at) => std::mem::replace(&mut before, at) <= at,
                None => true,
            };
            !(in_order && globs.iter().all(|glob| option.is_met(glob, call)))
        });
        missed.map(|option| Mismatch::Needed(option.name.clone()))
    }

    fn covers_hosts(&self, facts: &Facts) -> bool {
        let rules = Rules::default();
        match (Case::new(facts, &rules, Certainty::Whole).reach, &facts.egress) {
            (Reach::Nowhere, _) => true,
            (Reach::Named, Egress::Names(names)) => names.iter().all(|name| self.names_host(name)),
            (Reach::Named, Egress::None | Egress::Public) | (Reach::Public, _) => {
                self.hosts.iter().any(|host| host == "*")
            }
        }
    }

    /// Whether it names a host, or a place at a shared service.
    pub fn names_host(&self, name: &str) -> bool {
        host::any_covers(&self.hosts, name)
    }

    fn path_mismatch(&self, call: &Call<'_>) -> Option<Mismatch> {
        let within = |path: &Path| self.has_path(path, call.home);
        if !within(call.directory) {
            return Some(Mismatch::Path(call.directory.to_owned()));
        }
        let named = self.named_paths(call);
        let mut paths = call.facts.paths.iter();
        let outside = paths.find(|path| !named.contains(path) && !within(path));
        outside.cloned().map(Mismatch::Path)
    }

    /// Whether a path is one that its globs stand for; `DIR/**` stands for `DIR`, too.
    pub(super) fn has_path(&self, path: &Path, home: &Path) -> bool {
        let path = tidy(path);
        let Some(text) = path.to_str() else { return false };
        self.paths.iter().any(|wanted| {
            let wanted = match (wanted.strip_prefix("~/"), home.to_str()) {
                (Some(rest), Some(home)) => format!("{}/{rest}", glob::escaped(home)),
                (Some(_), None) => return false,
                (None, _) => wanted.clone(),
            };
            let itself = wanted.strip_suffix("/**");
            wanted.starts_with('/')
                && (glob::matches(&wanted, text) || itself.is_some_and(|itself| glob::matches(itself, text)))
        })
    }

    /// The paths that words and values are which it names more closely than by a star.
    fn named_paths(&self, call: &Call<'_>) -> Vec<PathBuf> {
        let invoked = &call.facts.invoked;
        let offset = invoked.path.len();
        let words = invoked.words.iter().enumerate().filter(|(at, word)| {
            let at = offset + at;
            let glob = match at.checked_sub(self.command.len()) {
                None => return true,
                Some(at) => self.words.each.get(at).or(self.words.more.as_ref()),
            };
            glob.is_some_and(|glob| is_close(glob) && call.fits(glob, &word.text))
        });
        let words = words.map(|(_, word)| word.text.as_str());
        let values = invoked.options.iter().flat_map(|given| {
            let close = move |value: &&String| {
                let mut options = self.options.iter().filter(|option| option.is_called(given));
                options.any(|option| match &option.values {
                    Values::Any => false,
                    Values::These(globs) => globs.iter().any(|glob| is_close(glob) && call.fits(glob, value)),
                })
            };
            given.values.iter().filter(close).map(String::as_str)
        });
        words.chain(values).map(|text| call.place(text)).collect()
    }
}

/// Whether a glob says more than that there is something.
fn is_close(glob: &str) -> bool {
    !matches!(glob, "*" | "**")
}

impl OptionPattern {
    fn covers(&self, given: &Given, call: &Call<'_>) -> bool {
        let fits = |value: &str| match &self.values {
            Values::Any => call.may_be_any(value),
            Values::These(globs) => globs.iter().any(|glob| call.fits(glob, value)),
        };
        let none = given.values.is_empty() && (self.values == Values::Any || fits(""));
        self.is_called(given) && (none || !given.values.is_empty() && given.values.iter().all(|v| fits(v)))
    }

    /// Whether the call has it with a value for this glob, which may be none.
    fn is_met(&self, glob: &str, call: &Call<'_>) -> bool {
        let invoked = &call.facts.invoked;
        let mut known = invoked.options.iter().filter(|given| self.is_called(given));
        let mut unknown = invoked.unverified.iter();
        let alone = Self {
            name: self.name.clone(),
            values: Values::These(vec![glob.to_owned()]),
        };
        known.any(|given| match given.values.is_empty() {
            true => call.fits(glob, ""),
            false => given.values.iter().any(|value| call.fits(glob, value)),
        }) || unknown.any(|word| word.why == Why::UnknownOption && alone.is_literally(&word.text))
    }

    /// Whether it is this option. `--no-x` is not `--x`.
    fn is_called(&self, given: &Given) -> bool {
        let spelt = self.name == given.spelt || self.name == plain_spelling(&given.spelt);
        let known = given.spellings.contains(&self.name);
        spelt || (known && !given.negated)
    }

    /// Whether it is exactly this word.
    fn is_literally(&self, word: &str) -> bool {
        let with_value = |globs: &[String]| {
            globs.iter().filter_map(|glob| glob::literal(glob)).any(|value| {
                word.strip_prefix(&self.name)
                    .and_then(|rest| rest.strip_prefix('='))
                    == Some(&value)
            })
        };
        match &self.values {
            Values::Any => self.name == word,
            Values::These(globs) => {
                with_value(globs) || (self.name == word && globs.iter().any(String::is_empty))
            }
        }
    }
}

/// The spelling of an option without the `=` that is part of it in some grammars: `if=`.
pub(super) fn plain_spelling(spelling: &str) -> &str {
    match spelling.strip_suffix('=') {
        Some(bare) if !bare.is_empty() => bare,
        Some(_) | None => spelling,
    }
}

/// A call, as patterns see it.
struct Call<'c> {
    facts: &'c Facts,
    directory: &'c Path,
    home: &'c Path,
}

impl Call<'_> {
    /// Whether all words of it are there. A variable that may steer is there, and is covered by itself alone.
    fn is_whole(&self) -> bool {
        let invoked = &self.facts.invoked;
        let here = |why: Why| match why {
            Why::UnknownOption | Why::UnknownWord | Why::Variable => true,
            Why::ResponseFile | Why::Input => false,
        };
        let standing = |text: &str| {
            let values = invoked.options.iter().flat_map(|given| &given.values);
            values
                .chain(invoked.words.iter().map(|word| &word.text))
                .any(|word| word == text)
        };
        // What was not verified and stands nowhere cannot be held against anything.
        let placed = |why: Why, text: &str| why == Why::UnknownOption || standing(text);
        let mut unverified = invoked.unverified.iter();
        unverified.all(|word| here(word.why) && placed(word.why, &word.text))
    }

    /// Its subcommands and words, in order.
    fn words(&self) -> Vec<&str> {
        let invoked = &self.facts.invoked;
        let words = invoked.words.iter().map(|word| word.text.as_str());
        invoked.path.iter().map(String::as_str).chain(words).collect()
    }

    /// Whether a glob stands for a word or value.
    fn fits(&self, glob: &str, text: &str) -> bool {
        match glob::literal(glob) {
            Some(literal) => literal == text,
            None => self.may_be_any(text) && glob::matches_word(glob, text),
        }
    }

    /// Whether more than its own letters may stand for a word or value.
    fn may_be_any(&self, text: &str) -> bool {
        let invoked = &self.facts.invoked;
        let simple = text.chars().all(|c| c.is_ascii_graphic() || c == ' ');
        let climbs = text.split('/').any(|part| part == "..");
        let verified = !invoked.unverified.iter().any(|word| word.text == text);
        let program = invoked.programs.iter().any(|program| program.text == text);
        simple && !climbs && verified && !program && !text.starts_with(['-', '+', ':', '@', '~'])
    }

    /// Why nothing in a pattern stands for a word or value.
    fn unfit(&self, text: &str) -> Mismatch {
        match self.may_be_any(text) {
            true => Mismatch::Word(text.to_owned()),
            false => Mismatch::Exact(text.to_owned()),
        }
    }

    /// Where a word leads as a path.
    fn place(&self, text: &str) -> PathBuf {
        match text.strip_prefix("~/") {
            Some(rest) => tidy(&self.home.join(rest)),
            None => tidy(&self.directory.join(text)),
        }
    }
}
