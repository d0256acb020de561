//! Where a head ends and its description begins.
//!
//! In the order of how sure they are: a gap of two spaces, the column where the neighbours' descriptions begin, a
//! sign such as `: ` or ` - `, the end of the line, and a single space behind something that cannot be prose.

use super::alias::is_bundle_or_letter;
use super::grammar::{Head, parse};
use super::spelling::is_single_letter;
use super::value::is_binding_word;
use crate::help::text::{Line, find_gap, is_placeholder, is_upper_word};

const MAX_TRIES: usize = 12;

/// What ends a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Two spaces or more.
    Gap,
    /// The column of the neighbours' descriptions.
    Column,
    /// A sign: `: `, ` - `.
    Sign,
    /// The end of the line: its description stands below, or nowhere.
    LineEnd,
    /// A single space.
    Space,
}

/// A line that defines something.
#[derive(Debug, Clone)]
pub(crate) struct Split<'t> {
    pub(crate) head: Head,
    /// What stands behind it on its line.
    pub(crate) description: &'t str,
    /// The column where that begins.
    pub(crate) column: Option<usize>,
    pub(crate) ending: Ending,
}

/// Splits a line that begins with an option; `columns` tells those of the descriptions around it.
pub(crate) fn split<'t>(line: &Line<'t>, columns: impl FnOnce() -> Vec<usize>) -> Option<Split<'t>> {
    at_leader(line)
        .or_else(|| at_gap(line))
        .or_else(|| at_line_end(line, 0))
        .or_else(|| at_line_end(line, 2).filter(|found| is_pair(&found.head)))
        .or_else(|| at_column(line, &columns()))
        .or_else(|| at_sign(line))
        .or_else(|| at_line_end(line, 1))
        .or_else(|| at_space(line))
}

/// `--watch path ......... text`: dots lead the eye from the head to its description.
fn at_leader<'t>(line: &Line<'t>) -> Option<Split<'t>> {
    // One of four dots stands at every fourth byte.
    if !line.text.bytes().skip(3).step_by(4).any(|byte| byte == b'.') {
        return None;
    }
    let start = line.text.find(" ....")?;
    let (left, right) = (line.text.get(..start)?, line.text.get(start..)?);
    let description = right.trim_start_matches([' ', '.']);
    if begins_option(description) {
        return None;
    }
    Some(Split {
        head: complete(left, 2, 1)?,
        description,
        column: Some(line.column_of(line.text.len() - description.len())),
        ending: Ending::Gap,
    })
}

fn at_gap<'t>(line: &Line<'t>) -> Option<Split<'t>> {
    let text = line.text;
    let mut best: Option<Split<'t>> = None;
    let mut from = 0;
    for _ in 0..MAX_TRIES {
        let Some((start, end)) = find_gap(text, from) else {
            break;
        };
        from = end;
        let (Some(left), Some(right)) = (text.get(..start), text.get(end..)) else {
            break;
        };
        let Some(head) = complete(left, 2, 1).or_else(|| unclosed(left)) else {
            if best.is_some() {
                return best;
            }
            continue;
        };
        let goes_on = begins_option(right) || begins_value(&head, right) || is_bare_value(&head, right);
        let description = behind_sign(right);
        best = Some(Split {
            head,
            description,
            column: Some(line.column_of(end)),
            ending: Ending::Gap,
        });
        if !goes_on {
            return best;
        }
    }
    // `-o FILE    --output=FILE` without a description
    let is_head =
        |found: &Split<'t>| begins_option(found.description) || is_bare_value(&found.head, found.description);
    if best.as_ref().is_some_and(is_head)
        && let Some(head) = complete(text, 2, 0)
    {
        return Some(Split {
            head,
            description: "",
            column: None,
            ending: Ending::LineEnd,
        });
    }
    best
}

/// `--target <String: operating-`: a placeholder that is wrapped.
fn unclosed(left: &str) -> Option<Head> {
    let (_, inside) = left.rsplit_once('<')?;
    let is_wrapped =
        inside.ends_with('-') && inside.starts_with(char::is_alphabetic) && !inside.contains('>');
    is_wrapped.then(|| complete(&format!("{left}>"), 0, 0)).flatten()
}

