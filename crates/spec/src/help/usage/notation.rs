//! Definitions in the notation of grammars: `OPTIONS := { -V[ersion] | -s[tatistics] }`.

use super::collect::Call;
use crate::help::text::Line;

const MAX_LINES: usize = 200;
const MAX_TEXT: usize = 16 << 10;

/// What such a definition says about a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notation {
    /// The name that is defined: `OPTIONS`.
    pub(crate) name: String,
    /// What it may be, without the brackets around it.
    pub(crate) call: Call,
    /// The index of the first line behind it.
    pub(crate) next: usize,
}

/// Reads a definition that begins on the line at `at`.
pub(crate) fn notation(lines: &[Line<'_>], at: usize) -> Option<Notation> {
    let line = lines.get(at)?;
    let (left, right) = line.text.split_once(":=")?;
    let name = left.split(' ').rfind(|word| !word.is_empty())?;
    let mut text = right.trim().to_owned();
    if !text.starts_with('{') {
        return None;
    }
    let mut next = at + 1;
    while !is_closed(&text) && next < at + MAX_LINES && text.len() < MAX_TEXT {
        let more = lines
            .get(next)
            .filter(|more| !more.is_blank() && !more.text.contains(":="))?;
        text.push(' ');
        text.push_str(more.text);
        next += 1;
    }
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    Some(Notation {
        name: name.to_owned(),
        call: Call {
            line: line.number,
            text: inside.trim().to_owned(),
        },
        next,
    })
}

fn is_closed(text: &str) -> bool {
    text.matches('{').count() <= text.matches('}').count()
}

/// Returns a definition with each `-V[ersion]` written as `-V`: the rest may be typed, and need not.
pub(crate) fn without_rests(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let (name, rest) = word.split_once('[').unwrap_or((word, ""));
        let is_rest = rest.strip_suffix(']').is_some_and(|rest| {
            !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
        });
        if is_rest && name.starts_with('-') && name.len() > 1 {
            name
        } else {
            word
        }
    });
    words.collect::<Vec<&str>>().join(" ")
}
