//! Running text that is being put together, and the fonts in it.
//!
//! Fonts are dropped, but for one thing that paper shows and plain text does not: in **-o***file* the font alone says
//! where the option ends. Such a value is put between angle brackets, as other pages write it: `-o<file>`.

/// A font, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Font {
    /// The text around.
    #[default]
    Roman,
    /// What is typed as it stands.
    Bold,
    /// What is replaced.
    Italic,
}

/// Whether a value between brackets is open, and in which font.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Value {
    #[default]
    Closed,
    Open(Font),
}

/// Text under construction.
#[derive(Debug, Default)]
pub(super) struct Inline {
    text: String,
    font: Font,
    before: Font,
    last: Font,
    word: usize,
    value: Value,
}

impl Inline {
    /// Changes the font from here on.
    pub(super) fn font(&mut self, font: Font) {
        self.before = self.font;
        self.font = font;
    }

    /// Goes back to the font before the last change.
    pub(super) fn previous_font(&mut self) {
        std::mem::swap(&mut self.before, &mut self.font);
    }

    /// Returns whether nothing was written yet.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns whether the text ends in space.
    pub(super) fn ends_in_space(&self) -> bool {
        self.text.ends_with(' ')
    }

    /// Returns how much was written.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Writes text as it stands.
    pub(super) fn push_str(&mut self, text: &str) {
        text.chars().for_each(|c| self.push(c));
    }

    /// Writes one character.
    pub(super) fn push(&mut self, c: char) {
        if let Value::Open(font) = self.value
            && (font != self.font || !(c.is_alphanumeric() || matches!(c, '_' | '-' | ' ')))
        {
            self.close();
        }
        if c.is_whitespace() {
            self.close();
            self.text.push(' ');
            self.word = self.text.len();
            return;
        }
        if self.value == Value::Closed && c.is_alphanumeric() && self.is_glued() {
            self.text.push('<');
            self.value = Value::Open(self.font);
        }
        self.text.push(c);
        self.last = self.font;
        if matches!(c, '[' | '(' | '{' | '|' | ',') {
            self.word = self.text.len();
        }
    }

    /// Returns what was written, and starts anew in the same font.
    pub(super) fn take(&mut self) -> String {
        self.close();
        self.word = 0;
        std::mem::take(&mut self.text)
    }

    fn close(&mut self) {
        if self.value != Value::Closed {
            self.text.push('>');
            self.value = Value::Closed;
        }
    }

    /// Whether only the font separates an option from what comes now.
    fn is_glued(&self) -> bool {
        if self.font == self.last || self.last != Font::Bold {
            return false;
        }
        let word = self.text.get(self.word..).unwrap_or_default();
        let glued = word.starts_with('-') && word.ends_with(|c: char| c.is_alphanumeric());
        glued && (self.font == Font::Italic || word.len() == 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parts: &[(Font, &str)], expected: &str) {
        let mut inline = Inline::default();
        for (font, text) in parts {
            inline.font(*font);
            inline.push_str(text);
        }
        assert_eq!(inline.take(), expected, "{parts:?}");
    }

    #[test]
    fn a_value_that_only_its_font_tells_apart_gets_brackets() {
        use Font::{Bold, Italic, Roman};
        check(&[(Bold, "-o"), (Italic, "file"), (Roman, " x")], "-o<file> x");
        check(&[(Bold, "-o"), (Roman, "file")], "-o<file>");
        check(
            &[(Roman, "["), (Bold, "-o"), (Italic, "file"), (Roman, "]")],
            "[-o<file>]",
        );
        check(&[(Bold, "--out"), (Roman, "="), (Italic, "file")], "--out=file");
        check(&[(Bold, "--out"), (Roman, "s")], "--outs");
        check(&[(Bold, "-o "), (Italic, "file")], "-o file");
        check(&[(Bold, "non"), (Italic, "sense")], "nonsense");
    }
}
