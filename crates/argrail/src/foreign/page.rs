//! Text for a person, often one who is about to decide: in sections, one thing a line, laid out like a question. Nothing of
//! it is cut.

use super::line::{Line, Part, Row, lay_out};

/// Rows in sections.
#[derive(Debug, Clone, Default)]
pub(crate) struct Page(Vec<Row>);

impl Page {
    /// Adds somebody else's text behind a mark.
    pub(crate) fn line(&mut self, mark: &str, value: &str) {
        self.parts(mark, vec![Part::Foreign(value.to_owned())]);
    }

    /// Adds words of ours and of others behind a mark.
    pub(crate) fn parts(&mut self, mark: &str, parts: Vec<Part>) {
        let mark = mark.to_owned();
        self.0.push(Row::Item { mark, parts });
    }

    /// Adds the title of a section, apart from what stands above it.
    pub(crate) fn title(&mut self, title: &str) {
        if !self.0.is_empty() {
            self.0.push(Row::Blank);
        }
        self.0.push(Row::Heading(title.to_owned()));
    }

    /// Adds a section of other people's texts, if there is anything in it.
    pub(crate) fn list(&mut self, title: &str, values: impl IntoIterator<Item = impl AsRef<str>>) {
        let parts = |value: &str| vec![Part::Foreign(value.to_owned())];
        self.items(title, values.into_iter().map(|value| parts(value.as_ref())));
    }

    /// Adds a section of words of ours and of others, if there is anything in it.
    pub(crate) fn items(&mut self, title: &str, items: impl IntoIterator<Item = Vec<Part>>) {
        let mut items = items.into_iter().peekable();
        if items.peek().is_some() {
            self.title(title);
        }
        items.for_each(|parts| self.parts("-", parts));
    }

    /// Returns all of it, for a screen of this many columns; without any, nothing is broken.
    pub(crate) fn text(&self, width: Option<usize>) -> String {
        let lines = lay_out(&self.0, width.unwrap_or(usize::MAX));
        lines.iter().map(|line: &Line| format!("{line}\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page(value: &str) -> Page {
        let mut page = Page::default();
        page.line("project", value);
        page.list("programs", [value, "x"]);
        page.list("hosts", [""; 0]);
        page
    }

    #[test]
    fn sections_are_told_apart_and_nothing_is_cut() {
        assert_eq!(
            page("/srv/desk").text(Some(80)),
            "  project /srv/desk\n\nprograms\n  - /srv/desk\n  - x\n"
        );
    }

    #[test]
    fn no_value_can_write_a_line_of_ours() {
        let evil = format!("a{}hosts{}  - nothing\nprograms", " ".repeat(70), " ".repeat(75));
        let text = page(&evil).text(Some(80));
        let ours = |wanted: &str| text.lines().filter(|line| *line == wanted).count();
        assert_eq!(
            (ours("hosts"), ours("programs"), ours("  - nothing")),
            (0, 1, 0),
            "{text}"
        );
        assert!(text.contains("␠{70}hosts␠{77}- nothing\\nprograms"), "{text}");
    }

    proptest! {
        #[test]
        fn foreign_text_never_reaches_the_left_edge(value in any::<String>(), width in 20_usize..100) {
            let text = page(&value).text(Some(width));
            let at_edge: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with("  ")).collect();
            prop_assert_eq!(at_edge, ["programs"]);
        }
    }
}
