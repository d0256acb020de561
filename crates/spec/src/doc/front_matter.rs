//! A Markdown file that begins with YAML between two `---` lines.
//!
//! A byte order mark before it, CRLF and blanks after the dashes are accepted; text before the first line is not.
//! Spans are those of the whole file. The body is kept as it is and means nothing here.

use argrail_acli::Text;

use super::diagnostic::Diagnostic;
use super::limits::Limits;
use super::node::{Node, Span};
use super::read::{BOM, Document, check_size, error, utf8};
use super::yaml;

/// The line before and after the front matter.
const FENCE: &str = "---";

/// A file with front matter.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontMatter {
    /// The front matter, whose text is the whole file's.
    pub document: Document,
    body: Span,
}

impl FrontMatter {
    /// Reads a file.
    ///
    /// # Errors
    /// Those of [`Document::yaml`], and `doc/front-matter` when one of the two lines is not there.
    pub fn read(text: &[u8], limits: &Limits) -> Result<Self, Diagnostic> {
        check_size(text, limits)?;
        let text = utf8(text)?;
        let (yaml, body) = parts(text)?;
        let root = yaml::read(text, yaml, limits)?;
        Ok(Self {
            document: Document::of(root, text),
            body,
        })
    }

    /// Returns the outermost value of the front matter.
    pub fn root(&self) -> &Node {
        &self.document.root
    }

    /// Returns what follows the front matter.
    pub fn body(&self) -> &str {
        let text = self.document.text();
        text.get(self.body.start..self.body.end).unwrap_or_default()
    }

    /// Returns where the body stands.
    pub fn body_span(&self) -> Span {
        self.body
    }
}

/// Finds the YAML and what follows it.
fn parts(text: &str) -> Result<(Span, Span), Diagnostic> {
    let mut at = if text.as_bytes().starts_with(BOM) {
        BOM.len()
    } else {
        0
    };
    let mut start = None;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let line = rest.split_inclusive('\n').next().unwrap_or(rest);
        let next = at + line.len();
        let is_fence = line.trim_end_matches([' ', '\t', '\r', '\n']) == FENCE;
        match start {
            None if is_fence => start = Some(next),
            None => break,
            Some(start) if is_fence => {
                let end = text.len();
                return Ok((Span { start, end: at }, Span { start: next, end }));
            }
            Some(_) => {}
        }
        at = next;
    }
    Err(match start {
        None => {
            let length = text
                .get(at..)
                .and_then(|rest| rest.chars().next())
                .map_or(0, char::len_utf8);
            let here = Span {
                start: at,
                end: at + length,
            };
            let message = Text::new("expected a line '---' and front matter after it");
            error("doc/front-matter", here, message)
                .hint("begin the file with '---', the fields, and another '---'")
        }
        Some(start) => {
            let first = Span {
                start: start.saturating_sub(1),
                end: start,
            };
            let message = Text::new("the front matter has no end");
            error("doc/front-matter", first, message).hint("add a line '---' after the fields")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: Result<(serde_json::Value, &str), &str>) {
        let came = FrontMatter::read(text.as_bytes(), &Limits::manifest());
        match (came, want) {
            (Ok(came), Ok((root, body))) => {
                assert_eq!((came.root().to_json(), came.body()), (root, body), "{text:?}");
            }
            (Err(problem), Err(code)) => assert_eq!(problem.code, code, "{text:?} {problem:?}"),
            (came, want) => panic!("{text:?}: {came:?} instead of {want:?}"),
        }
    }

    #[test]
    fn fences_are_lines_of_their_own() {
        use serde_json::json;
        check("---\na: 1\n---\nbody", Ok((json!({"a": 1}), "body")));
        check("---\na: 1\n---", Ok((json!({"a": 1}), "")));
        check(
            "\u{feff}--- \r\na: x\r\n---\t\r\nb\r\n",
            Ok((json!({"a": "x"}), "b\r\n")),
        );
        check("---\na: |\n  ---\n---\nb", Ok((json!({"a": "---\n"}), "b")));
        check("---\na: 1\n---\n---\n", Ok((json!({"a": 1}), "---\n")));
        check("\n---\na: 1\n---\n", Err("doc/front-matter"));
        check("# Title\n", Err("doc/front-matter"));
        check("", Err("doc/front-matter"));
        check("---\na: 1\n", Err("doc/front-matter"));
        check("----\na: 1\n----\n", Err("doc/front-matter"));
        check("---\n---\n", Err("doc/empty"));
        check("---\na: 1\n... \nb: 1\n---\n", Err("doc/syntax"));
    }

    #[test]
    fn places_are_those_of_the_file() {
        let text = "\u{feff}---\n# ö\na: ü\nlist:\n  - one\n---\n";
        let read = FrontMatter::read(text.as_bytes(), &Limits::manifest()).unwrap();
        let item = read.root().pointer("/list/0").unwrap();
        assert_eq!(text.get(item.span.start..item.span.end), Some("one"));
        let place = read.document.place(item.span.start);
        assert_eq!((place.line, place.column), (5, 5));
    }
}
