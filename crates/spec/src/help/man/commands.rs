//! Commands that a page defines: heads without a dash in a section of commands.

use std::collections::HashSet;

use super::line::{Line, Role};
use super::section::Section;
use crate::help::gathered::Gathered;
use crate::help::text::cut;
use crate::help::{Confidence, FoundCommand, Origin, Seen, Subject};

/// How long a description may grow.
const DESCRIPTION: usize = 1_000;

/// Whether the synopsis makes it likely that a section of commands lists those of the command line, and not what is
/// typed once the program runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Expected<'s> {
    /// It wants a command.
    Yes,
    /// Only if one of them stands in this text.
    IfNamed(&'s str),
}

/// Adds the commands of a section.
pub(crate) fn add(
    section: &Section<'_>,
    subject: &Subject<'_>,
    expected: Expected<'_>,
    gathered: &mut Gathered,
) {
    let shown = section.lines.iter().filter(|line| !line.is_blank());
    let Some(outermost) = shown.map(|line| line.indent).min() else {
        return;
    };
    let mut found = Vec::new();
    for (at, line) in section.lines.iter().enumerate() {
        if line.indent != outermost || line.is_blank() || line.role == Role::Verbatim {
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| section.lines.get(before));
        let starts = line.role == Role::Head
            || before.is_none_or(|before| before.is_blank() || before.role == Role::Head);
        let below = section.lines.get(at.saturating_add(1)..).unwrap_or_default();
        if let Some((names, inline)) = starts.then(|| names(line, below, subject)).flatten() {
            found.push((names, inline, line, below));
        }
    }
    let named = match expected {
        Expected::Yes => true,
        Expected::IfNamed(synopsis) => {
            let words: HashSet<&str> = synopsis.split([' ', '[', ']', '{', '}', '|', '(', ')']).collect();
            synopsis.is_empty()
                || found
                    .iter()
                    .any(|(names, ..)| names.iter().any(|name| words.contains(name.as_str())))
        }
    };
    for (names, inline, line, below) in found.into_iter().filter(|_| named) {
        push(&names, inline, line, below, section, gathered);
    }
}

fn push(
    names: &[String],
    inline: &str,
    line: &Line,
    below: &[Line],
    section: &Section<'_>,
    gathered: &mut Gathered,
) {
    let mut description = inline.to_owned();
    for text in below
        .iter()
        .take_while(|next| !next.is_blank() && next.indent > line.indent)
        .map(|next| &next.text)
    {
        if description.len().saturating_add(text.len()) > DESCRIPTION {
            break;
        }
        if !description.is_empty() {
            description.push(' ');
        }
        description.push_str(text);
    }
    let seen = Seen {
        origin: Origin::Man,
        line: line.number,
        confidence: Confidence::Likely,
    };
    for name in names {
        gathered.add_command(FoundCommand {
            name: name.clone(),
            aliases: Vec::new(),
            group: Some(cut(section.title, 80).to_owned()),
            description: description.clone(),
            deprecated: false,
            seen,
        });
    }
}

/// The names in a head: `start UNIT...`, `install, remove (other(8))`, `run (or r)`, `tool-sub(1)`.
fn names<'l>(line: &'l Line, below: &[Line], subject: &Subject<'_>) -> Option<(Vec<String>, &'l str)> {
    let head = line.text.split("  ").next().unwrap_or_default().trim_end();
    let inline = line.text.get(head.len()..).unwrap_or_default().trim_start();
    let deeper = below
        .first()
        .is_some_and(|next| !next.is_blank() && next.indent > line.indent);
    if !(deeper || !inline.is_empty() || line.role == Role::Head) {
        return None;
    }
    let head = head
        .strip_prefix(subject.name)
        .map_or(head, |rest| rest.trim_start_matches([' ', '-']));
    let mut names = Vec::new();
    for part in head.split(", ") {
        let word = part.split([' ', '(', '[', '<']).next().unwrap_or_default();
        if !is_name(word) {
            break;
        }
        names.push(word.to_owned());
        // What follows the name is what it takes.
        if part.len() != word.len() {
            if !is_operands(part.get(word.len()..).unwrap_or_default()) {
                return None;
            }
            break;
        }
    }
    (!names.is_empty()).then_some((names, inline))
}

fn is_name(word: &str) -> bool {
    let lower = word.starts_with(|c: char| c.is_ascii_lowercase());
    lower
        && word.len() > 1
        && word.len() < 60
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
}

/// Whether what follows a name are operands and no sentence.
fn is_operands(text: &str) -> bool {
    let marked = |word: &str| {
        word.starts_with(['[', '<', '(', '{', '-', '|', '.'])
            || word.ends_with([']', '>', ')', '}'])
            || word.contains("...")
            || word.contains(['\u{2026}', '|', '='])
            || word.chars().all(|c| !c.is_lowercase())
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = words.iter().filter(|word| !marked(word)).count();
    plain <= 1 || plain.saturating_mul(2) <= words.len()
}
