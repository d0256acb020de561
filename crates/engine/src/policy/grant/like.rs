//! What of a call decides whether a pattern covers it, as it is kept with a question.
//!
//! A person who writes a wider pattern for a question is told at once when it would not answer that question: a pattern
//! that is taken covers at least the call that it was given for. Everything that [`Pattern::covers`] looks at is here.

use std::path::{Path, PathBuf};

use argrail_spec::atip::{Cost, Effects, Given, Invoked, ProgramText, Unverified, Why, Word};
use serde::{Deserialize, Serialize};

use super::mismatch::Mismatch;
use super::pattern::{Danger, Pattern};
use crate::policy::case::{Case, Reach};
use crate::policy::facts::{Approval, Basis, Egress, Facts, Trust};
use crate::policy::program::Purity;
use crate::policy::rules::Rules;

/// A call, as far as patterns are concerned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallShape {
    tool: String,
    subcommands: Vec<String>,
    words: Vec<String>,
    options: Vec<OptionShape>,
    /// Words that nobody verified.
    unverified: Vec<UnverifiedWord>,
    /// Texts of programs among the words.
    programs: Vec<String>,
    hosts: Hosts,
    paths: Vec<PathBuf>,
    dangers: Vec<Danger>,
}

/// An option that was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OptionShape {
    spelt: String,
    spellings: Vec<String>,
    values: Vec<String>,
    negated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct UnverifiedWord {
    text: String,
    why: UnverifiedBy,
}

/// Why nobody verified a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum UnverifiedBy {
    Option,
    Word,
    ResponseFile,
    Input,
    Variable,
}

/// The hosts that a call reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Hosts {
    Nowhere,
    Named(Vec<String>),
    Public,
}

impl CallShape {
    /// Returns the shape of a call, without those inside it.
    pub fn of(facts: &Facts) -> Self {
        let invoked = &facts.invoked;
        let option = |given: &Given| OptionShape {
            spelt: given.spelt.clone(),
            spellings: given.spellings.clone(),
            values: given.values.clone(),
            negated: given.negated,
        };
        let unverified = |word: &Unverified| UnverifiedWord {
            text: word.text.clone(),
            why: match word.why {
                Why::UnknownOption => UnverifiedBy::Option,
                Why::UnknownWord => UnverifiedBy::Word,
                Why::ResponseFile => UnverifiedBy::ResponseFile,
                Why::Input => UnverifiedBy::Input,
                Why::Variable => UnverifiedBy::Variable,
            },
        };
        let rules = Rules::default();
        let reach = Case::new(facts, &rules, argrail_spec::atip::Certainty::Whole).reach;
        Self {
            tool: invoked.tool.clone(),
            subcommands: invoked.path.clone(),
            words: invoked.words.iter().map(|word| word.text.clone()).collect(),
            options: invoked.options.iter().map(option).collect(),
            unverified: invoked.unverified.iter().map(unverified).collect(),
            programs: invoked
                .programs
                .iter()
                .map(|program| program.text.clone())
                .collect(),
            hosts: match (reach, &facts.egress) {
                (Reach::Nowhere, _) => Hosts::Nowhere,
                (Reach::Named, Egress::Names(names)) => Hosts::Named(names.clone()),
                (Reach::Named, Egress::None | Egress::Public) | (Reach::Public, _) => Hosts::Public,
            },
            paths: facts.paths.clone(),
            dangers: facts.own_dangers(),
        }
    }

    /// Returns the tool and the subcommands of the call.
    pub fn command(&self) -> (&str, &[String]) {
        (&self.tool, &self.subcommands)
    }

    /// Returns what a pattern does not name of the call, made in `directory`; nothing if it covers it.
    pub fn mismatch(&self, pattern: &Pattern, directory: &Path, home: &Path) -> Option<Mismatch> {
        pattern.mismatch(&self.facts(), directory, home)
    }

