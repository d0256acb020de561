//! The changes that need no thought, made.

use super::run::{Strictness, lint};
use crate::doc::{Diagnostic, Fix};

/// How often a file is changed and looked at again. One change can uncover another; none can undo one.
const ROUNDS: usize = 20;

/// Makes the changes that the complaints offer. Of changes that overlap, the first in the text is made.
pub fn apply(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut fixes: Vec<&Fix> = diagnostics.iter().filter_map(|one| one.fix.as_deref()).collect();
    fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    let mut last: Option<&Fix> = None;
    for fix in fixes {
        // Two complaints may offer the same insertion; it is wanted once.
        if fix.span.start < done || last == Some(fix) {
            continue;
        }
        let (Some(kept), true) = (
            text.get(done..fix.span.start),
            text.is_char_boundary(fix.span.end),
        ) else {
            continue;
        };
        out.push_str(kept);
        out.push_str(&fix.replacement);
        done = fix.span.end.max(fix.span.start);
        last = Some(fix);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// Makes every change that a check offers, until it offers none. Returns the text, and what was mended.
pub fn fix(file_name: &str, text: &str, strictness: Strictness) -> (String, Vec<Diagnostic>) {
    let mut text = text.to_owned();
    let mut mended = Vec::new();
    for _ in 0..ROUNDS {
        let mut found = lint(file_name, text.as_bytes(), strictness).diagnostics;
        found.retain(|diagnostic| diagnostic.fix.is_some());
        let next = apply(&text, &found);
        if next == text {
            break;
        }
        text = next;
        mended.append(&mut found);
    }
    (text, mended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::{Severity, Span};

    #[test]
    fn changes_that_overlap_are_made_once() {
        let change = |start, end, with: &str| {
            Diagnostic::new(Severity::Note, "x/y", Span { start, end }, "").fix(Span { start, end }, with)
        };
        let check = |fixes: &[Diagnostic], want: &str| assert_eq!(apply("abcdef", fixes), want);
        check(&[], "abcdef");
        check(&[change(4, 5, "X"), change(0, 1, "Y")], "YbcdXf");
        check(&[change(0, 3, "X"), change(2, 4, "Y")], "Xdef");
        check(&[change(2, 2, "+"), change(2, 2, "+")], "ab+cdef");
        check(&[change(1, 2, ""), change(2, 3, "")], "adef");
        check(&[change(5, 99, "X"), change(99, 99, "Y")], "abcdef");
    }
}
