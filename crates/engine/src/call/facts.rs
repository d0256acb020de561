//! From words to facts: what the tool would make of them, and what it starts in its turn.

use std::path::{Path, PathBuf};

use argrail_acli::{Error, Text};
use argrail_spec::atip::{Inner, Invoked, Unverified, Why};
use indexmap::IndexMap;

use super::egress::{HostSources, clusters, egress};
use super::git_remotes::{self, GitHosts};
use super::shop::Shop;
use super::tool::{Runs, Said, Tool};
use crate::policy::program::judge;
use crate::policy::{Approval, Basis, Egress, Facts, Trust, tidy};
use crate::profile::{may_be_passed, real_path};

/// How many commands may stand inside one another: `env nice timeout 5 ls`.
const DEPTH: usize = 8;
/// The longest path that a system takes.
const LONGEST_PATH: usize = 4096;
/// Options by which git works with other settings than those that it finds.
const GIT_ELSEWHERE: [&str; 5] = ["git-dir", "work-tree", "bare", "set", "config-env"];
/// Options by which git reaches more remotes than one word names.
const GIT_EVERY_REMOTE: [&str; 2] = ["all", "multiple"];
/// Options of the catalogue by which a tool starts others in another directory.
const LEADS: [&str; 3] = ["chdir", "directory", "base-directory"];

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
        // Whoever starts the program by its name does not ask its bundle.
        if let Runs::Bundle(runs) = &tool.runs {
            return match &runs.behind {
                Some(behind) => self.facts_at(behind, words, directory, depth),
                None => Ok(unknown(&Inner {
                    words: std::iter::once(&tool.name).chain(words).cloned().collect(),
                    open: false,
                })),
            };
        }
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
        if basis == Basis::Claimed {
            let read = self.variables_read(&invoked).collect::<Vec<_>>();
            invoked.unverified.extend(read);
        }
        let inside = inside(&invoked, directory);
        let inner = invoked.inner.iter();
        let inner: Result<Vec<Facts>, Error> = inner
            .map(|command| self.inner(command, (directory, &inside), depth))
            .collect();
        let programs = invoked
            .programs
            .iter()
            .map(|program| (program.language.clone(), judge(&program.language, &program.text)))
            .collect();
        let around = Around {
            shop: self,
            directory,
        };
        let egress = egress(&mut invoked, basis, &around);
        let suspected = self.suspected_paths(&invoked, directory);
        invoked.suspected_paths.extend(suspected);
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

    /// What variables of the caller's say to a tool by its own word alone. Nobody checked what it makes of them, so a
    /// person says yes to it, and then they reach it; a closed sandbox would leave them out in silence.
    fn variables_read(&self, invoked: &Invoked) -> impl Iterator<Item = Unverified> {
        let is_set = |name: &&String| {
            let value = self
                .surroundings
                .environment
                .get(std::ffi::OsStr::new(name.as_str()));
            value.is_some_and(|value| !value.is_empty()) && may_be_passed(name)
        };
        let set = invoked.env_vars.iter().filter(is_set);
        set.map(|name| Unverified {
            text: format!("${name}"),
            why: Why::UnknownWord,
        })
    }

    /// Judges a command inside another as if it was called. Of one whose program cannot be told nothing is known.
    fn inner(
        &self,
        command: &Inner,
        (outside, directory): (&Path, &Path),
        depth: usize,
    ) -> Result<Facts, Error> {
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
        if directory != outside {
            // Where it starts is a path of its own: rules and grants are about places.
            facts.paths.push(tidy(directory));
            facts.paths.extend(real_path(directory));
        }
        // Where names of files are put in, anything may stand.
        if command.open || words.iter().any(|word| word.contains("{}")) {
            facts.invoked.unverified.push(Unverified {
                text: name.clone(),
                why: Why::Input,
            });
        }
        Ok(facts)
    }

    /// Every place that a word may lead to though its type is another: who denies a place means all ways there.
    pub(super) fn suspected_paths(&self, invoked: &Invoked, directory: &Path) -> Vec<String> {
        let options = invoked.options.iter().filter(|option| !option.is_path);
        let options = options.flat_map(|option| option.values.iter().map(String::as_str));
        let words = invoked.words.iter().filter(|word| !word.is_path);
        let words = words.map(|word| word.text.as_str());
        let unknown = invoked.unverified.iter().map(|word| word.text.as_str());
        let mut found: Vec<String> = Vec::new();
        for word in options.chain(words).chain(unknown) {
            // `of=/etc/x`, `--out=/etc/x`
            let value = word.split_once('=').map(|(_, value)| value);
            for text in std::iter::once(word)
                .chain(value)
                .filter(|text| is_like_a_path(text))
            {
                let path = self.absolute(text, directory);
                for place in std::iter::once(tidy(&path)).chain(real_path(&path)) {
                    let place = place.to_string_lossy().into_owned();
                    if !found.contains(&place) {
                        found.push(place);
                    }
                }
            }
        }
        found
    }

    fn absolute(&self, text: &str, directory: &Path) -> PathBuf {
        match text.strip_prefix("~/") {
            Some(rest) => self.surroundings.home.join(rest),
            None => directory.join(text),
        }
    }

    /// Every path that is declared or written, absolute, as it stands and where links lead.
    pub(super) fn paths(&self, invoked: &Invoked, directory: &Path) -> Vec<PathBuf> {
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
        let absolute = |text: &str| self.absolute(text, directory);
        let written = options.chain(words).filter(|text| *text != "-");
        let all: Vec<PathBuf> = declared.chain(written).map(absolute).collect();
        let mut paths: Vec<PathBuf> = all.iter().map(|path| tidy(path)).collect();
        // A rule about a place holds for every way that leads there.
        let real: Vec<PathBuf> = all.iter().filter_map(|path| real_path(path)).collect();
        for real in real {
            if !paths.contains(&real) {
                paths.push(real);
            }
        }
        paths
    }
}

