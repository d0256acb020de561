//! A pattern as a person types it: `git push origin * --tags host=github.com path=./**`.
//!
//! Words come first, as in a shell: the tool, its subcommands, and one glob for each further word; `**` at their end
//! allows any more. Then what else a call may have: `--option` with any value, `option:NAME` for one without dashes, and
//! what it must have, in this order: `--option=GLOB`, `option:NAME=GLOB`; then `host=NAME`, `path=GLOB`, `+destructive`, `+billable`, `+unread`. A `\` before the first character makes
//! it a word. What is written is read again as the same pattern.
//!
//! Without a tool, `host=NAME…` stands for talking to these hosts, with any tool: it answers that they are new, and
//! nothing else.

use std::fmt;
use std::path::Path;

use argrail_acli::{Limits, Text, join, tokenize};
use argrail_spec::atip::host_pattern;

use super::glob;
use super::pattern::{ANY_TOOL, Danger, OptionPattern, Pattern, Values, WordPatterns};
use crate::policy::path_glob::tidy;

/// The prefix of an option that has no dash of its own.
const OPTION: &str = "option:";
const HOST: &str = "host=";
const PATH: &str = "path=";
/// Lets hosts get credentials, where a pattern is about hosts alone.
const CREDENTIALS: &str = "+credentials";
/// What allows any further words, alone or with the glob that they fit.
const MORE: &str = "**";

/// Why a text is no pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Its words cannot be told apart.
    #[error("{0}")]
    Unreadable(String),
    /// It starts with no tool.
    #[error("expected a tool first, got {0:?}")]
    NoTool(String),
    /// A word stands behind an option, where it may be meant as its value.
    #[error("the word {0:?} stands behind an option")]
    WordBehindOption(String),
    /// `**` is not the last word.
    #[error("a word stands behind **: {0:?}")]
    BehindMore(String),
    /// Something is no host.
    #[error("expected the name of a host, got {0:?}")]
    Host(String),
    /// Something is no path.
    #[error("expected a path, got {0:?}")]
    Path(String),
    /// Something else stands in a pattern of hosts alone.
    #[error("a pattern of hosts alone has no {0:?}")]
    BesideHosts(String),
    /// A danger that nobody knows.
    #[error("expected +destructive, +billable or +unread, got {0:?}")]
    Danger(String),
}

impl PatternError {
    /// Returns what to write instead.
    pub fn hint(&self) -> Text {
        Text::new(match self {
            Self::Unreadable(_) => "Write it as in a shell: git push origin '*' --tags",
            Self::NoTool(_) => "Start with the tool and its subcommands: git push",
            Self::WordBehindOption(_) => {
                "Write words before options, and the value of an option as --option=GLOB"
            }
            Self::BehindMore(_) => "Write ** last: it stands for any further words",
            Self::Host(_) => "Write host=NAME, host=*.NAME, host=s3://BUCKET, or host=* for every public one",
            Self::BesideHosts(_) => "Start with the tool for calls of it: curl '**' host=NAME",
            Self::Path(_) => "Write path=GLOB: absolute, below ~/, or from the directory of the call",
            Self::Danger(_) => {
                "Write +destructive for what destroys, +billable for what costs money, +unread for what runs texts or programs that nobody has read"
            }
        })
    }
}

impl Pattern {
    /// Reads a pattern. Paths start at `directory`, where the calls are made; unless it says otherwise, they are made
    /// there and below.
    ///
    /// # Errors
    /// What is wrong with it, with what to write instead.
    pub fn parse(text: &str, directory: &Path) -> Result<Self, PatternError> {
        let words = tokenize(text, &Limits::default());
        let words = words.map_err(|error| PatternError::Unreadable(error.to_string()))?;
        let mut words = words.iter().map(AsRef::as_ref);
        let first: &str = words.next().unwrap_or_default();
        let is_host = first.starts_with(HOST);
        let tool = match is_host {
            true => Some(ANY_TOOL.to_owned()),
            false => glob::literal(first).filter(|_| !first.is_empty() && !first.starts_with('-')),
        };
        let words = is_host.then_some(first).into_iter().chain(words);
        let mut pattern = Self {
            tool: tool.ok_or_else(|| PatternError::NoTool(first.to_owned()))?,
            command: Vec::new(),
            options: Vec::new(),
            words: WordPatterns::default(),
            hosts: Vec::new(),
            paths: Vec::new(),
            credentials: false,
            dangers: Vec::new(),
        };
        let mut part = Part::Words;
        for word in words {
            part = pattern.take(word, part, directory)?;
        }
        pattern.at(directory)
    }

    fn take(&mut self, word: &str, part: Part, directory: &Path) -> Result<Part, PatternError> {
        if let Some(rest) = word.strip_prefix(HOST) {
            self.hosts.push(host(rest)?);
        } else if let Some(rest) = word.strip_prefix(PATH) {
            self.paths.push(path(rest, directory)?);
        } else if self.is_for_hosts() && word == CREDENTIALS {
            self.credentials = true;
        } else if self.is_for_hosts() {
            return Err(PatternError::BesideHosts(word.to_owned()));
        } else if let Some(rest) = word.strip_prefix('+') {
            let danger = danger(rest).ok_or_else(|| PatternError::Danger(word.to_owned()))?;
            if !self.dangers.contains(&danger) {
                self.dangers.push(danger);
            }
        } else if let Some(rest) = word.strip_prefix(OPTION) {
            self.option(rest);
        } else if word.starts_with('-') && word != "-" {
            self.option(word);
        } else {
            return self.word(word, part);
        }
        Ok(Part::Rest)
    }

