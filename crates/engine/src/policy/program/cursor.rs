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

    /// Takes a number: `12`, `1.5`, `.5`, `2.`, `1e-3`, `0x1f`. Nothing where a word, a name or another number begins right
    /// behind it: `1into t` is `1 into t` to some and one name to others.
    pub(super) fn take_number(&mut self) -> Option<()> {
        if self.at("0x") || self.at("0X") {
            self.take();
            self.take();
            let digits = self.take_while(|c| c.is_ascii_hexdigit());
            return (!digits.is_empty() && self.ends_number()).then_some(());
        }
        let whole = self.take_while(|c| c.is_ascii_digit());
        let fraction = match self.eat('.') {
            true => self.take_while(|c| c.is_ascii_digit()),
            false => "",
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        if self.eat('e') || self.eat('E') {
            let _sign = self.eat('+') || self.eat('-');
            if self.take_while(|c| c.is_ascii_digit()).is_empty() {
                return None;
            }
        }
        self.ends_number().then_some(())
    }

    /// Whether what follows cannot be taken for a part of the number before it.
    fn ends_number(&self) -> bool {
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        !self.peek().is_some_and(goes_on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_where_nothing_can_be_taken_for_more_of_it() {
        let check = |text: &str, want: Option<&str>| {
            let mut cursor = Cursor::new(text);
            let found = cursor.take_number().map(|()| cursor.rest());
            assert_eq!(found, want, "{text}");
        };
        for text in [
            "1", "12", "1.5", ".5", "2.", "1e5", "1.5E-3", "1e+7", "0x1f", "0XAF", "007",
        ] {
            check(text, Some(""));
            check(&format!("{text} into"), Some(" into"));
            check(&format!("{text})"), Some(")"));
            check(&format!("{text}into"), None);
            check(&format!("{text}_x"), None);
            check(&format!("{text}\u{e9}"), None);
            check(&format!("{text}\"a\""), Some("\"a\""));
        }
        for text in [".", "1e", "1e+", "1.2.3", "0x", "0b1", "1_000", "1.into"] {
            check(text, None);
        }
    }
}
