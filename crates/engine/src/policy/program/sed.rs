//! What a sed script does: GNU's commands, read as GNU sed reads them.
//!
//! `w` and `W` write files, `e` and the flag `e` of `s` run commands. A script that is cut off (an `a\` at the end, an
//! `s` without its last sign) may go on in the next `-e` or be read differently elsewhere: it is not judged.

use super::Purity;
use super::cursor::Cursor;

const WRITES: Purity = Purity::Changes("writes a file");
const RUNS: Purity = Purity::Changes("runs a command");

/// Returns what the script does.
pub(super) fn judge(text: &str) -> Purity {
    let mut script = Cursor::new(text);
    loop {
        script.take_while(|c| c.is_ascii_whitespace() || c == ';');
        if script.peek().is_none() {
            return Purity::Pure;
        }
        match command(&mut script) {
            Some(Purity::Pure) => {}
            Some(other) => return other,
            None => return Purity::Unknown,
        }
    }
}

/// Reads one command; nothing if it is none that is known.
fn command(script: &mut Cursor<'_>) -> Option<Purity> {
    addresses(script)?;
    let name = script.take()?;
    match name {
        '#' => {
            script.take_while(|c| c != '\n');
            Some(Purity::Pure)
        }
        '{' => Some(Purity::Pure),
        '}' | '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'F' | 'z' => {
            end(script)
        }
        'a' | 'i' | 'c' => text_argument(script),
        ':' => label(script, 1),
        'b' | 't' | 'T' => label(script, 0),
        'r' | 'R' => file_name(script).map(|_| Purity::Pure),
        'w' | 'W' => file_name(script).map(written),
        'e' => Some(RUNS),
        's' => substitute(script),
        'y' => {
            let delimiter = delimiter(script)?;
            part(script, delimiter)?;
            part(script, delimiter)?;
            end(script)
        }
        'l' | 'L' | 'q' | 'Q' => {
            blanks(script);
            script.take_while(|c| c.is_ascii_digit());
            end(script)
        }
        'v' => {
            blanks(script);
            script.take_while(|c| c.is_ascii_digit() || c == '.');
            end(script)
        }
        _ => None,
    }
}

/// What may stand before a command: no, one or two addresses, and signs that turn them round.
fn addresses(script: &mut Cursor<'_>) -> Option<()> {
    if address(script)? {
        blanks(script);
        if script.eat(',') {
            blanks(script);
            if script.eat('+') || script.eat('~') {
                digits(script)?;
            } else if !address(script)? {
                return None;
            }
        }
        blanks(script);
    }
    while script.eat('!') {
        blanks(script);
    }
    Some(())
}

/// Reads an address; whether there is one.
fn address(script: &mut Cursor<'_>) -> Option<bool> {
    match script.peek() {
        Some('$') => {
            script.take();
        }
        Some(c) if c.is_ascii_digit() => {
            digits(script)?;
            blanks(script);
            if script.eat('~') {
                blanks(script);
                script.take_while(|c| c.is_ascii_digit());
            }
        }
        Some('/') => {
            script.take();
            regex(script, '/')?;
            script.take_while(|c| matches!(c, 'I' | 'M'));
        }
        Some('\\') => {
            script.take();
            let delimiter = delimiter(script)?;
            regex(script, delimiter)?;
            script.take_while(|c| matches!(c, 'I' | 'M'));
        }
        _ => return Some(false),
    }
    Some(true)
}

fn digits(script: &mut Cursor<'_>) -> Option<()> {
    let digits = script.take_while(|c| c.is_ascii_digit());
    (!digits.is_empty()).then_some(())
}

fn blanks(script: &mut Cursor<'_>) {
    script.take_while(|c| matches!(c, ' ' | '\t'));
}

/// What has to follow a command without arguments.
fn end(script: &mut Cursor<'_>) -> Option<Purity> {
    blanks(script);
    matches!(script.peek(), None | Some(';' | '\n' | '}' | '#')).then_some(Purity::Pure)
}

