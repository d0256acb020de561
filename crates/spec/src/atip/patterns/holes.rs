//! The holes of a step: `{name}` where a variable goes. Every other brace is text, such as the `{}` of `find`.

/// The longest name of a variable.
const MAX_NAME: usize = 64;

/// A piece of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// Text as it stands.
    Text(&'a str),
    /// The name of a variable.
    Hole(&'a str),
}

/// The pieces of a text, in order.
#[derive(Debug, Clone)]
pub struct Holes<'a> {
    rest: &'a str,
}

impl<'a> Holes<'a> {
    /// Takes `text` apart.
    pub fn of(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// Returns the names alone.
    pub fn names(self) -> impl Iterator<Item = &'a str> {
        self.filter_map(|part| match part {
            Part::Hole(name) => Some(name),
            Part::Text(_) => None,
        })
    }
}

impl<'a> Iterator for Holes<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        if let Some((name, rest)) = hole(self.rest) {
            self.rest = rest;
            return Some(Part::Hole(name));
        }
        // The text goes on to the next brace that opens a hole.
        let mut opens = self.rest.char_indices().skip(1).map(|(at, _)| at);
        let end = opens
            .find(|&at| self.rest.get(at..).is_some_and(|rest| hole(rest).is_some()))
            .unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        Some(Part::Text(text))
    }
}

/// Reads one hole at the start of `text`.
fn hole(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('{')?;
    // Looks no further than a name can be long, so that a text full of braces costs no more than its length.
    let end = inside.bytes().take(MAX_NAME + 1).position(|byte| byte == b'}')?;
    let (name, rest) = inside.split_at_checked(end)?;
    is_name(name).then_some((name, rest.strip_prefix('}')?))
}

/// Whether a variable may be called so.
pub(super) fn is_name(name: &str) -> bool {
    let mut characters = name.chars();
    let starts = characters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    starts && name.len() <= MAX_NAME && characters.all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_names_in_braces_are_holes() {
        let check =
            |text: &str, want: &[Part<'_>]| assert_eq!(Holes::of(text).collect::<Vec<_>>(), want, "{text}");
        check("", &[]);
        check("ls", &[Part::Text("ls")]);
        check("{a}", &[Part::Hole("a")]);
        check(
            "git checkout -b {branch}!",
            &[
                Part::Text("git checkout -b "),
                Part::Hole("branch"),
                Part::Text("!"),
            ],
        );
        check("find . -exec rm {} +", &[Part::Text("find . -exec rm {} +")]);
        check("{{x}}", &[Part::Text("{"), Part::Hole("x"), Part::Text("}")]);
        check("{\"a\":{b}", &[Part::Text("{\"a\":"), Part::Hole("b")]);
        check("ü{ä}{_1.a-b}", &[Part::Text("ü{ä}"), Part::Hole("_1.a-b")]);
        check("{open", &[Part::Text("{open")]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "[{}ab_ ü\"-]{0,40}") {
            let joined: String = Holes::of(&text)
                .map(|part| match part {
                    Part::Text(text) => text.to_owned(),
                    Part::Hole(name) => format!("{{{name}}}"),
                })
                .collect();
            prop_assert_eq!(joined, text);
        }
    }
}
