//! From words to facts: what the tool would make of them, and what it starts in its turn.

use std::path::{Path, PathBuf};

use argrail_acli::{Error, Text};
use argrail_spec::atip::{Inner, Invoked, Unverified, Why};
use indexmap::IndexMap;

use super::egress::{clusters, egress};
use super::shop::Shop;
use super::tool::{Said, Tool};
use crate::policy::program::judge;
use crate::policy::{Approval, Basis, Egress, Facts, Trust, tidy};

/// How many commands may stand inside one another: `env nice timeout 5 ls`.
const DEPTH: usize = 8;

impl Shop {
    /// Reads the words after the tool's name, started in `directory`.
    ///
    /// # Errors
    /// When the tool would not understand them.
    pub(crate) fn facts(&self, tool: &Tool, words: &[String], directory: &Path) -> Result<Facts, Error> {
        self.facts_at(tool, words, directory, DEPTH)
    }

    fn facts_at(
        &self,
        tool: &Tool,
        words: &[String],
        directory: &Path,
        depth: usize,
    ) -> Result<Facts, Error> {
        let Said {
            mut invoked,
            basis,
            origins,
        } = tool.read(words)?;
        if invoked.effects.network == Some(true) {
            // A line break inside a word is one on the wire, too, and what follows it nobody judged.
            let broken = words.iter().filter(|word| word.contains(['\r', '\n']));
            invoked.unverified.extend(broken.map(|word| Unverified {
                text: word.clone(),
                why: Why::UnknownWord,
            }));
        }
        let inner = invoked.inner.iter();
        let inner: Result<Vec<Facts>, Error> = inner
            .map(|command| self.inner(command, directory, depth))
            .collect();
        let programs = invoked
            .programs
            .iter()
            .map(|program| (program.language.clone(), judge(&program.language, &program.text)))
            .collect();
        let egress = egress(&invoked.effects, basis, || self.clusters());
        Ok(Facts {
            paths: self.paths(&invoked, directory),
            basis,
            origins,
            trust: tool.trust.clone(),
            egress,
            programs,
            approval: Approval::default(),
            inner: inner?,
            invoked,
        })
    }

    /// Judges a command inside another as if it was called. Of one whose program cannot be told nothing is known.
    fn inner(&self, command: &Inner, directory: &Path, depth: usize) -> Result<Facts, Error> {
        let Some((name, words)) = command.words.split_first() else {
            return Ok(unknown(command));
        };
        let Some(depth) = depth.checked_sub(1) else {
            let what = Text::new("more than {} commands stand inside one another").number(DEPTH);
            return Err(Error::invalid(what, "Call the innermost command itself"));
        };
        // A path may be anything, whatever it is called.
        if name.contains('/') {
            return Ok(unknown(command));
        }
        let Ok(tool) = self.tool(name) else {
            return Ok(unknown(command));
        };
        let mut facts = self.facts_at(&tool, words, directory, depth)?;
        // Where names of files are put in, anything may stand.
        if command.open || words.iter().any(|word| word.contains("{}")) {
            facts.invoked.unverified.push(Unverified {
                text: name.clone(),
                why: Why::Input,
            });
        }
        Ok(facts)
    }

    /// Every path that is declared or written, absolute, as it stands and where links lead.
    fn paths(&self, invoked: &Invoked, directory: &Path) -> Vec<PathBuf> {
        let declared = invoked
            .effects
            .filesystem
            .as_ref()
            .and_then(|files| files.paths.as_ref());
        let declared = declared.into_iter().flatten().map(String::as_str);
        let options = invoked.options.iter().filter(|option| option.is_path);
        let options = options.flat_map(|option| option.values.iter().map(String::as_str));
        let words = invoked.words.iter().filter(|word| word.is_path);
        let words = words.map(|word| word.text.as_str());
        let absolute = |text: &str| match text.strip_prefix("~/") {
            Some(rest) => tidy(&self.surroundings.home.join(rest)),
            None => tidy(&directory.join(text)),
        };
        let written = options.chain(words).filter(|text| *text != "-");
        let mut paths: Vec<PathBuf> = declared.chain(written).map(absolute).collect();
        // A rule about a place holds for every way that leads there.
        let real = paths.iter().filter_map(|path| path.canonicalize().ok());
        let real: Vec<PathBuf> = real.filter(|real| !paths.contains(real)).collect();
        paths.extend(real);
        paths
    }

    fn clusters(&self) -> Option<Vec<String>> {
        let named = self
            .surroundings
            .environment
            .get(std::ffi::OsStr::new("KUBECONFIG"));
        let file = match named {
            Some(list) => std::env::split_paths(list).next()?,
            None => self.surroundings.home.join(".kube/config"),
        };
        clusters(&file)
    }
}

/// A command of which only the words are known.
fn unknown(command: &Inner) -> Facts {
    let words = command.words.iter().map(|word| Unverified {
        text: word.clone(),
        why: Why::UnknownWord,
    });
    Facts {
        invoked: Invoked {
            tool: command.words.first().cloned().unwrap_or_default(),
            unverified: words.collect(),
            ..Invoked::default()
        },
        basis: Basis::Undescribed,
        origins: IndexMap::new(),
        trust: Trust::Unpinned,
        egress: Egress::None,
        paths: Vec::new(),
        approval: Approval::default(),
        programs: Vec::new(),
        inner: Vec::new(),
    }
}

impl Facts {
    /// Whether a person would be asked something by the command itself; what to write instead.
    pub(crate) fn prompts(&self) -> Option<&str> {
        let own = self.invoked.prompts.as_deref();
        own.or_else(|| self.inner.iter().find_map(Facts::prompts))
    }
}