/// Reads a head that may end with a colon.
fn complete(left: &str, plain_words: usize, capitalised: usize) -> Option<Head> {
    let left = left.trim_end();
    let left = left.strip_suffix(':').unwrap_or(left).trim_end();
    let left = left.strip_suffix(',').unwrap_or(left).trim_end();
    let head = parse(left)
        .or_else(|| parse(without_half_pair(left)?))
        .or_else(|| parse(&without_braces(left)?))?;
    let is_short = head.plain_words <= plain_words && head.capitalised <= capitalised;
    (is_short && head.plain_words + head.capitalised < 3).then_some(head)
}

/// `[--also <name>` and `[--more <x>]] ...`: a bracket around several lines, of which this is the first or the last.
fn without_half_pair(left: &str) -> Option<&str> {
    if !left.starts_with("[-") {
        return None;
    }
    let opened = left.matches('[').count();
    let closed = left.matches(']').count();
    if opened == closed + 1 {
        return left.strip_prefix('[');
    }
    let is_last = closed == opened + 1;
    let inside = left.trim_end_matches(['.', ' ']).strip_suffix(']');
    inside.filter(|inside| is_last && inside.ends_with(']'))
}

/// `{--one|--other} <value>`: braces around the names.
fn without_braces(left: &str) -> Option<String> {
    let (names, behind) = left.strip_prefix('{')?.split_once('}')?;
    let is_names = names.split('|').all(|name| name.trim().starts_with('-'));
    is_names.then(|| format!("{names}{behind}"))
}

fn begins_option(text: &str) -> bool {
    let text = text.trim_start_matches(['.', ' ', ',']);
    let text = text.strip_prefix('[').map_or(text, str::trim_start);
    let mut chars = text.chars();
    let is_dash = matches!(chars.next(), Some('-'));
    is_dash && chars.next().is_some_and(|c| c == '-' || c.is_alphanumeric()) && !text.starts_with("-- ")
}

/// Whether a column of placeholders stands between head and description.
fn begins_value(head: &Head, right: &str) -> bool {
    let has_value = head.forms.iter().any(|form| form.value.is_some());
    let Some((end, _)) = find_gap(right, 0) else {
        return false;
    };
    let field = right.get(..end).unwrap_or_default();
    let is_enclosed = ["<>", "[]", "{}"].iter().any(|pair| {
        let mut pair = pair.chars();
        pair.next().is_some_and(|open| field.starts_with(open))
            && pair.next().is_some_and(|close| field.ends_with(close))
    });
    let is_tag = field.contains(':') || field.contains(' ') && !field.starts_with('<');
    let first = field.split(' ').next().unwrap_or_default();
    let is_word = is_upper_word(first)
        && is_placeholder(first)
        && field
            .split(' ')
            .all(|word| is_upper_word(word) || word.starts_with('['));
    !has_value && (field == "#" || is_word || is_enclosed && !is_tag)
}

/// `--install   <file>...`: a placeholder where the description would stand.
fn is_bare_value(head: &Head, right: &str) -> bool {
    right.starts_with('<') && head.forms.last().is_some_and(|form| form.value.is_none())
}

fn at_column<'t>(line: &Line<'t>, columns: &[usize]) -> Option<Split<'t>> {
    columns.iter().find_map(|column| {
        let (left, right) = line.split_at_column(*column)?;
        let is_value = right
            .split(' ')
            .all(|word| is_upper_word(word) || word.starts_with(['<', '[', '{']));
        // One word below the description of others is a value: `-o file`.
        let is_word = !right.contains(' ');
        if is_value || is_word || begins_option(right) {
            return None;
        }
        Some(Split {
            head: complete(left, 2, 0)?,
            description: behind_sign(right),
            column: Some(*column),
            ending: Ending::Column,
        })
    })
}

