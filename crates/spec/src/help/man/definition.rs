//! Definitions in a section: a head that starts with a dash, and the text that stands deeper below it.
//!
//! A rendered page has no marks, so the place on the paper decides: a head starts a paragraph, and what it says is
//! beside it or below it, further in. A line of prose that a dash happens to start is neither.

use std::collections::HashMap;

use super::line::{Line, Role, is_option};
use super::whole_head::{before_value, trimmed, whole};
use crate::help::head::{Ending, Head, Split, parse, split};
use crate::help::text::{Line as TextLine, Mark, cut};

/// How long a description may grow.
const DESCRIPTION: usize = 1_000;
/// How many heads may share one description.
const STACK: usize = 40;

/// One head with what is said about it.
#[derive(Debug)]
pub(crate) struct Definition {
    /// The heads that share the text, one line each.
    pub(crate) heads: Vec<(Head, usize)>,
    /// What is said.
    pub(crate) description: String,
    /// Where the heads start.
    pub(crate) indent: usize,
    /// Everything that stands below it: which lines of the section.
    pub(crate) body: std::ops::Range<usize>,
    /// Whether a macro said that it is a head, or text stands deeper below it.
    pub(crate) certain: bool,
}

impl Definition {
    fn is_long(&self) -> bool {
        let mut names = self
            .heads
            .iter()
            .flat_map(|(head, _)| &head.forms)
            .flat_map(|form| &form.names);
        self.certain && names.any(|name| name.starts_with("--"))
    }
}

/// Returns the definitions in a section. `width` is how wide the paper is.
pub(crate) fn definitions(lines: &[Line], width: usize) -> Vec<Definition> {
    let column = usual_column(lines);
    let mut found: Vec<Definition> = Vec::new();
    let mut at = 0;
    // The head whose body is being passed, by its column.
    let mut inside: Option<usize> = None;
    while let Some(line) = lines.get(at) {
        if !line.is_blank() && inside.is_some_and(|indent| line.indent <= indent) {
            inside = None;
        }
        let starts = is_option(&line.text) && starts_paragraph(lines, at);
        let next = starts.then(|| definition(lines, at, width, column)).flatten();
        // Inside of what is said about an option stand values like `-1`, but also options where the page forgot to
        // go back to the margin. A long spelling tells them apart.
        let next = next.filter(|(definition, _)| inside.is_none() || definition.is_long());
        match next {
            Some((definition, after)) => {
                inside = Some(definition.indent);
                found.push(definition);
                at = after.max(at.saturating_add(1));
            }
            None => at = at.saturating_add(1),
        }
    }
    found
}

/// Whether a line is where a head can be: not in the middle of a paragraph.
fn starts_paragraph(lines: &[Line], at: usize) -> bool {
    let Some((line, before)) = lines
        .get(at)
        .zip(at.checked_sub(1).and_then(|before| lines.get(before)))
    else {
        return true;
    };
    match line.role {
        Role::Head => true,
        Role::Section | Role::Subsection => false,
        Role::Text | Role::Verbatim => {
            before.is_blank()
                || before.role == Role::Head
                || before.indent > line.indent
                || (before.indent == line.indent && is_option(&before.text) && parse_line(before).is_some())
                || (before.indent < line.indent && before.text.ends_with(':'))
                || (before.indent == line.indent
                    && line.role == Role::Text
                    && before.role == Role::Text
                    && !is_rendered(before, line))
        }
    }
}

/// Whether two neighbours can be one paragraph that wraps. Lines of a source never do.
fn is_rendered(before: &Line, line: &Line) -> bool {
    line.number == before.number.saturating_add(1)
}

