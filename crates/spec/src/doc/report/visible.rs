//! Characters as a terminal may show them, with the columns they take.

use argrail_acli::is_invisible;
use unicode_width::UnicodeWidthChar;

/// How many columns a tab is shown as, wherever it stands.
const TAB: &str = "    ";

/// Appends one foreign character so that it can neither hide nor steer, and returns how many columns that takes.
pub(super) fn push(out: &mut String, c: char) -> usize {
    if c == '\t' {
        out.push_str(TAB);
        return TAB.len();
    }
    if is_invisible(c) {
        let escape = c.escape_unicode();
        let columns = escape.len();
        out.extend(escape);
        return columns;
    }
    out.push(c);
    c.width().unwrap_or(1)
}

/// Returns a whole foreign text on one line.
pub(super) fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => {
                push(&mut out, c);
            }
        }
    }
    out
}
