//! Whether a pattern covers a call of which only the narrowest pattern and a few facts are left.
//!
//! A person who writes a wider pattern is told at once when it would not answer the question that they look at. The
//! call is made up again from what was suggested for it and held against the pattern as any call is.

use std::path::{Path, PathBuf};

use argrail_spec::atip::{Cost, Effects, Given, Invoked, Word};

use super::glob;
use super::pattern::{Danger, Pattern, Values};
use crate::policy::facts::{Approval, Basis, Egress, Facts, Trust};

/// What is known of a call beside the pattern that was suggested for it.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// How many of its words are subcommands.
    pub subcommands: usize,
    /// Files that it names, absolute.
    pub files: &'a [PathBuf],
    /// Where it is made.
    pub directory: &'a Path,
    /// What `~` means.
    pub home: &'a Path,
}

impl Pattern {
    /// Whether it covers the call that `narrow` was suggested for.
    pub fn covers_like(&self, narrow: &Pattern, known: &Known<'_>) -> bool {
        match narrow.call(known) {
            Some(facts) => self.covers(&facts, known.directory, known.home),
            None => self == narrow,
        }
    }

    /// Makes up the one call that it covers; nothing if it covers several.
    fn call(&self, known: &Known<'_>) -> Option<Facts> {
        if !self.words.each.is_empty() || self.words.more.is_some() || known.subcommands > self.command.len()
        {
            return None;
        }
        let (path, words) = self.command.split_at(known.subcommands);
        let options: Option<Vec<Given>> = self
            .options
            .iter()
            .map(|option| given(&option.name, &option.values))
            .collect();
        let paths: Option<Vec<PathBuf>> = self
            .paths
            .iter()
            .map(|path| glob::literal(path).map(PathBuf::from))
            .collect();
        let is = |danger| self.dangers.contains(&danger);
        let word = |text: &String| Word {
            text: text.clone(),
            ..Word::default()
        };
        Some(Facts {
            invoked: Invoked {
                tool: self.tool.clone(),
                path: path.to_vec(),
                options: options?,
                words: words.iter().map(word).collect(),
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
            egress: Egress::Names(self.hosts.clone()),
            paths: paths?.into_iter().chain(known.files.iter().cloned()).collect(),
            approval: Approval::default(),
            programs: Vec::new(),
            inner: Vec::new(),
        })
    }
}

/// The option as it was given; nothing if it may be given in several ways. No value is written as an empty one.
fn given(name: &str, values: &Values) -> Option<Given> {
    let values = match values {
        Values::Any => return None,
        Values::These(globs) => globs.iter().map(|glob| glob::literal(glob)),
    };
    let mut values: Vec<String> = values.collect::<Option<_>>()?;
    values.retain(|value| !value.is_empty());
    Some(Given {
        name: name.to_owned(),
        spellings: vec![name.to_owned()],
        spelt: name.to_owned(),
        values,
        ..Given::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRECTORY: &str = "/srv/desk";

    fn pattern(text: &str) -> Pattern {
        Pattern::parse(text, Path::new(DIRECTORY)).unwrap()
    }

    #[test]
    fn a_wider_pattern_covers_the_call_that_a_narrow_one_came_from() {
        let check = |wide: &str, narrow: &str, want: bool| {
            let files = [PathBuf::from("/srv/desk/deploy/a.yaml")];
            let known = Known {
                subcommands: 1,
                files: if narrow.contains("a.yaml") { &files } else { &[] },
                directory: Path::new(DIRECTORY),
                home: Path::new("/srv/u"),
            };
            let narrow = pattern(&format!("{narrow} path=/srv/desk"));
            assert!(narrow.covers_like(&narrow, &known), "{narrow}");
            assert_eq!(
                pattern(wide).covers_like(&narrow, &known),
                want,
                "{wide} for {narrow}"
            );
        };
        let push = "git push origin main --tags= host=git.example.com";
        check(
            "git push origin '*' --tags host=git.example.com path=./**",
            push,
            true,
        );
        check("git push '**' --tags host='*'", push, true);
        check("git '**' --tags host='*'", push, false);
        check("git push '**' host='*'", push, false);
        check("git push '**' --tags", push, false);
        check("git push '**' --tags host='*' path=/srv/other", push, true);
        check("git pull '**' --tags host='*'", push, false);
        check("hg push '**' --tags host='*'", push, false);
        check("git push '*' --tags host='*'", push, false);
        let apply = "kubectl apply -f=deploy/a.yaml +destructive";
        check("kubectl apply '-f=deploy/*.yaml' +destructive", apply, true);
        check("kubectl apply '-f=deploy/*.yaml'", apply, false);
        check("kubectl apply -f +destructive path=/srv/desk", apply, false);
        check("kubectl apply -f +destructive path=./**", apply, true);
        let make = "make test +unread";
        check("make test", make, true);
        check("make '*'", make, false);
        check("make test '**' +unread", make, true);
    }
}
