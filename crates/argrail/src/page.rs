//! Text for a person who is about to decide: in sections, one thing a line, everything foreign escaped, nothing cut.

use crate::neutral::one_line;

/// Text in sections, everything foreign escaped.
#[derive(Default)]
pub(crate) struct Page(String);

impl Page {
    /// Adds a line of its own.
    pub(crate) fn line(&mut self, head: &str, value: &str) {
        self.0.push_str(&format!("{head}: {}\n", one_line(value)));
    }

    /// Adds a section, if there is anything in it.
    pub(crate) fn list(&mut self, head: &str, values: impl IntoIterator<Item = impl AsRef<str>>) {
        let mut values = values.into_iter().peekable();
        if values.peek().is_some() {
            self.0.push_str(&format!("{head}:\n"));
        }
        for value in values {
            self.0.push_str(&format!("  {}\n", one_line(value.as_ref())));
        }
    }

    /// Returns all of it.
    pub(crate) fn text(self) -> String {
        self.0
    }
}
