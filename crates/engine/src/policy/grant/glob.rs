//! Globs of words, values and paths: `*` stays within one part of a path, `**` crosses, `\` takes the next as it is.
//!
//! Everything else stands for itself. A glob permits, so what is unusual in it makes it match less, never more. In a word
//! or value a star stands for characters of names alone: with any other sign tools read another thing (`x:main`, `+x`,
//! `x^`, `user@host`, `a=b`, `a..b`), so that sign has to stand in the glob.

use std::borrow::Cow;

/// The most characters of a glob or of what is held against one.
const LONGEST: usize = 16 * 1024;

/// One step of a glob.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// This character.
    One(char),
    /// Any characters of its alphabet but `/`.
    InPart,
    /// Any characters of its alphabet.
    Across,
}

/// What a star may stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    /// A file can have any name.
    Paths,
    /// What names and paths are made of in every grammar.
    Names,
}

impl Alphabet {
    fn has(self, c: char) -> bool {
        match self {
            Self::Paths => true,
            Self::Names => c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'),
        }
    }
}

fn steps(glob: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut chars = glob.chars().peekable();
    while let Some(c) = chars.next() {
        steps.push(match c {
            '\\' => match chars.next() {
                Some(next) => Step::One(next),
                None => Step::One('\\'),
            },
            '*' if chars.next_if_eq(&'*').is_some() => Step::Across,
            '*' => Step::InPart,
            other => Step::One(other),
        });
    }
    steps
}

/// Returns the glob that stands for this text and for no other.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['*', '\\']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 4);
    for c in text.chars() {
        if matches!(c, '*' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    Cow::Owned(out)
}

/// Returns the one text that a glob stands for, if it is one.
pub(super) fn literal(glob: &str) -> Option<String> {
    let one = |step: Step| match step {
        Step::One(c) => Some(c),
        Step::InPart | Step::Across => None,
    };
    steps(glob).into_iter().map(one).collect()
}

/// Whether a glob of paths stands for the whole text.
pub(super) fn matches(glob: &str, text: &str) -> bool {
    matches_by(glob, text, Alphabet::Paths)
}

/// Whether a glob of words stands for the whole text. A star alone crosses `/`, as two do.
pub(super) fn matches_word(glob: &str, text: &str) -> bool {
    let glob = if glob == "*" { "**" } else { glob };
    // Two dots are a range or the directory above, and are made of characters that each stand in names.
    dot_runs(text) == dot_runs(glob) && matches_by(glob, text, Alphabet::Names)
}

/// How many times two dots or more stand in a row.
fn dot_runs(text: &str) -> usize {
    let runs = text.split(|c| c != '.');
    runs.filter(|run| run.len() >= 2).count()
}

/// In time that grows with the product of the lengths and no faster.
fn matches_by(glob: &str, text: &str, alphabet: Alphabet) -> bool {
    if glob.len() > LONGEST || text.len() > LONGEST {
        return false;
    }
    let chars: Vec<char> = text.chars().collect();
    // Which lengths of the text the glob so far stands for.
    let mut reached = vec![false; chars.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    for step in steps(glob) {
        let mut carried = false;
        let mut before = false;
        for (at, slot) in reached.iter_mut().enumerate() {
            let came = at.checked_sub(1).and_then(|at| chars.get(at).copied());
            let was = *slot;
            *slot = match step {
                Step::One(wanted) => before && came == Some(wanted),
                Step::InPart => was || (carried && came.is_some_and(|c| c != '/' && alphabet.has(c))),
                Step::Across => was || (carried && came.is_some_and(|c| alphabet.has(c))),
            };
            carried = *slot;
            before = was;
        }
    }
    reached.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn stars_stay_in_their_part_unless_there_are_two() {
        let check = |glob: &str, text: &str, want: bool| {
            assert_eq!(matches(glob, text), want, "{glob} and {text}");
        };
        check("a*c", "abc", true);
        check("a*c", "ac", true);
        check("a*c", "a/c", false);
        check("a**c", "a/b/c", true);
        check("deploy/*.yaml", "deploy/a.yaml", true);
        check("deploy/*.yaml", "deploy/a/b.yaml", false);
        check("**/b", "a/b", true);
        check("a?c", "abc", false);
        check("a?c", "a?c", true);
        check("[ab]", "a", false);
        check(r"\*", "*", true);
        check(r"\*", "a", false);
        check(r"a\", r"a\", true);
        check("", "", true);
        check("", "a", false);
        check("*", "", true);
    }

    #[test]
    fn a_star_in_a_word_stands_for_names() {
        let check = |glob: &str, text: &str, want: bool| {
            assert_eq!(matches_word(glob, text), want, "{glob} and {text}");
        };
        check("feature/*", "feature/x-1_b.c", true);
        check("feature/*", "feature/x/y", false);
        for odd in [
            "feature/x:main",
            "feature/x^",
            "feature/x~1",
            "feature/x@{1}",
            "feature/x..main",
            "feature/x...main",
            "feature/x=1",
            "feature/x,y",
            "feature/x y",
            "feature/x%2e",
            "feature/$x",
            "feature/é",
        ] {
            check("feature/*", odd, false);
            check("feature/**", odd, false);
            check("**", odd, false);
            check("*", odd, false);
        }
        check("*", "src/a.c", true);
        check("*", "", true);
        check("feature/*:feature/*", "feature/x:feature/y", true);
        check("feature/*:*", "feature/x:main", true);
        check("*@*", "ann@host.test", true);
        check("v*..v*", "v1.0..v1.1", true);
        check("v*..v*", "v1.0..v1..v2", false);
        check("v*.x", "v..x", false);
        check("https://a.test/**", "https://a.test/b/c", true);
        check("https://a.test/**", "https://a.test/b?c", false);
        check("nginx:*", "nginx:1.27-alpine", true);
        check("nginx:*", "nginx:1@sha256:0", false);
    }

    proptest! {
        #[test]
        fn a_star_in_a_word_adds_no_sign(glob in r"[a*.:/=]{0,8}", text in r"[ab.:/=@^+ ]{0,10}") {
            if matches_word(&glob, &text) {
                let signs = |text: &str| text.chars().filter(|c| !"ab./*".contains(*c)).collect::<String>();
                prop_assert_eq!(signs(&glob), signs(&text));
                prop_assert!(matches(&glob.replace('*', "**"), &text));
            }
        }

        #[test]
        fn an_escaped_text_stands_for_itself_alone(text in any::<String>(), other in any::<String>()) {
            let glob = escaped(&text);
            prop_assert_eq!(literal(&glob), Some(text.clone()));
            prop_assert!(matches(&glob, &text));
            prop_assert_eq!(matches(&glob, &other), text == other);
        }

        #[test]
        fn any_glob_is_answered(glob in r"[a*\\/é]{0,16}", text in r"[a*\\/é]{0,16}") {
            if let Some(literal) = literal(&glob) {
                prop_assert_eq!(matches(&glob, &text), literal == text);
            }
        }
    }
}
