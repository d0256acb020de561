//! What stands behind a spelling: `=FILE`, `[=WHEN]`, ` <n>`, `{a,b}`.

use super::scanner::{Scanner, closing};

/// A value as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct RawValue {
    /// Its text, with brackets inside but not around it where they only mean "optional".
    pub(crate) text: String,
    /// Whether it may be left out.
    pub(crate) optional: bool,
}

/// Words that make a sentence, never a placeholder.
const PROSE: [&str; 39] = [
    "also", "an", "and", "any", "are", "as", "at", "be", "but", "by", "can", "cannot", "do", "does", "for",
    "from", "has", "if", "in", "into", "is", "it", "may", "not", "of", "on", "or", "should", "so", "that",
    "the", "then", "this", "to", "use", "used", "when", "will", "with",
];

const LONGEST_PROSE: usize = 6;

/// Those of them that no description begins with.
const BINDING: [&str; 29] = [
    "and", "are", "as", "at", "be", "but", "by", "can", "cannot", "does", "flag", "flags", "has", "is", "it",
    "may", "of", "option", "options", "or", "should", "so", "than", "that", "then", "was", "were", "when",
    "will",
];

/// Whether a word belongs to a sentence.
pub(crate) fn is_prose_word(word: &str) -> bool {
    word.len() <= LONGEST_PROSE && PROSE.binary_search(&word).is_ok()
}

/// Whether a word goes on with a sentence that began before.
pub(crate) fn is_binding_word(word: &str) -> bool {
    BINDING.binary_search(&word).is_ok()
}

/// Reads a value that touches its option.
pub(crate) fn attached(scanner: &mut Scanner<'_>) -> Option<RawValue> {
    let mut ahead = scanner.clone();
    let value = match ahead.peek()? {
        '=' => {
            ahead.eat("=");
            let value = token(&mut ahead);
            // `--level=[N]` has to have one: the bracket says what may stand there.
            RawValue {
                text: value.trim_end_matches('.').to_owned(),
                optional: false,
            }
        }
        '[' => bracketed(&mut ahead)?,
        '<' | '{' | '\'' | '"' => RawValue {
            text: token(&mut ahead).to_owned(),
            optional: false,
        },
        '#' => {
            ahead.eat("#");
            RawValue {
                text: "#".to_owned(),
                optional: false,
            }
        }
        ':' if ahead.peek_second().is_some_and(|c| !matches!(c, ' ' | ',')) => {
            ahead.eat(":");
            RawValue {
                text: token(&mut ahead).to_owned(),
                optional: false,
            }
        }
        ',' if ahead.peek_second() == Some('<') => {
            ahead.eat(",");
            RawValue {
                text: token(&mut ahead).to_owned(),
                optional: false,
            }
        }
        '/' if ahead.peek_second().is_some_and(char::is_alphanumeric) => {
            // `-F/pattern/`
            let text = token(&mut ahead);
            let inside = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
            RawValue {
                text: inside.filter(|inside| !inside.contains('/'))?.to_owned(),
                optional: false,
            }
        }
        '(' if ahead.peek_second() == Some('=') => {
            let inside = ahead.enclosed()?;
            RawValue {
                text: inside.trim_start_matches('=').to_owned(),
                optional: true,
            }
        }
        _ => return None,
    };
    *scanner = ahead;
    Some(value)
}

fn bracketed(scanner: &mut Scanner<'_>) -> Option<RawValue> {
    let inside = scanner.enclosed()?;
    if inside == "=" || inside == " " {
        // `--file[=]NAME`: the sign may be left out, the value may not.
        return Some(RawValue {
            text: token(scanner).to_owned(),
            optional: false,
        });
    }
    let rest = token(scanner);
    let text = inside.trim_start_matches(['=', ':', ' ']);
    let is_whole = rest.is_empty() || rest.starts_with(['[', '.']);
    Some(RawValue {
        text: format!("{text}{rest}"),
        optional: is_whole,
    })
}

/// Reads one token: up to white space outside of brackets, or to what begins the next spelling.
pub(crate) fn token<'t>(scanner: &mut Scanner<'t>) -> &'t str {
    let rest = scanner.rest();
    let mut ahead = scanner.clone();
    while let Some(c) = ahead.peek() {
        let next = ahead.peek_second();
        match c {
            ' ' => break,
            ',' | ';' if matches!(next, None | Some(' ' | '-')) => break,
            '|' | '/' if next == Some('-') => break,
            // A quote inside of a word is an apostrophe.
            '\'' | '"' if ahead.rest().len() != rest.len() && !ends_with_sign(rest, &ahead) => {
                ahead.take(1);
            }
            _ if closing(c).is_some() => {
                if ahead.enclosed().is_none() {
                    ahead.take(c.len_utf8());
                }
            }
            _ => {
                ahead.take(c.len_utf8());
            }
        }
    }
    let length = rest.len() - ahead.rest().len();
    scanner.take(length)
}

fn ends_with_sign(whole: &str, ahead: &Scanner<'_>) -> bool {
    let read = whole.len() - ahead.rest().len();
    whole
        .get(..read)
        .is_some_and(|read| read.ends_with(['=', ':', '|', ',']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_searched_are_sorted() {
        assert!(PROSE.is_sorted());
        assert!(PROSE.iter().all(|word| word.len() <= LONGEST_PROSE));
        assert!(BINDING.is_sorted());
    }
}