/// The sign around the parts of `s` and `y`. One beyond ASCII may be several bytes to sed.
fn delimiter(script: &mut Cursor<'_>) -> Option<char> {
    script
        .take()
        .filter(|c| c.is_ascii() && !matches!(c, '\n' | '\\'))
}

/// Reads up to the delimiter. A sign after a backslash does not count.
fn part(script: &mut Cursor<'_>, delimiter: char) -> Option<()> {
    loop {
        match script.take()? {
            '\\' => {
                script.take()?;
            }
            '\n' => return None,
            c if c == delimiter => return Some(()),
            _ => {}
        }
    }
}

/// Reads a regular expression up to the delimiter.
///
/// Versions of sed differ about a delimiter inside of `[…]`, so a text that has one is not judged.
fn regex(script: &mut Cursor<'_>, delimiter: char) -> Option<()> {
    loop {
        match script.take()? {
            '\\' => {
                script.take()?;
            }
            '\n' => return None,
            c if c == delimiter => return Some(()),
            '[' => bracket(script, delimiter)?,
            _ => {}
        }
    }
}

fn bracket(script: &mut Cursor<'_>, delimiter: char) -> Option<()> {
    script.eat('^');
    script.eat(']');
    loop {
        match script.take()? {
            ']' => return Some(()),
            '\n' => return None,
            // After a backslash no version takes it for the end.
            '\\' if script.peek() == Some(delimiter) && delimiter != ']' => {
                script.take()?;
            }
            c if c == delimiter => return None,
            // `[.x.]`, `[:name:]`, `[=x=]`: a `]` inside of them ends nothing.
            '[' if matches!(script.peek(), Some('.' | ':' | '=')) => {
                let kind = script.take()?;
                let name = script.take_while(|c| c.is_ascii_alphanumeric() || c == '-');
                let closed = script.eat(kind) && script.eat(']');
                if name.is_empty() || !closed {
                    return None;
                }
            }
            // Some read `\]` as the end and some as a sign that was meant.
            '\\' if matches!(script.peek(), Some(']')) => return None,
            _ => {}
        }
    }
}

/// `s/regex/replacement/flags`.
fn substitute(script: &mut Cursor<'_>) -> Option<Purity> {
    let delimiter = delimiter(script)?;
    regex(script, delimiter)?;
    part(script, delimiter)?;
    loop {
        match script.peek() {
            Some('g' | 'p' | 'i' | 'I' | 'm' | 'M') => {
                script.take();
            }
            Some(c) if c.is_ascii_digit() => {
                script.take();
            }
            Some('e') => return Some(RUNS),
            Some('w') => {
                script.take();
                return file_name(script).map(written);
            }
            _ => return end(script),
        }
    }
}

/// The text of `a`, `i` and `c`: up to the end of a line that no backslash goes on from.
fn text_argument(script: &mut Cursor<'_>) -> Option<Purity> {
    blanks(script);
    if script.eat('\\') {
        blanks(script);
        script.eat('\n');
    }
    // The text is missing: the next part of the script is the text.
    script.peek()?;
    loop {
        match script.take() {
            None | Some('\n') => return Some(Purity::Pure),
            Some('\\') => {
                script.take()?;
            }
            Some(_) => {}
        }
    }
}

fn label(script: &mut Cursor<'_>, at_least: usize) -> Option<Purity> {
    blanks(script);
    let label = script.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if label.len() < at_least {
        return None;
    }
    end(script)
}

/// A file's name goes to the end of the line, whatever it holds.
fn file_name<'t>(script: &mut Cursor<'t>) -> Option<&'t str> {
    blanks(script);
    let name = script.take_while(|c| c != '\n');
    (!name.is_empty()).then_some(name)
}

