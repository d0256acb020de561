//! Names with `*` and `?`, matched in time that grows with their lengths' product and no faster.

use schemars::JsonSchema;
use serde::Serialize;

/// The longest pattern, in bytes: what a file name may have.
const LONGEST: usize = 255;

/// A name, or a pattern of names: `*` stands for any characters, `?` for one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Glob(String);

impl Glob {
    /// Takes a pattern, unless it is empty, too long or could name no file.
    pub fn new(pattern: &str) -> Option<Self> {
        let fits = !pattern.is_empty() && pattern.len() <= LONGEST && !pattern.contains(['/', '\0']);
        fits.then(|| Self(pattern.to_owned()))
    }

    /// Returns the pattern.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it stands for this name.
    pub fn matches(&self, name: &str) -> bool {
        let mut pattern = self.0.chars();
        let mut rest = name.chars();
        // Where to go on when a guess about the last star was wrong: one character of the name later.
        let mut again: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
        loop {
            let before = (pattern.clone(), rest.clone());
            match (pattern.next(), rest.next()) {
                (None, None) => return true,
                (Some('*'), _) => {
                    // A star takes nothing at first.
                    rest = before.1.clone();
                    let mut later = before.1;
                    again = later.next().map(|_| (before.0, later));
                }
                (Some('?'), Some(_)) => {}
                (Some(wanted), Some(came)) if wanted == came => {}
                (Some(_) | None, _) => match again.take() {
                    Some((star, later)) => {
                        pattern = star;
                        rest = later;
                    }
                    None => return false,
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn stars_and_question_marks_stand_for_characters() {
        let check = |pattern: &str, name: &str, want: bool| {
            assert_eq!(
                Glob::new(pattern).unwrap().matches(name),
                want,
                "{pattern} {name}"
            );
        };
        check("git", "git", true);
        check("git", "gitk", false);
        check("git*", "git", true);
        check("git*", "gitk", true);
        check("*git", "egit", true);
        check("*-gcc-*", "x86_64-gcc-12", true);
        check("*-gcc-*", "x86_64-gcc", false);
        check("?z", "7z", true);
        check("?z", "z", false);
        check("a*b*c", "aXbbYc", true);
        check("a*b*c", "aXbbY", false);
        check("*", "", true);
        check("größ?", "größe", true);
        assert_eq!(Glob::new(""), None);
        assert_eq!(Glob::new("a/b"), None);
        assert_eq!(Glob::new(&"a".repeat(256)), None);
    }

    /// The definition, without regard to time.
    fn slow(pattern: &[char], name: &[char]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            (['*', rest @ ..], _) => {
                slow(rest, name) || name.split_first().is_some_and(|(_, name)| slow(pattern, name))
            }
            (['?', rest @ ..], [_, name @ ..]) => slow(rest, name),
            ([wanted, rest @ ..], [came, name @ ..]) => wanted == came && slow(rest, name),
            ([], _) | (_, []) => false,
        }
    }

    proptest! {
        #[test]
        fn the_quick_way_agrees_with_the_definition(pattern in "[ab*?]{1,8}", name in "[ab]{0,10}") {
            let characters = |text: &str| text.chars().collect::<Vec<_>>();
            let want = slow(&characters(&pattern), &characters(&name));
            prop_assert_eq!(Glob::new(&pattern).unwrap().matches(&name), want);
        }
    }

    #[test]
    fn a_hostile_pattern_is_answered_at_once() {
        let glob = Glob::new(&"*a".repeat(127)).unwrap();
        assert!(!glob.matches(&"a".repeat(100_000).replace('a', "ab")));
    }
}
