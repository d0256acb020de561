//! The lines that say how a command is called, joined where they are wrapped.

use crate::help::head::{Ending, is_prose_word, split};
use crate::help::layout::{Topic, title, topic};
use crate::help::text::{Line, Mark, find_gap};

const MAX_CALLS: usize = 64;
const MAX_CALL: usize = 16 << 10;

/// One way to call a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    /// Where it begins, from 1.
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// Returns what follows `usage:` on a line that begins with it.
pub(crate) fn opening<'t>(line: &Line<'t>) -> Option<&'t str> {
    let text = line.text.trim_start_matches(['#', '*', ' ']);
    for word in ["usage", "use", "synopsis"] {
        let Some((start, rest)) = text.split_at_checked(word.len()) else {
            continue;
        };
        if !start.eq_ignore_ascii_case(word) {
            continue;
        }
        let rest = rest.trim_matches('*');
        if rest.is_empty() {
            return (line.mark == Mark::Title || start.chars().all(char::is_uppercase) || word == "usage")
                .then_some("");
        }
        let rest = rest.strip_prefix(" is").unwrap_or(rest);
        if let Some(rest) = rest.strip_prefix(':') {
            return Some(rest.trim_start());
        }
    }
    None
}

/// Collects calls from the line with the opening on. Returns them with the index of the first line behind them.
pub(crate) fn collect(lines: &[Line<'_>], start: usize, rest: &str) -> (Vec<Call>, usize) {
    let mut calls: Vec<Call> = Vec::new();
    let Some(first) = lines.get(start) else {
        return (calls, start);
    };
    let mut at = start + 1;
    if rest.is_empty() {
        while lines.get(at).is_some_and(Line::is_blank) && at < start + 3 {
            at += 1;
        }
    } else {
        calls.push(Call {
            line: first.number,
            text: without_remark(without_number(rest)).to_owned(),
        });
    }
    let base = lines.get(at).map_or(0, |line| line.indent);
    while let Some(line) = lines.get(at) {
        if line.is_blank() || calls.len() > MAX_CALLS {
            break;
        }
        if !belongs(
            line,
            lines.get(at + 1),
            first.indent,
            base,
            &calls,
            rest.is_empty(),
        ) {
            break;
        }
        push(&mut calls, line);
        at += 1;
    }
    (calls, at)
}

fn belongs(
    line: &Line<'_>,
    next: Option<&Line<'_>>,
    indent: usize,
    base: usize,
    calls: &[Call],
    below: bool,
) -> bool {
    if line.mark == Mark::Title || line.text.contains(":=") {
        return false;
    }
    if is_again(line) {
        return true;
    }
    let name = first_word(calls.first().map_or("", |call| call.text.as_str()));
    let is_call = !name.is_empty() && first_word(line.text) == name;
    let is_inside = line.indent > indent || is_call || (below && line.indent >= base && calls.is_empty());
    if !is_inside {
        return false;
    }
    if line.text.starts_with(['-', '+']) {
        let is_definition =
            split(line, Vec::new).is_some_and(|split| matches!(split.ending, Ending::Gap | Ending::Sign));
        let is_far = line.indent > indent + 4;
        let is_part = (is_far || calls.is_empty()) && !is_told(line.text);
        return !is_definition && (is_part || is_open(calls));
    }
    match title(line, next, false) {
        Some(title) => {
            line.text.contains(['[', '<']) || (topic(title) == Topic::Open && !line.text.ends_with(':'))
        }
        None => is_call || calls.is_empty() || !is_sentence(line.text),
    }
}

/// `-a is the same as -b`: a sentence about an option, not a part of the call.
fn is_told(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').skip(1).take(3).collect();
    let is_plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    words.len() == 3 && words.iter().all(is_plain) && words.iter().any(|word| is_prose_word(word))
}

/// Whether a bracket of the last call is still open.
fn is_open(calls: &[Call]) -> bool {
    calls
        .last()
        .is_some_and(|call| call.text.matches('[').count() > call.text.matches(']').count())
}

/// Words without any bracket, dash or capital name: a sentence about the command.
fn is_sentence(text: &str) -> bool {
    let words = text.split(' ').filter(|word| !word.is_empty()).count();
    let first = first_word(text);
    let is_capital = first.starts_with(char::is_uppercase) && first.chars().skip(1).all(char::is_lowercase);
    if words > 3 && is_capital && first.len() > 2 && text.ends_with('.') && !text.ends_with("..") {
        return true;
    }
    words > 3 && !text.contains(['[', '<', '{', '|']) && !text.contains("...") && !text.contains(" -")
}

/// `or: tool …`, and a second `usage: tool …`.
fn is_again(line: &Line<'_>) -> bool {
    line.text.starts_with("or:")
        || without_number(line.text) != line.text
        || line.text.starts_with("or ")
        || opening(line).is_some_and(|rest| !rest.is_empty())
}

/// `2. tool [-a] NAME`: calls that are counted.
fn without_number(text: &str) -> &str {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = (1..3).contains(&(text.len() - behind.len()));
    behind
        .strip_prefix(". ")
        .filter(|_| is_numbered)
        .map_or(text, str::trim_start)
}

fn first_word(text: &str) -> &str {
    let text = text.trim_start_matches(['$', '>', ' ']);
    text.split([' ', '[']).next().unwrap_or_default()
}

fn push(calls: &mut Vec<Call>, line: &Line<'_>) {
    let text = opening(line).unwrap_or(line.text);
    let text = text
        .strip_prefix("or:")
        .or_else(|| text.strip_prefix("or "))
        .unwrap_or(text)
        .trim_start();
    let text = without_remark(without_number(text));
    let name = first_word(calls.first().map_or("", |call| call.text.as_str()));
    let is_new = calls.is_empty() || is_again(line) || first_word(text) == name;
    match calls.last_mut() {
        Some(call) if !is_new => {
            if call.text.len() + text.len() < MAX_CALL {
                call.text.push(' ');
                call.text.push_str(text);
            }
        }
        Some(_) | None => calls.push(Call {
            line: line.number,
            text: crate::help::text::cut(text, MAX_CALL).to_owned(),
        }),
    }
}

/// Cuts off what explains a call in a second column.
fn without_remark(text: &str) -> &str {
    let mut from = 0;
    while let Some((start, end)) = find_gap(text, from) {
        from = end;
        let (Some(left), Some(right)) = (text.get(..start), text.get(end..)) else {
            return text;
        };
        let is_open = left.matches(['[', '<', '(', '{']).count() > left.matches([']', '>', ')', '}']).count();
        let is_words =
            right.split(' ').count() > 1 && !right.contains(['[', '<', '{', '|']) && !right.starts_with('-');
        let is_comment = right.starts_with(['#', '(']) || right.starts_with("-- ") || right.starts_with("- ");
        if !is_open && (is_comment || is_words) {
            return left.trim_end();
        }
    }
    text
}
