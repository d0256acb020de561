//! Words as help texts write them: gaps between columns, placeholders in capitals.

/// Returns where the first gap of two or more spaces begins and where it ends, from `from` on.
pub(crate) fn find_gap(text: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_space = |at: usize| bytes.get(at) == Some(&b' ');
    // One of two spaces stands at every second byte.
    let mut at = from + 1;
    while let Some(byte) = bytes.get(at) {
        if *byte == b' ' && (is_space(at - 1) || is_space(at + 1)) {
            let start = if is_space(at - 1) { at - 1 } else { at };
            let behind = bytes.get(start..)?;
            let spaces = behind.iter().take_while(|byte| **byte == b' ').count();
            return Some((start, start + spaces));
        }
        at += 2;
    }
    None
}

/// Whether a word is written in capitals, as placeholders are: `FILE`, `N`, `KEY=VALUE`.
pub(crate) fn is_upper_word(word: &str) -> bool {
    let mut letters = word.chars().filter(|c| c.is_alphabetic()).peekable();
    letters.peek().is_some() && letters.all(char::is_uppercase)
}

/// Words that stand for a value wherever they are written in capitals or as a type.
const PLACEHOLDERS: [&str; 62] = [
    "arg",
    "args",
    "argument",
    "bool",
    "boolean",
    "bytes",
    "char",
    "chars",
    "class",
    "cmd",
    "cols",
    "column",
    "command",
    "count",
    "date",
    "dir",
    "directory",
    "dirname",
    "duration",
    "expr",
    "ext",
    "field",
    "file",
    "filename",
    "float",
    "format",
    "glob",
    "host",
    "id",
    "index",
    "int",
    "integer",
    "key",
    "key=value",
    "level",
    "lines",
    "list",
    "mode",
    "n",
    "name",
    "num",
    "number",
    "path",
    "pattern",
    "pid",
    "port",
    "program",
    "range",
    "regex",
    "regexp",
    "seconds",
    "size",
    "str",
    "string",
    "style",
    "text",
    "time",
    "type",
    "uri",
    "url",
    "user",
    "value",
];

/// Whether a word stands for any value: `FILE`, `int`.
pub(crate) fn is_placeholder(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    PLACEHOLDERS.binary_search(&lower.as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_two_spaces_wherever_they_stand() {
        let check = |text: &str, from: usize, want: Option<(usize, usize)>| {
            assert_eq!(find_gap(text, from), want, "{text:?}")
        };
        check("", 0, None);
        check(" ", 0, None);
        check("  ", 0, Some((0, 2)));
        check("a b c", 0, None);
        check("a  b", 0, Some((1, 3)));
        check("ab   c", 0, Some((2, 5)));
        check("a  b  c", 3, Some((4, 6)));
        check("a  b", 2, None);
        check("a b  ", 0, Some((3, 5)));
        check("a  b", 9, None);
    }

    #[test]
    fn lists_that_are_searched_are_sorted() {
        assert!(PLACEHOLDERS.is_sorted());
    }
}
