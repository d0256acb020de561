//! Lines and columns, as an editor counts them.

use super::node::Span;

/// A position that a person can go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Returns the place of a byte in a text that need not be UTF-8; an offset beyond the end is the end.
pub fn place(text: &[u8], offset: usize) -> Place {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    Place {
        line: 1 + before.iter().filter(|byte| **byte == b'\n').count(),
        column: 1 + characters(before.get(line_start..).unwrap_or_default()),
    }
}

/// The beginnings of the lines, so that many places of one long text are found quickly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// Finds the lines of a text.
    pub fn of(text: &[u8]) -> Self {
        let after = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        Self {
            starts: std::iter::once(0).chain(after.map(|(at, _)| at + 1)).collect(),
        }
    }

    /// Returns the place of a byte of the same text.
    pub fn place(&self, text: &[u8], offset: usize) -> Place {
        let offset = offset.min(text.len());
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        Place {
            line,
            column: 1 + characters(text.get(start..offset).unwrap_or_default()),
        }
    }

    /// Returns where a line, counted from 1, stands; its line break is left out.
    pub fn span(&self, text: &[u8], line: usize) -> Option<Span> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let end = self.starts.get(line).map_or(text.len(), |next| next - 1);
        Some(Span { start, end })
    }
}

/// Counts characters without asking for valid UTF-8: every byte that does not continue one begins one.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0xc0) != 0x80).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let check = |text: &str, offset: usize, want: &str| {
            assert_eq!(
                place(text.as_bytes(), offset).to_string(),
                want,
                "{text:?} {offset}"
            );
        };
        check("", 0, "1:1");
        check("ab", 1, "1:2");
        check("a\nb", 1, "1:2");
        check("a\nb", 2, "2:1");
        check("a\r\nb", 3, "2:1");
        check("größe x", 7, "1:6");
        check("a\n", 99, "2:1");
    }

    #[test]
    fn a_line_is_found_without_its_break() {
        let text = b"ab\ncd\n";
        let lines = Lines::of(text);
        assert_eq!(lines.span(text, 1), Some(Span { start: 0, end: 2 }));
        assert_eq!(lines.span(text, 2), Some(Span { start: 3, end: 5 }));
        assert_eq!(lines.span(text, 3), Some(Span { start: 6, end: 6 }));
        assert_eq!(lines.span(text, 4), None);
        assert_eq!(lines.span(text, 0), None);
    }

    proptest! {
        #[test]
        fn both_ways_to_a_place_agree(text in "[a\nö\r]{0,30}", offset in 0usize..40) {
            let bytes = text.as_bytes();
            prop_assert_eq!(Lines::of(bytes).place(bytes, offset), place(bytes, offset));
        }
    }
}