/// Reads the definition that starts at `at`; returns it with the index behind its heads.
fn definition(lines: &[Line], at: usize, width: usize, column: Option<usize>) -> Option<(Definition, usize)> {
    let first = lines.get(at)?;
    let mut heads = Vec::new();
    let mut description = String::new();
    let mut certain = first.role == Role::Head;
    let mut next = at;
    while let Some(line) = lines.get(next).filter(|_| heads.len() < STACK) {
        if line.is_blank()
            && first.role == Role::Head
            && lines
                .get(next.saturating_add(1))
                .is_some_and(|line| line.role == Role::Head)
        {
            next = next.saturating_add(1);
            continue;
        }
        if line.indent != first.indent || !is_option(&line.text) {
            break;
        }
        let Some((found, inline, used)) = head_at(lines, next, width, column) else {
            break;
        };
        heads.extend(found.into_iter().map(|head| (head, line.number)));
        next = next.saturating_add(used);
        if !inline.is_empty() {
            description = inline.to_owned();
            certain = true;
            break;
        }
    }
    if heads.is_empty() {
        return None;
    }
    let described = !description.is_empty();
    certain |= push_body(lines, next, first.indent, described, &mut description);
    let below = lines.get(next..).unwrap_or_default();
    let length = below
        .iter()
        .take_while(|line| line.is_blank() || line.indent > first.indent)
        .count();
    let body = next..next.saturating_add(length);
    let definition = Definition {
        heads,
        description,
        indent: first.indent,
        body,
        certain,
    };
    Some((definition, next))
}

/// Reads the heads of a line, what stands behind them there, and how many lines they take.
fn head_at(
    lines: &[Line],
    at: usize,
    width: usize,
    column: Option<usize>,
) -> Option<(Vec<Head>, &str, usize)> {
    let line = lines.get(at)?;
    let next = lines.get(at.saturating_add(1)).filter(|next| !next.is_blank());
    let deeper = next.filter(|next| next.indent > line.indent);
    let stacked = next.is_some_and(|next| next.indent == line.indent && is_option(&next.text));
    if line.role == Role::Head {
        // Some pages put the text into the head, behind a dash.
        let dashed = line.text.contains(" - ").then(|| split_line(line)).flatten();
        return match dashed.filter(|found| found.ending == Ending::Sign) {
            Some(found) => Some((vec![found.head], found.description, 1)),
            None => match whole(&line.text) {
                Some(heads) => Some((heads, "", 1)),
                None => split_line(line).map(|found| (vec![found.head], found.description, 1)),
            },
        };
    }
    // No viewer leaves so much space inside of a head.
    if line.text.contains("   ")
        && let Some(found) = split_line(line).filter(|found| found.ending == Ending::Gap)
    {
        return Some((vec![found.head], found.description, 1));
    }
    // Text beside the head goes on below it only if its own line is full, or if it is a column made by hand.
    let beside = match deeper {
        Some(next) if is_full(line, next, width) => beside_column(line, next.indent, 1),
        Some(next) => beside_column(line, next.indent, 2),
        None => column.and_then(|column| beside_column(line, column, 1)),
    };
    if let Some((head, text)) = beside {
        return Some((vec![head], text, 1));
    }
    if (deeper.is_some() || stacked)
        && let Some(heads) = whole(&line.text)
    {
        return Some((heads, "", 1));
    }
    if let Some((joined, used)) = wrapped(lines, at) {
        return Some((vec![joined], "", used));
    }
    if is_alone(lines, at)
        && let Some(head) =
            parse(&trimmed(&line.text)).filter(|head| head.plain_words.saturating_add(head.capitalised) < 3)
    {
        return Some((vec![head], "", 1));
    }
    let found = split_line(line)?;
    let plausible = match found.ending {
        Ending::Gap | Ending::Column => true,
        Ending::Sign | Ending::LineEnd => deeper.is_some() || found.head.plain_words == 0,
        Ending::Space => deeper.is_none() || deeper.is_some_and(|next| is_full(line, next, width)),
    };
    plausible.then_some((vec![found.head], found.description, 1))
}

/// Whether a line is a paragraph of its own.
fn is_alone(lines: &[Line], at: usize) -> bool {
    let is_space =
        |line: Option<&Line>| line.is_none_or(|line| line.is_blank() || line.role == Role::Subsection);
    is_space(at.checked_sub(1).and_then(|before| lines.get(before)))
        && is_space(lines.get(at.saturating_add(1)))
}

