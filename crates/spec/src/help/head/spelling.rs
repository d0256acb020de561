//! Spellings of options: `-x`, `-name`, `--name`, `+x`, and those written two in one: `--[no-]name`, `--colo[u]r`.
//!
//! Both halves of such a pair stand in the text. A name that is only a placeholder (`-NUM`, `-<signal>`) is none.

use super::scanner::Scanner;
use crate::help::text::{is_placeholder, is_upper_word};

const MAX_NAME: usize = 80;
const MAX_VARIANTS: usize = 4;

/// What stands where a spelling is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// One or several names for it.
    Names(Vec<String>),
    /// Something that begins with a dash and names no option: `-`, `--`, `-NUM`, `-<signal>`.
    Placeholder,
}

/// Whether a spelling is a dash and one character.
pub(crate) fn is_single_letter(spelling: &str) -> bool {
    spelling.chars().count() == 2
}

/// Reads a spelling.
pub(crate) fn spelling(scanner: &mut Scanner<'_>) -> Option<Spelling> {
    let mut ahead = scanner.clone();
    let dashes = if ahead.eat("--") {
        "--"
    } else if ahead.eat("-") {
        "-"
    } else if ahead.eat("+") {
        "+"
    } else {
        return None;
    };
    let read = match ahead.peek() {
        None | Some(' ' | ',') => (dashes != "+").then_some(Spelling::Placeholder),
        Some('<') => {
            ahead.enclosed()?;
            (dashes != "+").then_some(Spelling::Placeholder)
        }
        Some('-') => None,
        Some(_) if dashes == "--" => names(&mut ahead, dashes),
        Some(first) => short(&mut ahead, dashes, first),
    }?;
    *scanner = ahead;
    Some(read)
}

fn short(scanner: &mut Scanner<'_>, dashes: &str, first: char) -> Option<Spelling> {
    if first == '*' {
        scanner.take(1);
        return Some(Spelling::Placeholder);
    }
    if matches!(
        first,
        '?' | '@' | '#' | '!' | '$' | '%' | '^' | '~' | '.' | ':' | '='
    ) {
        let run = scanner.take_while(|c| c == first);
        let ends = !scanner.peek().is_some_and(char::is_alphanumeric);
        let odd = matches!(first, '.' | ':' | '=' | '$' | '%') && run.len() > 1;
        return (ends && !odd).then(|| Spelling::Names(vec![[dashes, run].concat()]));
    }
    if first == '[' {
        let inside = scanner.enclosed()?;
        return (!inside.contains(' ')).then_some(Spelling::Placeholder);
    }
    if dashes == "+" {
        // Few programs have `+x`, and what is meant by it hangs on the `-x` beside it.
        let name = scanner.take_while(|c| c.is_ascii_alphanumeric());
        return (name.len() == 1).then_some(Spelling::Placeholder);
    }
    if glues_value(scanner.rest()) {
        return Some(Spelling::Names(vec![[dashes, scanner.take(1)].concat()]));
    }
    match names(scanner, dashes)? {
        Spelling::Names(names) if names.iter().any(|name| is_no_name(name)) => Some(Spelling::Placeholder),
        read @ (Spelling::Names(_) | Spelling::Placeholder) => Some(read),
    }
}

/// `-Idirectory`: a capital, and a word that stands for any value. Short words are names more often: `-Xint`.
fn glues_value(rest: &str) -> bool {
    let Some(word) = rest
        .strip_prefix(|c: char| c.is_ascii_uppercase())
        .and_then(|rest| rest.split([' ', ',']).next())
    else {
        return false;
    };
    word.len() > 5 && word.bytes().all(|byte| byte.is_ascii_lowercase()) && is_placeholder(word)
}

/// `-NUM` and `-10` name no option of their own.
fn is_no_name(spelling: &str) -> bool {
    let name = spelling.trim_start_matches('-');
    let is_number = name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_digit());
    is_number || (name.len() > 2 && is_upper_word(name) && is_placeholder(name))
}

/// `-vvv`: a letter that is given several times, unless nothing has that letter (`-www`). Returns the letter.
pub(crate) fn repeated_letter(spelling: &str) -> Option<&str> {
    let name = spelling.strip_prefix('-')?;
    let first = name.bytes().next()?;
    let is_repeated =
        name.len() > 2 && first.is_ascii_alphanumeric() && name.bytes().all(|byte| byte == first);
    is_repeated.then(|| spelling.get(..2)).flatten()
}

fn names(scanner: &mut Scanner<'_>, dashes: &str) -> Option<Spelling> {
    let mut part = plain_part(scanner);
    let mut variants = vec![[dashes, part].concat()];
    while let Some(choice) = optional_part(scanner, dashes, variants.len(), part) {
        variants = choice
            .iter()
            .flat_map(|part| variants.iter().map(move |variant| format!("{variant}{part}")))
            .collect();
        part = plain_part(scanner);
        for variant in &mut variants {
            variant.push_str(part);
        }
    }
    let is_name = |name: &String| {
        let name = name.trim_start_matches('-');
        name.len() <= MAX_NAME
            && name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && !name.ends_with(['-', '_'])
    };
    if matches!(scanner.peek(), Some('<' | '('))
        && variants.iter().all(|name| name.len() > 2 && name.ends_with('-'))
    {
        // `--with-<name>`: a family of options, none of which is named.
        scanner.enclosed()?;
        scanner.take_while(|c| !matches!(c, ' ' | ','));
        return Some(Spelling::Placeholder);
    }
    variants.iter().all(is_name).then_some(Spelling::Names(variants))
}

fn plain_part<'t>(scanner: &mut Scanner<'t>) -> &'t str {
    let bytes = scanner.rest().as_bytes();
    let near = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let belongs = |at: usize| {
        let (byte, next) = (near(at), near(at + 1));
        let is_inside = next.is_ascii_alphanumeric();
        match byte {
            b'-' | b'_' => true,
            b'.' => is_inside && at > 0,
            b'+' => at > 0 && (is_inside || next == b'+' || near(at - 1) == b'+'),
            b'@' => is_inside && at > 0 && near(at - 1) == b'-',
            _ => byte.is_ascii_alphanumeric(),
        }
    };
    let end = (0..bytes.len()).find(|at| !belongs(*at)).unwrap_or(bytes.len());
    scanner.take(end)
}

/// A bracket inside of a name: what may stand there, the shorter choice first.
fn optional_part<'t>(
    scanner: &mut Scanner<'t>,
    dashes: &str,
    variants: usize,
    before: &str,
) -> Option<Vec<&'t str>> {
    if !matches!(scanner.peek(), Some('[' | '(' | '{')) || variants >= MAX_VARIANTS {
        return None;
    }
    let mut ahead = scanner.clone();
    let inside = ahead.enclosed()?;
    let is_letters =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let choices: Vec<&str> = inside.split('|').take(MAX_VARIANTS).collect();
    if !choices.iter().all(|part| is_letters(part)) || scanner.is_at("{") && choices.len() == 1 {
        return None;
    }
    let goes_on = ahead.peek().is_some_and(|c| c.is_ascii_alphanumeric());
    let is_suffix = dashes == "--" && inside.starts_with('-') && !before.is_empty();
    if !(goes_on && dashes == "--" || is_suffix) {
        return None;
    }
    *scanner = ahead;
    Some(match choices.as_slice() {
        [one] => vec!["", one],
        several => several.to_vec(),
    })
}
