//! Globs of words, values and paths: `*` stays within one part of a path, `**` crosses, `\` takes the next as it is.
//!
//! Everything else stands for itself. A glob permits, so what is unusual in it makes it match less, never more.

use std::borrow::Cow;

/// The most characters of a glob or of what is held against one.
const LONGEST: usize = 16 * 1024;

/// One step of a glob.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// This character.
    One(char),
    /// Any characters but `/`.
    InPart,
    /// Any characters.
    Across,
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

/// Whether a glob stands for the whole text, in time that grows with their lengths' product and no faster.
pub(super) fn matches(glob: &str, text: &str) -> bool {
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
                Step::InPart => was || (carried && came != Some('/')),
                Step::Across => was || carried,
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

    proptest! {
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
