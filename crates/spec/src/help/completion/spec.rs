//! One spec of zsh's `_arguments`: `'(-x --long)'{-x,--long}'[text]:message:action'`.
//!
//! Braces outside of quotes make several specs of one word; they are the spellings of one option.

use super::pages::{Named, cut, is_spelling};
use super::values::{enumeration, value};
use super::words::Piece;
use crate::atip::Kind;
use crate::help::page::{FoundValue, Takes};

/// How many words braces may make of one.
const EXPANDED: usize = 64;

/// A spec that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spec {
    /// An option. Its line is for the caller to say.
    Option(Named),
    /// A word without a flag.
    Positional(Positional),
}

/// A word without a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Positional {
    /// What it is and what it is called.
    pub(super) value: FoundValue,
    /// Whether it has to be there.
    pub(super) required: bool,
    /// Whether there may be several.
    pub(super) variadic: bool,
    /// The text about it.
    pub(super) description: String,
}

/// Reads a word as a spec. `None` where it is none.
pub(super) fn spec(pieces: &[Piece]) -> Option<Spec> {
    let words = expanded(pieces);
    let mut found: Option<Spec> = None;
    for word in &words {
        match (&mut found, one(word)?) {
            (None, spec) => found = Some(spec),
            (Some(Spec::Option(named)), Spec::Option(more)) => named.spellings.extend(more.spellings),
            (Some(_), _) => return None,
        }
    }
    found
}

/// What braces make of a word.
fn expanded(pieces: &[Piece]) -> Vec<String> {
    let mut words = vec![String::new()];
    for piece in pieces {
        let parts = match piece {
            Piece::Bare(text) => alternatives(text),
            Piece::Quoted(text) => vec![text.clone()],
        };
        if parts.len().saturating_mul(words.len()) > EXPANDED {
            return Vec::new();
        }
        words = words
            .iter()
            .flat_map(|word| parts.iter().map(move |part| format!("{word}{part}")))
            .collect();
    }
    words
}

/// `a{b,c}d` as `abd` and `acd`; one pair of braces, as specs have it.
fn alternatives(text: &str) -> Vec<String> {
    let Some((before, rest)) = text.split_once('{').filter(|(before, _)| !before.ends_with('$')) else {
        return vec![text.to_owned()];
    };
    let Some((inside, after)) = rest.split_once('}').filter(|(inside, _)| inside.contains(',')) else {
        return vec![text.to_owned()];
    };
    inside
        .split(',')
        .map(|part| format!("{before}{part}{after}"))
        .collect()
}

/// Reads one spec without braces.
fn one(word: &str) -> Option<Spec> {
    let word = match word.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1,
        None => word,
    };
    let (word, repeats) = match word.strip_prefix('*') {
        Some(rest) => (rest, true),
        None => (word, false),
    };
    if word.starts_with('-') {
        return option(word, repeats);
    }
    positional(word, repeats)
}

fn option(word: &str, repeats: bool) -> Option<Spec> {
    let end = word.find(['[', ':', '=']).unwrap_or(word.len());
    let (spelling, rest) = word.split_at_checked(end)?;
    // `-o+` and `-o-`: the value may or must stand at once behind the letter.
    let bare = spelling
        .strip_suffix(['+', '-'])
        .filter(|bare| bare.len() > 1)
        .unwrap_or(spelling);
    let rest = rest
        .strip_prefix('=')
        .map_or(rest, |rest| rest.strip_prefix('-').unwrap_or(rest));
    if !is_spelling(bare) {
        return None;
    }
    let (description, rest) = match rest.strip_prefix('[') {
        Some(text) => bracketed(text)?,
        None => (String::new(), rest),
    };
    let takes = match rest.strip_prefix(':') {
        None if rest.is_empty() => Takes::Nothing,
        None => return None,
        Some(argument) => match argument.strip_prefix(':') {
            Some(argument) => Takes::Perhaps(argument_value(argument)),
            None => Takes::Value(argument_value(argument)),
        },
    };
    Some(Spec::Option(Named {
        spellings: vec![bare.to_owned()],
        description: cut(&description),
        takes,
        repeats,
        line: 0,
    }))
}

/// The text up to the bracket that closes; `\]` does not.
fn bracketed(text: &str) -> Option<(String, &str)> {
    let mut found = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            ']' => return Some((found, rest.as_str())),
            '\\' => found.extend(rest.next()),
            c => found.push(c),
        }
    }
    None
}

/// `message:action`.
fn argument_value(argument: &str) -> FoundValue {
    let (message, action) = split_colon(argument);
    let mut found = offered(action);
    found.name = name_of(&message);
    found
}