/// A head that is too long for its line: the next ones start as far in, and text stands deeper below.
fn wrapped(lines: &[Line], at: usize) -> Option<(Head, usize)> {
    let first = lines.get(at)?;
    let rest = lines.get(at.saturating_add(1)..)?;
    let more = rest
        .iter()
        .take(4)
        .take_while(|line| line.indent == first.indent && !line.is_blank())
        .count();
    let below = rest.iter().skip(more).take(2).find(|line| !line.is_blank())?;
    let second = rest.first()?;
    if more == 0 || more > 3 || below.indent <= first.indent {
        return None;
    }
    if !first.text.ends_with([',', '|']) && is_option(&second.text) {
        return None;
    }
    let mut text = first.text.clone();
    for line in rest.iter().take(more) {
        // A hyphen that the viewer put in is none.
        match text.strip_suffix('\u{2010}') {
            Some(cut) => text = cut.to_owned(),
            None => text.push(' '),
        }
        text.push_str(&line.text);
    }
    let head = parse(&trimmed(&text)).or_else(|| before_value(&text))?;
    Some((head, more.saturating_add(1)))
}

/// Splits a line where the column of descriptions starts, if a word starts there with so much space before it.
fn beside_column(line: &Line, column: usize, space: usize) -> Option<(Head, &str)> {
    let offset = column.checked_sub(line.indent)?;
    let at = line.text.char_indices().nth(offset).map(|(at, _)| at)?;
    let (left, right) = line.text.split_at_checked(at)?;
    let gap = left.len().saturating_sub(left.trim_end().len());
    // `-c  or  --count` has columns by chance only.
    if gap < space || right.starts_with(' ') || right.starts_with("or ") && right.contains(" -") {
        return None;
    }
    let head = parse(&trimmed(left))?;
    Some((head, right))
}

/// Whether the first word of `next` would not have fitted on `line`.
fn is_full(line: &Line, next: &Line, width: usize) -> bool {
    let word = next.text.split(' ').next().unwrap_or_default();
    let end = line.indent.saturating_add(line.text.chars().count());
    end.saturating_add(word.chars().count()).saturating_add(1) > width
}

/// Adds the first paragraph that stands deeper than the head. Returns whether there was one.
fn push_body(lines: &[Line], from: usize, indent: usize, described: bool, description: &mut String) -> bool {
    let mut any = false;
    let mut at = from;
    if !described {
        while lines.get(at).is_some_and(Line::is_blank) {
            at = at.saturating_add(1);
        }
    }
    let body = lines.get(at..).unwrap_or_default();
    for line in body
        .iter()
        .take_while(|line| !line.is_blank() && line.indent > indent)
    {
        if line.role == Role::Head || matches!(line.role, Role::Section | Role::Subsection) {
            break;
        }
        any = true;
        if description.len().saturating_add(line.text.len()) > DESCRIPTION {
            if description.is_empty() {
                description.push_str(cut(&line.text, DESCRIPTION));
            }
            break;
        }
        if !description.is_empty() {
            description.push(' ');
        }
        description.push_str(&line.text);
    }
    any
}

/// The column where most texts beside or below heads start.
fn usual_column(lines: &[Line]) -> Option<usize> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for pair in lines.windows(2) {
        let [head, body] = pair else {
            continue;
        };
        if is_option(&head.text) && body.indent > head.indent && !body.is_blank() {
            let count = counts.entry(body.indent).or_default();
            *count = count.saturating_add(1);
        }
    }
    counts
        .into_iter()
        .max_by_key(|(column, count)| (*count, *column))
        .map(|(column, _)| column)
}

fn parse_line(line: &Line) -> Option<Head> {
    parse(&trimmed(&line.text)).or_else(|| split_line(line).map(|found| found.head))
}

/// Splits a line as the reader of help texts does.
fn split_line(line: &Line) -> Option<Split<'_>> {
    let line = TextLine {
        number: line.number,
        indent: line.indent,
        text: &line.text,
        mark: Mark::Plain,
        behind_gap: None,
    };
    split(&line, Vec::new)
}