/// What writing to this file is: GNU's names for the two outputs are no files.
fn written(name: &str) -> Purity {
    match name {
        "/dev/stdout" | "/dev/stderr" => Purity::Pure,
        _ => WRITES,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, want: Purity) {
        assert_eq!(judge(text), want, "{text:?}");
    }

    #[test]
    fn scripts_that_only_print_are_pure() {
        for text in [
            "",
            "p",
            "1,5p",
            "$!d",
            "s/a/b/",
            "s/a/b/g;s/c/d/2p",
            "s|/usr|/opt|",
            "s/w x/e/",
            "/x/,/y/d",
            "/x/I,+3d",
            "0~4d",
            "2,~8p",
            "\\%x%d",
            "1!G;h;$!d",
            ":a;N;$!ba;s/\\n/ /g",
            "/x/{s/a/b/;p}",
            "y/abc/xyz/",
            "1i hello; w out",
            "a\\\nw out\\\ne",
            "$a\\  text",
            "# w out",
            "s/[0-9]\\+/<&>/",
            "s/[^]]*]/x/",
            "s/[[:space:]]*$//",
            "s/[\\/]/x/",
            "r other",
            "s/a/b\\\nc/",
            "q5",
            "l 20",
            "s/a/b/w /dev/stdout",
            "w /dev/stderr",
            "n;d",
            "p # w out",
        ] {
            check(text, Purity::Pure);
        }
    }

    #[test]
    fn writing_and_running_is_seen() {
        for text in [
            "w out",
            "W out",
            "wout",
            "1w out",
            "/x/w out",
            "\\,x,w out",
            "$!{p;w out",
            "s/a/b/w out",
            "s/a/b/gw out",
            "s,a,b,pw out",
            "p\nw out",
            "1i hello\nw out",
            "a\\\ntext\nw out",
            "s/\\//x/w out",
            "y/a/b/;w out",
            "b end;w out",
            "# x\nw out",
            "w /dev/stdout \n",
            "0~2 w out",
            "1,3!w out",
        ] {
            check(text, WRITES);
        }
        for text in [
            "e",
            "e date",
            "1e",
            "s/x/date/e",
            "s/x/date/ge",
            "s/x/y/;s/x/y/2e",
            "$!{e\n}",
            "/[[:alpha:]]/e",
        ] {
            check(text, RUNS);
        }
    }

    #[test]
    fn what_cannot_be_read_is_unknown() {
        for text in [
            "s/a",
            "s/a/b",
            "a\\",
            "a",
            "i\\\n",
            "k",
            "1,p",
            "p p",
            "s/a/b/q",
            "s/[/]/x/",
            "s/[\\]/x/;w out/",
            "s\u{e9}a\u{e9}b\u{e9}w out",
            "s/a\n/b/",
            "s\\a\\b\\",
            "w",
            "r",
            ":",
            "a text\\",
            "1~",
            "/x",
            "s/[[.].]/w x/",
        ] {
            let judged = judge(text);
            assert_ne!(judged, Purity::Pure, "{text:?}");
        }
        check("s/a", Purity::Unknown);
        check("s/[/]/x/", Purity::Unknown);
        check("a\\", Purity::Unknown);
    }

    proptest! {
        #[test]
        fn a_command_that_writes_or_runs_is_never_missed(
            before in prop::collection::vec(prop::sample::select(vec![
                "p", "1,3d", "s/a/b/g", "s|[^|]|x|", "/x/I!d", "y/ab/cd/", "n;n", "# note\n", "a text\n", "a\\\ntext\n",
                ":a", "ba", "{p}", "s/\\[/]/", "\\xaxp", "r f\n", "=",
            ]), 0..6),
            bad in prop::sample::select(vec!["w out", "W out", "e", "e id", "s/x/y/e", "s/x/y/gw out", "1w out", "/x/e"]),
        ) {
            let mut text = String::new();
            for part in &before {
                text.push_str(part);
                text.push_str(if part.ends_with('\n') { "" } else { ";" });
            }
            text.push_str(bad);
            prop_assert_ne!(judge(&text), Purity::Pure, "{:?}", text);
        }
    }
}
