//! Rust source taken apart: what is code and what is comment, so that rules meet neither in the other.
//!
//! All views keep the lines of the file: what belongs to the other view, and the inside of literals,
//! is blank. This is a lexer for our own well-formed code, not for anybody's.

/// The three views of one file.
pub(crate) struct Source {
    /// Code with comments and the inside of literals blanked; quotes stay.
    pub(crate) code: String,
    /// Comments, doc comments among them, with everything else blanked.
    pub(crate) comments: String,
    /// Literals with their quotes and everything else blanked.
    pub(crate) literals: String,
}

/// One attribute, `#[…]` or `#![…]`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Attribute<'a> {
    /// The line on which it starts, from 1.
    pub(crate) line: usize,
    /// What stands between the brackets.
    pub(crate) text: &'a str,
    /// Where the code after it starts, in bytes.
    pub(crate) end: usize,
}

impl Source {
    /// Takes `text` apart.
    pub(crate) fn of(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let mut source = Self {
            code: String::new(),
            comments: String::new(),
            literals: String::new(),
        };
        let mut at = 0;
        while let Some(rest) = chars.get(at..).filter(|rest| !rest.is_empty()) {
            let before = at.checked_sub(1).and_then(|index| chars.get(index));
            at += match rest {
                ['/', '/', ..] => source.take(rest, line_comment(rest), Kind::Comment),
                ['/', '*', ..] => source.take(rest, block_comment(rest), Kind::Comment),
                ['"', ..] => source.take(rest, string(rest), Kind::Literal),
                ['r', ..] if !before.is_some_and(|c| is_word(*c) && !matches!(c, 'b' | 'c')) => {
                    source.take_raw_string(rest)
                }
                ['\'', '\\', _, ..] | ['\'', _, '\'', ..] => {
                    source.take(rest, character(rest), Kind::Literal)
                }
                _ => source.take(rest, 1, Kind::Code),
            };
        }
        source
    }

    fn take_raw_string(&mut self, rest: &[char]) -> usize {
        let hashes = rest.iter().skip(1).take_while(|c| **c == '#').count();
        if rest.get(1 + hashes) != Some(&'"') {
            return self.take(rest, 1, Kind::Code);
        }
        let closing: Vec<char> = std::iter::once('"')
            .chain(std::iter::repeat_n('#', hashes))
            .collect();
        let opening = hashes + 2;
        let inside = rest.get(opening..).unwrap_or_default();
        let length = inside
            .windows(closing.len())
            .position(|window| window == closing)
            .unwrap_or(inside.len());
        self.take(rest, opening + length + closing.len(), Kind::Literal)
    }

    /// Copies `length` characters into the view they belong to, and returns `length`.
    fn take(&mut self, rest: &[char], length: usize, kind: Kind) -> usize {
        for (index, c) in rest.iter().take(length).enumerate() {
            let blank = if *c == '\n' { '\n' } else { ' ' };
            let edge = index == 0 || index + 1 == length;
            self.code.push(match kind {
                Kind::Code => *c,
                Kind::Literal if edge && matches!(c, '"' | '\'') => *c,
                Kind::Literal | Kind::Comment => blank,
            });
            self.comments.push(if kind == Kind::Comment { *c } else { blank });
            self.literals.push(if kind == Kind::Literal { *c } else { blank });
        }
        length
    }

    /// Returns the attributes in the code.
    pub(crate) fn attributes(&self) -> Vec<Attribute<'_>> {
        let mut found = Vec::new();
        for (at, _) in self.code.match_indices('#') {
            let after = self.code.get(at + 1..).unwrap_or_default();
            let bang = usize::from(after.starts_with('!'));
            let start = at + 1 + bang;
            if let Some(end) = matching(&self.code, start, '[', ']') {
                let text = self.code.get(start + 1..end).unwrap_or_default();
                found.push(Attribute {
                    line: line_of(&self.code, at),
                    text,
                    end: end + 1,
                });
            }
        }
        found
    }

    /// Returns the lines on which `path` stands in the code as whole words, such as `thread::sleep`.
    pub(crate) fn lines_with(&self, path: &str) -> Vec<usize> {
        words(&self.code, path)
            .map(|at| line_of(&self.code, at))
            .collect()
    }

    /// Returns the line of the first inline test module, or `None`.
    pub(crate) fn test_module(&self) -> Option<usize> {
        self.attributes()
            .iter()
            .find(|attribute| is_test_cfg(attribute.text) && self.opens_module(attribute.end))
            .map(|a| a.line)
    }

    /// Returns whether the item after byte `at` is a module with a body.
    fn opens_module(&self, at: usize) -> bool {
        let mut rest = self.code.get(at..).unwrap_or_default().trim_start();
        while rest.starts_with("#[") {
            let Some(end) = matching(rest, 1, '[', ']') else {
                return false;
            };
            rest = rest.get(end + 1..).unwrap_or_default().trim_start();
        }
        let head = rest.split(['{', ';']).next().unwrap_or_default();
        head.split_whitespace().any(|word| word == "mod")
            && rest.get(head.len()..).is_some_and(|tail| tail.starts_with('{'))
    }

    /// Returns whether the file has a test function of this name.
    pub(crate) fn has_test(&self, name: &str) -> bool {
        words(&self.code, name).any(|at| {
            let before = self.code.get(..at).unwrap_or_default();
            let Some(before) = before.trim_end().strip_suffix("fn") else {
                return false;
            };
            let item = before.rsplit(['{', '}', ';']).next().unwrap_or_default();
            item.split("#[").skip(1).any(|attribute| {
                let path = attribute.split([']', '(']).next().unwrap_or_default();
                path.trim() == "test" || path.trim().ends_with("::test")
            })
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Code,
    Comment,
    Literal,
}

/// Returns the line, from 1, on which byte `at` of `text` stands.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    1 + text.get(..at).unwrap_or_default().matches('\n').count()
}

/// Returns where `needle` stands in `text` with no word character at either end.
pub(crate) fn words<'a>(text: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(needle).map(|(at, _)| at).filter(move |at| {
        let before = text.get(..*at).unwrap_or_default();
        let after = text.get(at + needle.len()..).unwrap_or_default();
        !before.ends_with(is_word) && !after.starts_with(is_word)
    })
}

