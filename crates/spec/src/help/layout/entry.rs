//! Entries of lists that have no dash: commands and words without a flag.
//!
//! `name, alias <args>   what it does`, `name - what it does`, `name|n [options]`, or a name alone above its text.

use crate::help::head::separator_end;
use crate::help::text::{Line, find_gap, is_upper_word};

const MAX_NAME: usize = 60;

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry<'t> {
    pub(crate) name: &'t str,
    pub(crate) aliases: Vec<&'t str>,
    pub(crate) description: &'t str,
    /// The column of the description.
    pub(crate) column: Option<usize>,
}

/// Reads an entry of a list of commands. `prefix` are the words that every call begins with.
pub(crate) fn command_entry<'t>(
    line: &Line<'t>,
    columns: impl FnOnce() -> Vec<usize>,
    prefix: &[&str],
) -> Option<Entry<'t>> {
    let text = without_bullet(line.text);
    let shift = line.text.len() - text.len();
    let (field, description, column) = fields(line, text, shift, columns)?;
    let (name, aliases) = names(field, prefix)?;
    Some(Entry {
        name,
        aliases,
        description,
        column,
    })
}

/// Splits an entry into its name with arguments and its description.
pub(crate) fn fields<'t>(
    line: &Line<'t>,
    text: &'t str,
    shift: usize,
    columns: impl FnOnce() -> Vec<usize>,
) -> Option<(&'t str, &'t str, Option<usize>)> {
    if let Some((start, end)) = find_gap(text, 0) {
        let description = text.get(end..)?;
        let column = line.column_of(end + shift);
        let description = description
            .strip_prefix(": ")
            .or_else(|| description.strip_prefix("- "))
            .or_else(|| description.strip_prefix("# "))
            .or_else(|| description.strip_prefix("-- "))
            .unwrap_or(description);
        return Some((text.get(..start)?, description, Some(column)));
    }
    for column in columns() {
        if let Some((left, right)) = line.split_at_column(column)
            && left.split(' ').count() < 4
        {
            return Some((without_bullet(left), right, Some(column)));
        }
    }
    if let Some((start, end)) = separator_end(text)
        && text.get(..start).is_some_and(|left| left.split(' ').count() < 4)
    {
        return Some((text.get(..start)?, text.get(end..)?.trim_start(), None));
    }
    Some((text, "", None))
}

pub(crate) fn without_bullet(text: &str) -> &str {
    ["- ", "* ", "\u{2022} ", "$ ", "+ "]
        .iter()
        .find_map(|bullet| text.strip_prefix(bullet))
        .map_or(text, str::trim_start)
}

/// Reads `name`, `name, alias`, `name|alias`, `name (alias)`, `tool name <arg>`.
pub(crate) fn names<'t>(field: &'t str, prefix: &[&str]) -> Option<(&'t str, Vec<&'t str>)> {
    let mut rest = field.trim();
    for word in prefix {
        let behind = rest.strip_prefix(word).filter(|behind| behind.starts_with(' '));
        match behind {
            Some(behind) => rest = behind.trim_start(),
            None => break,
        }
    }
    let (first, mut rest) = take_name(rest)?;
    let mut aliases = Vec::new();
    loop {
        let trimmed = rest.trim_start();
        let joined = trimmed
            .strip_prefix([',', '|', '/'])
            .or_else(|| trimmed.strip_prefix('('));
        let Some(next) = joined.map(str::trim_start) else {
            break;
        };
        let Some((alias, behind)) = take_name(next) else {
            break;
        };
        aliases.push(alias);
        rest = behind.strip_prefix(')').unwrap_or(behind);
    }
    let rest = rest.trim_start();
    is_arguments(rest).then_some((first, aliases))
}

/// `tool group name   text`: two words behind the name of the tool are a command and what is below it.
pub(crate) fn outer_name<'t>(field: &'t str, prefix: &[&str]) -> Option<&'t str> {
    let behind = prefix.iter().try_fold(field.trim(), |rest, word| {
        rest.strip_prefix(word)?.strip_prefix(' ').map(str::trim_start)
    });
    let (outer, inner) = behind.filter(|_| !prefix.is_empty())?.split_once(' ')?;
    let is_word = |word: &str| is_name(word) && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    (is_word(outer) && is_word(inner)).then_some(outer)
}

fn take_name(text: &str) -> Option<(&str, &str)> {
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '+' | '@')))
        .unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    let name_only = name.trim_end_matches([':', '.']);
    let is_whole = rest.is_empty() || rest.starts_with([' ', ',', '|', '/', '(', ')', '[', '<', '*']);
    let rest = rest.strip_prefix('*').unwrap_or(rest);
    (is_name(name_only) && is_whole && !name.ends_with("..")).then_some((name_only, rest))
}

/// Whether a word may be the name of a command.
pub(crate) fn is_name(word: &str) -> bool {
    word.len() <= MAX_NAME
        && word.starts_with(|c: char| c.is_ascii_alphanumeric())
        && word.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '+')
        && word
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':' | b'+' | b'@'))
        && !(is_upper_word(word) && word.len() > 1)
        && word.chars().any(char::is_alphabetic)
}

/// Whether everything behind a name is a placeholder.
fn is_arguments(text: &str) -> bool {
    let mut depth = 0_i32;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let is_inside = depth > 0;
        depth += word.matches(['[', '<', '{', '(']).count() as i32
            - word.matches([']', '>', '}', ')']).count() as i32;
        let is_placeholder = is_inside
            || word.starts_with(['[', '<', '{', '(', '|', '-', '.', '"', '\''])
            || is_upper_word(word)
            || word.ends_with("...")
            || word.contains("|");
        if !is_placeholder {
            return false;
        }
    }
    true
}

/// Reads a line that only lists names: `add, remove, list`, or columns of them.
pub(crate) fn name_list(text: &str, is_in_grid: bool) -> Option<Vec<&str>> {
    if text.contains(['{', '}']) {
        return None;
    }
    let text = text.trim_end_matches([',', '.']);
    let (names, least): (Vec<&str>, usize) = if text.contains(',') {
        (text.split(',').map(str::trim).collect(), 2)
    } else {
        (
            text.split("  ")
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .collect(),
            3,
        )
    };
    let least = if is_in_grid { 1 } else { least };
    let legal = names.iter().filter(|name| is_name(name)).count();
    // `[` is a command, too, but no name of one that can be told from a bracket.
    let is_list =
        names.len() >= least && legal > 0 && names.iter().all(|name| !name.contains(' ') && !name.is_empty());
    is_list.then(|| names.into_iter().filter(|name| is_name(name)).collect())
}
