//! Somebody else's text on a screen, exactly: what is shown is harmless, one line, and can be read back without doubt.
//!
//! A character stands for itself only if it is one visible character on every terminal and looks like no other. The
//! rest is written out: `\n`, `\u{202e}`, `\\` for a backslash, `␠{300}` for spaces that could be overlooked, `∅` for
//! nothing at all. The signs that we use ourselves are written out, too, so nobody can write them for us.
//!
//! Never shortens.

use unicode_width::UnicodeWidthChar;

use super::look_alike;

/// What a word without any character is shown as.
const NOTHING: &str = "∅";
/// What stands for spaces, followed by their number in braces.
const SPACE: char = '␠';

/// Returns the whole text as it may be shown.
pub(crate) fn exact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    each(text, None, |piece, _| out.push_str(piece));
    out
}

/// Returns the text as it may be shown among words of ours that say what it is; nothing for nothing.
pub(crate) fn one_line(text: &str) -> String {
    match text.is_empty() {
        true => String::new(),
        false => exact(text),
    }
}

/// Hands on the pieces of a text that stands between quotes, each with the columns it takes.
pub(crate) fn pieces(text: &str, hand_on: impl FnMut(&str, usize)) {
    each(text, Some('\''), hand_on);
}

/// Hands on the pieces of a text that may be shown, each with the columns it takes; no piece may be divided. A `quote`
/// is written out, for a text that stands between two of them.
pub(super) fn each(text: &str, quote: Option<char>, mut hand_on: impl FnMut(&str, usize)) {
    if text.is_empty() && quote.is_none() {
        hand_on(NOTHING, 1);
    }
    let strange = look_alike::strange(text);
    let mut strange = strange.iter().peekable();
    let mut buffer = [0; 4];
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if c == ' ' {
            let mut count = 1_usize;
            while characters.next_if(|(_, next)| *next == ' ').is_some() {
                count += 1;
            }
            let inside = at > 0 && characters.peek().is_some();
            if count == 1 && inside {
                hand_on(" ", 1);
            } else {
                let spaces = format!("{SPACE}{{{count}}}");
                hand_on(&spaces, spaces.chars().count());
            }
            continue;
        }
        let looks_like_another = strange.next_if(|place| **place == at).is_some();
        match c.width() {
            Some(columns @ (1 | 2)) if stands_for_itself(c) && !looks_like_another && Some(c) != quote => {
                hand_on(c.encode_utf8(&mut buffer), columns);
            }
            _ => {
                let written = written_out(c);
                hand_on(&written, written.len());
            }
        }
    }
}

/// Whether a character is one visible sign wherever it is shown, and none of ours.
fn stands_for_itself(c: char) -> bool {
    let printable = matches!(c, '\'' | '"') || c.escape_debug().len() == 1;
    printable && !argrail_acli::is_invisible(c) && !look_alike::is_ambiguous(c)
}

fn written_out(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        '\\' | '\'' => format!("\\{c}"),
        c => c.escape_unicode().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn foreign_text_is_shown_harmless_and_whole() {
        let check = |given: &str, want: &str| assert_eq!(exact(given), want, "{given:?}");
        check("", "∅");
        check("∅", "\\u{2205}");
        check("fix: it's \"done\"", "fix: it's \"done\"");
        check("C:\\new", "C:\\\\new");
        check("a\nb\rc\td", "a\\nb\\rc\\td");
        check("\u{1b}[2J\u{9b}31m\u{7}", "\\u{1b}[2J\\u{9b}31m\\u{7}");
        check("invoice\u{202e}fdp.exe", "invoice\\u{202e}fdp.exe");
        check("ze\u{200b}ro\u{feff}", "ze\\u{200b}ro\\u{feff}");
        check("no\u{a0}break\u{3000}", "no\\u{a0}break\\u{3000}");
        check(&format!("rm{}-rf", " ".repeat(300)), "rm␠{300}-rf");
        check(" a b ", "␠{1}a b␠{1}");
        check("   ", "␠{3}");
        check("␠{3}", "\\u{2420}{3}");
        check("e\u{301}", "e\\u{301}");
        check("größe 日本語 привет", "größe 日本語 привет");
        check("शब्द", "शब\\u{94d}द");
        check("א/etc", "\\u{5d0}/etc");
        check("\u{1f1e9}\u{1f1ea} 🎉", "\\u{1f1e9}\\u{1f1ea} 🎉");
        check("│ ↩ ▸", "\\u{2502} \\u{21a9} \\u{25b8}");
        check("\u{e000}\u{378}\u{10ffff}", "\\u{e000}\\u{378}\\u{10ffff}");
    }

    #[test]
    fn a_quote_is_written_out_between_quotes_only() {
        let quoted = |text: &str| {
            let mut out = String::new();
            each(text, Some('\''), |piece, _| out.push_str(piece));
            out
        };
        assert_eq!(quoted("it's"), "it\\'s");
        assert_eq!(quoted(""), "");
    }

    /// Reads back what [`exact`] wrote.
    fn read_back(shown: &str) -> Option<String> {
        if shown == NOTHING {
            return Some(String::new());
        }
        let braced = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>| {
            (rest.next() == Some('{')).then_some(())?;
            Some(rest.take_while(|c| *c != '}').collect::<String>())
        };
        let mut text = String::new();
        let mut rest = shown.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                SPACE => text.push_str(&" ".repeat(braced(&mut rest)?.parse().ok()?)),
                '\\' => match rest.next()? {
                    'n' => text.push('\n'),
                    'r' => text.push('\r'),
                    't' => text.push('\t'),
                    'u' => text.push(char::from_u32(
                        u32::from_str_radix(&braced(&mut rest)?, 16).ok()?,
                    )?),
                    c => text.push(c),
                },
                c => text.push(c),
            }
        }
        Some(text)
    }

    proptest! {
        #[test]
        fn what_is_shown_can_be_read_back(text in any::<String>()) {
            prop_assert_eq!(read_back(&exact(&text)), Some(text));
        }

        #[test]
        fn what_is_nearly_ours_can_be_read_back(text in "[ a\\\\{}u3␠∅'\u{430}\n]{0,12}") {
            prop_assert_eq!(read_back(&exact(&text)), Some(text));
        }

        #[test]
        fn what_is_shown_is_plain(text in any::<String>()) {
            for c in exact(&text).chars() {
                prop_assert!(!c.is_control() && !argrail_acli::is_invisible(c), "{c:?}");
                prop_assert!(matches!(c.width(), Some(1 | 2)), "{c:?}");
            }
        }

        #[test]
        fn columns_are_those_of_the_characters(text in any::<String>()) {
            each(&text, None, |piece, columns| {
                assert_eq!(columns, piece.chars().filter_map(UnicodeWidthChar::width).sum::<usize>());
            });
        }
    }
}