    /// Makes up the call again.
    fn facts(&self) -> Facts {
        let is = |danger| self.dangers.contains(&danger);
        let options = self.options.iter().map(|option| Given {
            spellings: option.spellings.clone(),
            spelt: option.spelt.clone(),
            values: option.values.clone(),
            negated: option.negated,
            ..Given::default()
        });
        let words = self.words.iter().map(|text| Word {
            text: text.clone(),
            ..Word::default()
        });
        let unverified = self.unverified.iter().map(|word| Unverified {
            text: word.text.clone(),
            why: match word.why {
                UnverifiedBy::Option => Why::UnknownOption,
                UnverifiedBy::Word => Why::UnknownWord,
                UnverifiedBy::ResponseFile => Why::ResponseFile,
                UnverifiedBy::Input => Why::Input,
                UnverifiedBy::Variable => Why::Variable,
            },
        });
        let programs = self.programs.iter().map(|text| ProgramText {
            language: String::new(),
            text: text.clone(),
        });
        Facts {
            invoked: Invoked {
                tool: self.tool.clone(),
                path: self.subcommands.clone(),
                options: options.collect(),
                words: words.collect(),
                unverified: unverified.collect(),
                programs: programs.collect(),
                effects: Effects {
                    idempotent: Some(false),
                    destructive: Some(is(Danger::Destructive)),
                    cost: Some(Cost {
                        billable: Some(is(Danger::Billable)),
                        ..Cost::default()
                    }),
                    ..Effects::default()
                },
                ..Invoked::default()
            },
            basis: match is(Danger::Unread) {
                true => Basis::Undescribed,
                false => Basis::Settled,
            },
            origins: Default::default(),
            trust: Trust::Accepted,
            egress: match &self.hosts {
                Hosts::Nowhere => Egress::None,
                Hosts::Named(names) => Egress::Names(names.clone()),
                Hosts::Public => Egress::Public,
            },
            paths: self.paths.clone(),
            approval: Approval::default(),
            // What they do was judged when the call was made, and is among the dangers.
            programs: self
                .programs
                .iter()
                .map(|_| (String::new(), Purity::Pure))
                .collect(),
            inner: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::policy::tests::input::facts;

    const DIRECTORY: &str = "/srv/desk";

    fn mismatch(pattern: &str, call: &Value) -> Option<String> {
        let shape = CallShape::of(&facts(call));
        let kept = serde_json::from_value::<CallShape>(serde_json::to_value(&shape).unwrap()).unwrap();
        assert_eq!(kept, shape);
        let directory = Path::new(DIRECTORY);
        let pattern = Pattern::parse(pattern, directory).unwrap();
        let mismatch = kept.mismatch(&pattern, directory, Path::new("/srv/u"));
        mismatch.map(|mismatch| mismatch.text().to_string())
    }

    #[test]
    fn a_pattern_beside_the_call_is_told_why() {
        let check = |call: &Value, pattern: &str, want: &str| {
            let found = mismatch(pattern, call).unwrap_or_default();
            assert!(
                found.contains(want) && found.is_empty() == want.is_empty(),
                "{pattern}: {found}"
            );
        };
        let push = json!({
            "tool": "git", "path": ["push"], "words": ["origin", "x:main"], "egress": ["git.test"],
            "options": [{"spellings": ["--tags", "-t"]}],
        });
        check(&push, "git push origin 'x:*' --tags host=git.test", "");
        check(&push, "git push origin '*:*' -t 'host=*'", "");
        check(&push, "git push origin '*' --tags host=git.test", "no other sign");
        check(&push, "git push '**' --tags host=git.test", "'x:main'");
        check(
            &push,
            "git push origin 'x:*' host=git.test",
            "option '--tags' is not named",
        );
        check(&push, "git push origin 'x:*' --tags", "hosts");
        check(&push, "git '**' --tags 'host=*'", "'push' is a subcommand");
        check(&push, "git push origin --tags 'host=*'", "further word 'x:main'");
        check(
            &push,
            "git push origin 'x:*' '*' --tags 'host=*'",
            "no word for '*'",
        );
        check(
            &push,
            "git push origin 'x:*' --tags --dry-run= 'host=*'",
            "does not have '--dry-run'",
        );
        check(&push, "hg push origin --tags", "one of 'git'");
        let python = json!({
            "tool": "python3", "options": [{"spellings": ["-c"], "values": ["print(1)"]}],
            "programs": [{"language": "python", "text": "print(1)"}],
        });
        check(&python, "python3 '-c=print(1)'", "");
        check(
            &python,
            "python3 -c 'host=*'",
            "only its own letters cover 'print(1)'",
        );
        let sed = json!({
            "tool": "sed", "words": ["s/a/b/w x", "f"], "options": [{"spellings": ["-i"]}],
            "programs": [{"language": "sed", "text": "s/a/b/w x"}],
        });
        check(&sed, "sed '**' -i", "only its own letters cover 's/a/b/w x'");
        check(&sed, "sed 's/a/b/w x' '*' -i", "+unread");
        check(&sed, "sed 's/a/b/w x' '*' -i +unread", "");
        let rm =
            json!({"tool": "rm", "words": ["a"], "paths": ["/srv/desk/a"], "effects": {"destructive": true}});
        check(&rm, "rm '*'", "+destructive");
        check(&rm, "rm '*' +destructive", "");
        check(&rm, "rm '*' +destructive path=/srv/other", "'/srv/desk/a'");
        let odd = json!({"tool": "x", "words": ["a"], "unverified": ["a"]});
        check(&odd, "x '*'", "only its own letters cover 'a'");
        let make = json!({"tool": "make", "words": ["test"],
            "effects": {"idempotent": false, "x-runs": "workspace-code", "x-exec": "any"}});
        check(&make, "make test", "");
        check(&make, "make '*'", "+unread");
        check(&make, "make test '**' +unread", "");
        check(&make, "make '*' +unread", "");
    }
}
