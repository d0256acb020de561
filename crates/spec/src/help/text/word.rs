//! Words as help texts write them: gaps between columns, placeholders in capitals.

/// Returns where the first gap of two or more spaces begins and where it ends, from `from` on.
pub(crate) fn find_gap(text: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes().get(from..)?;
    let mut before = 0_u8;
    let second = bytes
        .iter()
        .position(|byte| std::mem::replace(&mut before, *byte) == b' ' && *byte == b' ')?;
    let start = from + second - 1;
    let spaces = text
        .as_bytes()
        .get(start..)?
        .iter()
        .take_while(|byte| **byte == b' ')
        .count();
    Some((start, start + spaces))
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
    fn lists_that_are_searched_are_sorted() {
        assert!(PLACEHOLDERS.is_sorted());
    }
}