/// Whether a word of another type looks like a path. A bare name is a file of the working directory at most.
fn is_like_a_path(text: &str) -> bool {
    text.len() <= LONGEST_PATH && text.contains(['/', '.']) && !text.contains("://")
}

/// What a call's hosts are told from, beside its description.
struct Around<'s> {
    shop: &'s Shop,
    directory: &'s Path,
}

impl HostSources for Around<'_> {
    fn clusters(&self) -> Option<Vec<String>> {
        let surroundings = &self.shop.surroundings;
        let named = surroundings.environment.get(std::ffi::OsStr::new("KUBECONFIG"));
        let file = match named {
            Some(list) => std::env::split_paths(list).next()?,
            None => surroundings.home.join(".kube/config"),
        };
        clusters(&file)
    }

    fn git_remote(&self, invoked: &Invoked, arguments: &str) -> Option<GitHosts> {
        let is_given = |name: &str| invoked.options.iter().any(|option| option.name == name);
        if GIT_ELSEWHERE.iter().any(|name| is_given(name)) {
            return None;
        }
        let names: Vec<&str> = match GIT_EVERY_REMOTE.iter().any(|name| is_given(name)) {
            true => Vec::new(),
            false => arguments.split('|').collect(),
        };
        let words = invoked.words.iter();
        let words = words.filter(|word| word.name.as_deref().is_some_and(|name| names.contains(&name)));
        let options = invoked.options.iter();
        let options = options.filter(|option| names.contains(&option.name.as_str()));
        let values = options.flat_map(|option| option.values.iter().map(String::as_str));
        let repository: Vec<&str> = words.map(|word| word.text.as_str()).chain(values).collect();
        let directory = inside(invoked, self.directory);
        git_remotes::hosts(&directory, &self.shop.surroundings.home, &repository)
    }

    fn accepted_remotes(&self, invoked: &Invoked) -> Vec<String> {
        let Ok(shelf) = self.shop.stock.shelf() else {
            return Vec::new();
        };
        // Where git works, which may be another repository than the one that we stand in.
        shelf.accepted_remotes(&inside(invoked, self.directory)).to_vec()
    }
}

/// Where the commands inside another start: an option may lead them elsewhere.
fn inside(invoked: &Invoked, directory: &Path) -> PathBuf {
    let leads = invoked
        .options
        .iter()
        .filter(|option| option.is_path && LEADS.contains(&option.name.as_str()));
    let values = leads.flat_map(|option| &option.values);
    values.fold(directory.to_owned(), |from, value| from.join(value))
}

/// A command of which only the words are known.
pub(super) fn unknown(command: &Inner) -> Facts {
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

#[cfg(test)]
mod tests {
    use argrail_spec::atip::Given;

    use super::*;

    #[test]
    fn a_command_inside_starts_where_the_outer_one_leads() {
        let given = |name: &str, values: &[&str]| Given {
            name: name.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            is_path: true,
            ..Given::default()
        };
        let check = |options: Vec<Given>, want: &str| {
            let invoked = Invoked {
                options,
                ..Invoked::default()
            };
            assert_eq!(inside(&invoked, Path::new("/srv/desk")), Path::new(want));
        };
        check(vec![], "/srv/desk");
        check(vec![given("chdir", &["sub"])], "/srv/desk/sub");
        check(vec![given("chdir", &["/etc"])], "/etc");
        check(vec![given("output", &["sub"])], "/srv/desk");
    }
}