    fn word(&mut self, word: &str, part: Part) -> Result<Part, PatternError> {
        if part == Part::Rest {
            return Err(PatternError::WordBehindOption(word.to_owned()));
        }
        if self.words.more.is_some() {
            return Err(PatternError::BehindMore(word.to_owned()));
        }
        match (word.strip_prefix("**="), glob::literal(word)) {
            (Some(more), _) => self.words.more = Some(more.to_owned()),
            (None, _) if word == MORE => self.words.more = Some("*".to_owned()),
            (None, Some(literal)) if self.words.each.is_empty() => self.command.push(literal),
            (None, _) => self.words.each.push(word.to_owned()),
        }
        Ok(Part::Words)
    }

    /// Adds an option, or values of one that is there.
    fn option(&mut self, text: &str) {
        let (name, values) = match text.split_once('=') {
            Some((name, value)) => (name, Values::These(vec![value.to_owned()])),
            None => (text, Values::Any),
        };
        self.allow(name, values);
    }

    /// Allows an option with these values, beside those that it may have already.
    pub(super) fn allow(&mut self, name: &str, values: Values) {
        let at = self.options.iter().position(|known| known.name == name);
        let known = match at {
            Some(at) => self.options.remove(at).values,
            None => Values::These(Vec::new()),
        };
        let values = match (known, values) {
            (Values::Any, _) | (_, Values::Any) => Values::Any,
            (Values::These(mut known), Values::These(more)) => {
                for glob in more {
                    if !known.contains(&glob) {
                        known.push(glob);
                    }
                }
                Values::These(known)
            }
        };
        let name = name.to_owned();
        let at = at.unwrap_or(self.options.len());
        self.options.insert(at, OptionPattern { name, values });
    }

    /// Says where calls are made, if it does not say so itself.
    fn at(mut self, directory: &Path) -> Result<Self, PatternError> {
        let shown = || directory.to_string_lossy().into_owned();
        let text = directory.to_str().filter(|text| text.starts_with('/'));
        let text = text.ok_or_else(|| PatternError::Path(shown()))?;
        let here = glob::escaped(text.trim_end_matches('/')).into_owned();
        if self.paths.is_empty() {
            self.paths.push(format!("{here}/**"));
        // Hosts hold where their paths say, wherever that is written. A path below `~` may hold the directory; then it is
        // there twice, which does no harm.
        } else if !self.is_for_hosts() && !self.has_path(directory, Path::new("/")) {
            self.paths
                .push(if here.is_empty() { "/".to_owned() } else { here });
        }
        Ok(self)
    }
}

/// What stands where in a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Words,
    Rest,
}

fn host(text: &str) -> Result<String, PatternError> {
    host_pattern(text).ok_or_else(|| PatternError::Host(text.to_owned()))
}

fn path(text: &str, directory: &Path) -> Result<String, PatternError> {
    let wrong = || PatternError::Path(text.to_owned());
    if text.is_empty() || text.contains('\0') {
        return Err(wrong());
    }
    if text.starts_with("~/") {
        return Ok(text.to_owned());
    }
    let base = directory.to_str().ok_or_else(wrong)?;
    let whole = match text.starts_with('/') {
        true => text.to_owned(),
        false => format!("{}/{text}", glob::escaped(base)),
    };
    let tidied = tidy(Path::new(&whole));
    let tidied = tidied.to_str().filter(|path| path.starts_with('/'));
    tidied.map(str::to_owned).ok_or_else(wrong)
}

fn danger(word: &str) -> Option<Danger> {
    [Danger::Destructive, Danger::Billable, Danger::Unread]
        .into_iter()
        .find(|danger| danger.as_str() == word)
}

impl Danger {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Destructive => "destructive",
            Self::Billable => "billable",
            Self::Unread => "unread",
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tool = (!self.is_for_hosts()).then(|| glob::escaped(&self.tool).into_owned());
        let mut words: Vec<String> = tool.into_iter().collect();
        let commands = self.command.iter().map(|word| glob::escaped(word));
        words.extend(commands.map(|word| as_word(&word)));
        words.extend(self.words.each.iter().map(|glob| as_word(glob)));
        words.extend(self.words.more.as_ref().map(|more| match more.as_str() {
            "*" => MORE.to_owned(),
            glob => format!("{MORE}={glob}"),
        }));
        for OptionPattern { name, values } in &self.options {
            let name = match name.starts_with('-') {
                true => name.clone(),
                false => format!("{OPTION}{name}"),
            };
            match values {
                Values::Any => words.push(name),
                Values::These(globs) => words.extend(globs.iter().map(|glob| format!("{name}={glob}"))),
            }
        }
        words.extend(self.hosts.iter().map(|host| format!("{HOST}{host}")));
        words.extend(self.paths.iter().map(|path| format!("{PATH}{path}")));
        words.extend(self.credentials.then(|| CREDENTIALS.to_owned()));
        words.extend(self.dangers.iter().map(|danger| format!("+{}", danger.as_str())));
        out.write_str(&join(&words))
    }
}

/// Keeps a word from being read as anything else.
fn as_word(glob: &str) -> String {
    let special = [HOST, PATH, OPTION, "+", "-", "**="];
    let taken = glob != "-" && special.iter().any(|prefix| glob.starts_with(prefix));
    match taken || glob == MORE {
        true => format!("\\{glob}"),
        false => glob.to_owned(),
    }
}
