//! The calls of a synopsis: lines joined where they wrap.

use super::section::Section;
use crate::help::Subject;
use crate::help::text::cut;
use crate::help::usage::Call;

/// How many calls are read.
const CALLS: usize = 100;
/// How long one call may be.
const LONGEST: usize = 16 << 10;

/// Returns the calls of a synopsis.
pub(crate) fn calls(section: &Section<'_>, subject: &Subject<'_>) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    let mut name: Option<String> = None;
    let mut after_blank = true;
    for line in section.lines {
        if line.is_blank() {
            after_blank = true;
            continue;
        }
        let first = line.text.split([' ', '[']).next().unwrap_or_default();
        let again = name.as_deref() == Some(first) || first == subject.name;
        let starts =
            calls.is_empty() || again || after_blank && !line.text.starts_with(['[', '-', '<', '{', '|']);
        after_blank = false;
        if starts {
            if calls.len() >= CALLS {
                break;
            }
            if name.is_none() {
                name = Some(first.to_owned());
            }
            calls.push(Call {
                line: line.number,
                text: cut(&line.text, LONGEST).to_owned(),
            });
        } else if let Some(call) = calls.last_mut()
            && call.text.len().saturating_add(line.text.len()) < LONGEST
        {
            call.text.push(' ');
            call.text.push_str(&line.text);
        }
    }
    calls.retain(|call| is_call(&call.text));
    calls
}

/// Whether a text is a call and no sentence between calls.
fn is_call(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let marked = text.contains(['[', '<', '{', '|']) || text.contains("...") || text.contains(" -");
    words < 4 || marked
}
