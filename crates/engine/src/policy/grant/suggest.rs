//! The narrowest pattern that covers a call: its own words, options, hosts and paths, and nothing beside them.

use std::path::Path;

use argrail_spec::atip::{Certainty, Why};
use jiff::Timestamp;

use super::covers::plain_spelling;
use super::glob;
use super::like::CallShape;
use super::pattern::{Pattern, Values, WordPatterns};
use super::standing::{Grant, GrantId};
use crate::policy::case::{Case, Reach};
use crate::policy::decide::decide;
use crate::policy::decision::Verdict;
use crate::policy::facts::{Egress, Facts};
use crate::policy::rules::Rules;

impl Pattern {
    /// Returns the narrowest pattern that covers a call made in `directory`; nothing where none can.
    pub fn suggest(facts: &Facts, directory: &Path, home: &Path) -> Option<Self> {
        let invoked = &facts.invoked;
        let words = invoked.words.iter().map(|word| &word.text);
        let here = glob::escaped(directory.to_str()?).into_owned();
        let mut pattern = Self {
            tool: invoked.tool.clone(),
            command: invoked.path.iter().chain(words).cloned().collect(),
            options: Vec::new(),
            words: WordPatterns::default(),
            hosts: hosts(facts),
            paths: vec![here],
            credentials: false,
            dangers: facts.own_dangers(),
        };
        for given in &invoked.options {
            let values = match given.values.is_empty() {
                true => vec![String::new()],
                false => given
                    .values
                    .iter()
                    .map(|value| glob::escaped(value).into_owned())
                    .collect(),
            };
            pattern.allow(plain_spelling(&given.spelt), Values::These(values));
        }
        for word in &invoked.unverified {
            if word.why == Why::UnknownOption {
                let (name, value) = word.text.split_once('=').unwrap_or((&word.text, ""));
                pattern.allow(name, Values::These(vec![glob::escaped(value).into_owned()]));
            }
        }
        for path in &facts.paths {
            if pattern.covers(facts, directory, home) {
                break;
            }
            if !pattern.has_path(path, home) {
                pattern.paths.push(glob::escaped(path.to_str()?).into_owned());
            }
        }
        pattern.covers(facts, directory, home).then_some(pattern)
    }
}

/// A pattern for a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Suggestion {
    /// The narrowest that there is.
    pub(crate) pattern: Pattern,
    /// The call that it covers: the one that is asked about, or one inside it.
    pub(crate) call: CallShape,
}

/// Returns the narrowest pattern by which a whole call would run without a question; nothing if it takes several.
pub(crate) fn suggested(facts: &Facts, rules: &Rules) -> Option<Suggestion> {
    let mut levels = vec![facts];
    let mut at = 0;
    while let Some(level) = levels.get(at) {
        levels.extend(&level.inner);
        at += 1;
    }
    levels.into_iter().find_map(|level| {
        let pattern = Pattern::suggest(level, &rules.directory, &rules.home)?;
        let rules = Rules {
            grants: vec![tried(pattern.clone())],
            ..rules.clone()
        };
        (decide(facts, &rules).verdict == Verdict::Allow).then(|| Suggestion {
            pattern,
            call: CallShape::of(level),
        })
    })
}

/// A grant that nobody gave, to see what it would do.
fn tried(pattern: Pattern) -> Grant {
    Grant {
        id: GrantId(String::new()),
        pattern,
        caller: None,
        session: None,
        request: None,
        given_by: String::new(),
        created_at: Timestamp::UNIX_EPOCH,
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        uses: 0,
    }
}

fn hosts(facts: &Facts) -> Vec<String> {
    let rules = Rules::default();
    match (Case::new(facts, &rules, Certainty::Whole).reach, &facts.egress) {
        (Reach::Nowhere, _) => Vec::new(),
        (Reach::Named, Egress::Names(names)) => names.iter().map(|name| name.to_ascii_lowercase()).collect(),
        (Reach::Named, Egress::None | Egress::Public) | (Reach::Public, _) => vec!["*".to_owned()],
    }
}