const SIGNS: [&str; 9] = [
    ": ",
    " - ",
    " -- ",
    " = ",
    " # ",
    " \u{2013} ",
    " \u{2014} ",
    " => ",
    " -> ",
];

fn at_sign<'t>(line: &Line<'t>) -> Option<Split<'t>> {
    let text = line.text;
    let mut from = 0;
    for _ in 0..MAX_TRIES {
        let (start, end) = next_sign(text, from)?;
        from = end;
        let (left, right) = (text.get(..start)?, text.get(end..)?);
        if let Some(mut head) = complete(left, 2, 0) {
            let right = head.value_before_text(right.trim_start());
            return Some(Split {
                head,
                description: right,
                column: None,
                ending: Ending::Sign,
            });
        }
    }
    None
}

fn next_sign(text: &str, from: usize) -> Option<(usize, usize)> {
    let rest = text.get(from..)?;
    // Far behind the beginning of a line no head ends.
    let near = crate::help::text::cut(rest, 512);
    let is_start = |byte: &u8| matches!(byte, b' ' | b':');
    let starts = near.bytes().enumerate().filter(|(_, byte)| is_start(byte));
    for (at, _) in starts {
        let found = near
            .get(at..)
            .and_then(|rest| SIGNS.iter().find(|sign| rest.starts_with(**sign)));
        if let Some(sign) = found {
            return Some((from + at, from + at + sign.len()));
        }
    }
    None
}

/// Returns where a sign between a name and its description ends, and where it begins.
pub(crate) fn separator_end(text: &str) -> Option<(usize, usize)> {
    next_sign(text, 0)
}

fn behind_sign(text: &str) -> &str {
    if text.starts_with(|c: char| c.is_alphanumeric()) {
        return text;
    }
    let trimmed = SIGNS
        .iter()
        .find_map(|sign| text.strip_prefix(sign.trim_start()))
        .unwrap_or(text);
    trimmed.trim_start()
}

fn at_line_end<'t>(line: &Line<'t>, plain_words: usize) -> Option<Split<'t>> {
    let head = complete(without_open_bracket(line.text), plain_words, 0)
        .filter(|head| head.nouns == 0 || is_bundle_or_letter(head))?;
    Some(Split {
        head,
        description: "",
        column: None,
        ending: Ending::LineEnd,
    })
}

/// `--replace -R chain number`: a word, its letter, and two values.
fn is_pair(head: &Head) -> bool {
    let [word, letter] = head.forms.as_slice() else {
        return false;
    };
    word.value.is_none()
        && word.names.iter().all(|name| name.starts_with("--"))
        && letter.names.iter().all(|name| is_single_letter(name))
}

/// `--dwarf[a/=abbrev, b/=bits,`: what a bracket begins that the line does not close is a value.
fn without_open_bracket(text: &str) -> &str {
    let opened = text.matches('[').count() > text.matches(']').count();
    let start = text.find('[').filter(|start| opened && *start > 2);
    start
        .and_then(|start| text.get(..start))
        .unwrap_or(text)
        .trim_end()
}

fn at_space<'t>(line: &Line<'t>) -> Option<Split<'t>> {
    let text = line.text;
    let spaces = text.match_indices(' ').map(|(at, _)| at).take(MAX_TRIES);
    for at in spaces {
        let (Some(left), Some(right)) = (text.get(..at), text.get(at + 1..)) else {
            continue;
        };
        let Some(head) = complete(left, 0, 0) else {
            continue;
        };
        let mut words = right.split(' ');
        let first = words.next().unwrap_or_default();
        let is_value = (is_upper_word(first) && (first.len() > 1 || is_placeholder(first)))
            || first.starts_with(['<', '[', '{', '-', '|', ',', '(']);
        let has_value = head.forms.last().is_some_and(|form| form.value.is_some());
        let is_sentence = words.next().is_some()
            && !is_binding_word(first)
            && (has_value || head.is_long() || head.forms.len() > 2 || !super::value::is_prose_word(first));
        if !is_value && is_sentence {
            return Some(Split {
                head,
                description: right,
                column: None,
                ending: Ending::Space,
            });
        }
    }
    None
}