/// Returns the byte of the bracket that closes the one at byte `start`.
pub(crate) fn matching(text: &str, start: usize, open: char, close: char) -> Option<usize> {
    let rest = text.get(start..).filter(|rest| rest.starts_with(open))?;
    let mut depth = 0usize;
    for (at, c) in rest.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(start + at);
            }
        }
    }
    None
}

fn is_test_cfg(attribute: &str) -> bool {
    attribute.starts_with("cfg(") && words(attribute, "test").next().is_some() && !attribute.contains("not(")
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn line_comment(rest: &[char]) -> usize {
    rest.iter().take_while(|c| **c != '\n').count()
}

fn block_comment(rest: &[char]) -> usize {
    let (mut at, mut depth) = (0, 0usize);
    loop {
        match rest.get(at..) {
            Some(['/', '*', ..]) => (at, depth) = (at + 2, depth + 1),
            Some(['*', '/', ..]) => (at, depth) = (at + 2, depth.saturating_sub(1)),
            Some([_, ..]) => at += 1,
            Some([]) | None => return at,
        }
        if depth == 0 {
            return at;
        }
    }
}

fn string(rest: &[char]) -> usize {
    quoted(rest, '"')
}

fn character(rest: &[char]) -> usize {
    quoted(rest, '\'')
}

fn quoted(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while let Some(c) = rest.get(at) {
        match *c {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, code: &str, comments: &str) {
        let source = Source::of(text);
        assert_eq!(source.code.trim_end(), code, "code of {text:?}");
        assert_eq!(source.comments.trim(), comments, "comments of {text:?}");
        assert_eq!(
            source.code.lines().count(),
            text.lines().count(),
            "lines of {text:?}"
        );
    }

    #[test]
    fn code_and_comments_are_told_apart() {
        check("a(); // b", "a();", "// b");
        check(
            "a /* b /* c */ d */ e",
            "a                   e",
            "/* b /* c */ d */",
        );
        check(r#"f("a // b", 1)"#, r#"f("      ", 1)"#, "");
        check(r#"f("\"", x)"#, r#"f("  ", x)"#, "");
        check("f(r#\"a\"b\"#, x)", "f(        , x)", "");
        check("let r#fn = bar;", "let r#fn = bar;", "");
        check("f(br\"\\\", x)", "f(b   \", x)", "");
        check("'\"' 'a' '\\'' &'a str", "' ' ' ' '  ' &'a str", "");
        check("/// doc\nfn a() {}", "       \nfn a() {}", "/// doc");
    }

    #[test]
    fn attributes_are_found_with_their_line() {
        let source = Source::of("#![a]\n#[b(c[1], \"]\")]\nlet x = y#;\n// #[d]");
        let found: Vec<_> = source
            .attributes()
            .iter()
            .map(|attribute| (attribute.line, attribute.text.to_owned()))
            .collect();
        assert_eq!(found, [(1, "a".to_owned()), (2, "b(c[1], \" \")".to_owned())]);
    }

    #[test]
    fn a_test_module_has_a_body() {
        fn check(text: &str, line: Option<usize>) {
            assert_eq!(Source::of(text).test_module(), line, "of {text:?}");
        }
        check("fn a() {}\n#[cfg(test)]\nmod tests {\n}", Some(2));
        check("#[cfg(test)]\nmod tests;\n", None);
        check("#[cfg(test)]\nfn only() { mod x {} }\n", None);
        check("#[cfg(not(test))]\nmod a {}\n", None);
        check(
            "#[cfg(all(test, unix))]\n#[expect(x, reason = \"{\")]\npub(crate) mod a {}\n",
            Some(1),
        );
    }

    #[test]
    fn a_test_is_a_function_with_the_attribute() {
        let source = Source::of(
            r#"
#[test]
#[should_panic(expected = "fn x")]
fn a() {}
#[tokio::test(flavor = "x")]
async fn b() {}
fn c() { d() }
// #[test] fn e
"#,
        );
        let found: Vec<_> = ["a", "b", "c", "d", "e", "x"]
            .into_iter()
            .filter(|name| source.has_test(name))
            .collect();
        assert_eq!(found, ["a", "b"]);
    }

    #[test]
    fn words_are_whole() {
        let source =
            Source::of("thread::sleep(x);\nmy_thread::sleep();\nthread::sleepy();\n\"thread::sleep\"\n");
        assert_eq!(source.lines_with("thread::sleep"), [1]);
    }
}
