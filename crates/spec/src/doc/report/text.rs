//! For people: place, complaint, the line it is about, what to do.

use std::fmt::Write as _;

use super::excerpt::excerpt;
use super::file::File;
use super::visible;
use crate::doc::{Lines, Severity};

/// The code of complaints about lines that are never shown.
const SECRETS: [&str; 2] = ["safety/secret", "secrets/value"];

/// Returns the complaints about one file, each with its line; nothing when there are none.
pub fn text(file: &File<'_>) -> String {
    let lines = Lines::of(file.text);
    let name = visible::line(file.name);
    // What may be a credential must not reach a log, whatever else is wrong on its line.
    let secret: Vec<usize> = file
        .diagnostics
        .iter()
        .filter(|diagnostic| SECRETS.contains(&diagnostic.code))
        .map(|diagnostic| lines.place(file.text, diagnostic.span.start).line)
        .collect();
    let mut out = String::new();
    for diagnostic in file.diagnostics {
        let place = lines.place(file.text, diagnostic.span.start);
        let severity = word(diagnostic.severity);
        let message = visible::line(&diagnostic.message);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{name}:{place}: {severity}[{}]: {message}", diagnostic.code);
        let number = place.line.to_string();
        let margin = " ".repeat(number.len());
        let excerpt = excerpt(file.text, &lines, diagnostic.span).filter(|_| !secret.contains(&place.line));
        if let Some((line, marks)) = excerpt {
            let _ = writeln!(out, " {number} | {line}\n {margin} | {marks}");
        }
        if let Some(hint) = &diagnostic.hint {
            let _ = writeln!(out, " {margin} = hint: {}", visible::line(hint));
        }
    }
    out
}

/// Returns the word for how bad it is.
pub(super) const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::doc::{Diagnostic, Span};

    fn shown(source: &str, start: usize, end: usize) -> String {
        let complaint =
            Diagnostic::new(Severity::Warning, "x/y", Span { start, end }, "odd").hint("do\nthis");
        text(&File {
            name: "a\u{1b}.json",
            kind: "atip",
            text: source.as_bytes(),
            diagnostics: &[complaint],
        })
    }

    #[test]
    fn the_mark_stands_under_the_place() {
        let check = |source: &str, start: usize, end: usize, want: &[&str]| {
            let lines = shown(source, start, end);
            let middle: Vec<&str> = lines.lines().skip(1).collect();
            assert_eq!(middle, [want, &["   = hint: do\\nthis"]].concat(), "{source:?}");
        };
        check("{\"a\": 1}", 6, 7, &[" 1 | {\"a\": 1}", "   |       ^"]);
        check("\tx: oops\r\n", 4, 8, &[" 1 |     x: oops", "   |        ^^^^"]);
        check("日本 x", 7, 8, &[" 1 | 日本 x", "   |      ^"]);
        check("日本 x", 0, 3, &[" 1 | 日本 x", "   | ^^"]);
        check("a\u{202e}b", 4, 5, &[" 1 | a\\u{202e}b", "   |          ^"]);
        check("abc", 3, 3, &[" 1 | abc", "   |    ^"]);
        check("[1,\n2", 0, 5, &[" 1 | [1,", "   | ^^^"]);
        check("\n", 0, 0, &[]);
        assert!(shown("x", 0, 1).starts_with("a\\u{1b}.json:1:1: warning[x/y]: odd\n"));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let source = format!("{}oops{}", "a".repeat(500), "b".repeat(500));
        let lines = shown(&source, 500, 504);
        let (line, marks) = (lines.lines().nth(1).unwrap(), lines.lines().nth(2).unwrap());
        assert!(line.starts_with(" 1 | …aaaa") && line.ends_with("b…"), "{line}");
        assert!(line.chars().count() < 130);
        let column = |text: &str, what: &str| text.split_once(what).unwrap().0.chars().count();
        assert_eq!(column(line, "oops"), column(marks, "^^^^"));
    }

    proptest! {
        #[test]
        fn any_place_in_any_text_is_shown_on_a_few_safe_lines(
            source in prop::collection::vec(any::<u8>(), 0..300),
            start in 0usize..320,
            length in 0usize..40,
        ) {
            let span = Span { start, end: start + length };
            let complaint = Diagnostic::new(Severity::Error, "x/y", span, "odd");
            let file = File { name: "a", kind: "atip", text: &source, diagnostics: &[complaint] };
            let out = text(&file);
            prop_assert!(out.lines().count() <= 3 && out.len() < 3000);
            prop_assert!(!out.chars().any(|c| c != '\n' && argrail_acli::is_invisible(c)));
        }
    }
}
