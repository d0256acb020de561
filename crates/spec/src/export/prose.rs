//! Foreign prose on its way to a model: one line, nothing invisible, bounded.
//!
//! A description is written by a stranger and read by a model. It may say what it likes, but not with characters that
//! nobody sees, and not on a line that looks like one of ours.

use argrail_acli::is_invisible;

/// Returns `text` as one line of at most `most` characters; what is cut ends in `…`.
pub(crate) fn line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            gap = length > 0;
            continue;
        }
        if is_invisible(c) {
            continue;
        }
        let needed = 1 + usize::from(gap);
        if length + needed > most {
            return shorten(out, most);
        }
        if gap {
            out.push(' ');
            gap = false;
        }
        out.push(c);
        length += needed;
    }
    out
}

/// Ends `text`, which has something missing, in `…` within `most` characters.
fn shorten(mut text: String, most: usize) -> String {
    if most == 0 {
        return String::new();
    }
    while text.chars().count() >= most || text.ends_with(' ') {
        text.pop();
    }
    text.push('…');
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn prose_is_one_visible_line() {
        let check = |text: &str, most: usize, want: &str| assert_eq!(line(text, most), want, "{text:?}");
        check("plain", 10, "plain");
        check("  a\n\tb  c ", 10, "a b c");
        check("a\u{202e}b\u{200b}c\u{1b}[31m\u{e0041}", 20, "abc[31m");
        check("0123456789", 10, "0123456789");
        check("0123456789a", 10, "012345678…");
        check("größe größe", 7, "größe…");
        check("abc", 0, "");
        check("abc", 1, "…");
    }

    proptest! {
        #[test]
        fn prose_is_bounded_and_clean(text in any::<String>(), most in 0usize..40) {
            let line = line(&text, most);
            prop_assert!(line.chars().count() <= most);
            prop_assert!(!line.chars().any(is_invisible));
        }
    }
}
