//! A place in a text, character by character.

/// Reads a text from the beginning to the end and never back.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'t> {
    rest: std::str::Chars<'t>,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text.chars() }
    }

    /// Returns the next character without taking it.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// Whether what is left starts so.
    pub(super) fn at(&self, text: &str) -> bool {
        self.rest.as_str().starts_with(text)
    }

    /// Returns what is left.
    pub(super) fn rest(&self) -> &'t str {
        self.rest.as_str()
    }

    /// Takes the next character.
    pub(super) fn take(&mut self) -> Option<char> {
        self.rest.next()
    }

    /// Takes the next character if it is this one.
    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.take();
        }
        found
    }

    /// Takes this text if it is what follows.
    pub(super) fn eat_text(&mut self, wanted: &str) -> bool {
        let found = self.at(wanted);
        if found {
            for _ in wanted.chars() {
                self.take();
            }
        }
        found
    }

    /// Takes characters as long as they are of this kind, and returns them.
    pub(super) fn take_while(&mut self, is_wanted: impl Fn(char) -> bool) -> &'t str {
        let all = self.rest.as_str();
        while self.peek().is_some_and(&is_wanted) {
            self.take();
        }
        let taken = all.len() - self.rest.as_str().len();
        all.get(..taken).unwrap_or_default()
    }
}