fn offered(action: &str) -> FoundValue {
    let list = action.strip_prefix("((").and_then(|list| list.split_once("))"));
    if let Some((list, _)) = list {
        return enumeration(described(list).into_iter(), "");
    }
    if let Some((list, _)) = action.strip_prefix('(').and_then(|list| list.split_once(')')) {
        let words = list
            .split_whitespace()
            .map(|word| word.trim_matches(['"', '\'']).to_owned());
        return enumeration(words, list);
    }
    let found = value(action);
    if found.kind == Kind::Enum {
        FoundValue::default()
    } else {
        found
    }
}

/// The words of `a\\:"text" b\\:text`, without the texts.
fn described(list: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote: Option<char> = None;
    for c in list.chars().chain([' ']) {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => quote = Some(c),
            (c, None) if c.is_whitespace() => {
                let name = word.split("\\:").next().unwrap_or_default().replace('\\', "");
                if !name.is_empty() {
                    words.push(name);
                }
                word.clear();
            }
            (c, _) => word.push(c),
        }
    }
    words
}

/// `1:message:action`, `:name -- text:action`, `*::rest:action`.
fn positional(word: &str, variadic: bool) -> Option<Spec> {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() == word.len() && !word.starts_with(':') {
        return None;
    }
    let rest = digits.strip_prefix(':')?;
    let (optional, rest) = match rest.strip_prefix(':') {
        Some(rest) => (true, rest.strip_prefix(':').unwrap_or(rest)),
        None => (false, rest),
    };
    let (message, action) = split_colon(rest);
    let (name, description) = message.split_once(" -- ").unwrap_or((message.as_str(), ""));
    let name = name_of(name);
    if name.is_empty() || action.starts_with("->") {
        return None;
    }
    let value = FoundValue {
        name,
        ..offered(action)
    };
    let required = !optional && !variadic;
    Some(Spec::Positional(Positional {
        value,
        required,
        variadic,
        description: cut(description),
    }))
}

/// Splits at the first colon that has no backslash before it.
fn split_colon(text: &str) -> (String, &str) {
    let mut found = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            ':' => return (found, rest.as_str()),
            '\\' => found.extend(rest.next()),
            c => found.push(c),
        }
    }
    (found, "")
}

/// A message that can be a name: one word, or few.
fn name_of(message: &str) -> String {
    let message = message.trim();
    let message = message
        .strip_prefix('<')
        .and_then(|name| name.strip_suffix('>'))
        .unwrap_or(message);
    let shaped = !message.contains(['$', '`', '(', '{']) && message.len() <= 40;
    if shaped && message.split_whitespace().count() <= 3 {
        message.to_owned()
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pieces: &[Piece], expected: Option<(&[&str], &str, Takes)>) {
        let expected = expected.map(|(spellings, description, takes)| {
            Spec::Option(Named {
                spellings: spellings.iter().map(|word| (*word).to_owned()).collect(),
                description: description.to_owned(),
                takes,
                repeats: false,
                line: 0,
            })
        });
        assert_eq!(spec(pieces), expected, "{pieces:?}");
    }

    fn quoted(text: &str) -> Piece {
        Piece::Quoted(text.to_owned())
    }

    fn bare(text: &str) -> Piece {
        Piece::Bare(text.to_owned())
    }

    fn named(name: &str, kind: Kind, values: &[&str]) -> FoundValue {
        let values = values.iter().map(|word| (*word).to_owned()).collect();
        FoundValue {
            name: name.to_owned(),
            kind,
            values,
        }
    }

    #[test]
    fn a_spec_is_an_option() {
        check(
            &[quoted("--all[show all]")],
            Some((&["--all"], "show all", Takes::Nothing)),
        );
        check(
            &[
                quoted("(-o --out)"),
                bare("{-o,--out}"),
                quoted("[write to]:file:_files"),
            ],
            Some((
                &["-o", "--out"],
                "write to",
                Takes::Value(named("file", Kind::File, &[])),
            )),
        );
        check(
            &[quoted("--color=-[when]::when:(never always)")],
            Some((
                &["--color"],
                "when",
                Takes::Perhaps(named("when", Kind::Enum, &["never", "always"])),
            )),
        );
        check(
            &[quoted("-C+[go there]:dir:_files -/")],
            Some((
                &["-C"],
                "go there",
                Takes::Value(named("dir", Kind::Directory, &[])),
            )),
        );
        check(
            &[quoted("--level=[how\\]]:n:((a\\:one b\\:\"two or three\"))")],
            Some((
                &["--level"],
                "how]",
                Takes::Value(named("n", Kind::Enum, &["a", "b"])),
            )),
        );
        check(&[quoted("--$x[text]")], None);
        check(&[quoted("--open[text")], None);
        check(&[quoted("word")], None);
    }

    #[test]
    fn a_spec_is_a_word() {
        let found = spec(&[quoted("*::files -- what to read:_files")]);
        let expected = Spec::Positional(Positional {
            value: named("files", Kind::File, &[]),
            required: false,
            variadic: true,
            description: "what to read".to_owned(),
        });
        assert_eq!(found, Some(expected));
        assert_eq!(spec(&[quoted(":command:->command")]), None);
    }
}
