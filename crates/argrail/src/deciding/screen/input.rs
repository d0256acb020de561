//! A line that is typed and changed.

use super::key::Key;
use crate::foreign::Part;

/// The most characters that somebody can type; what is put in for them may be longer.
const LONGEST: usize = 1000;

/// What the cursor is drawn as.
const CURSOR: &str = "▏";

/// A text and where the cursor stands in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Input {
    before: Vec<char>,
    after: Vec<char>,
}

impl Input {
    /// Starts with a text, the cursor behind it.
    pub(super) fn of(text: &str) -> Self {
        Self {
            before: text.chars().collect(),
            after: Vec::new(),
        }
    }

    /// Returns the text.
    pub(super) fn text(&self) -> String {
        self.before.iter().chain(&self.after).collect()
    }

    /// Returns it for a screen.
    pub(super) fn parts(&self) -> Vec<Part> {
        let half = |characters: &[char]| {
            let text: String = characters.iter().collect();
            (!text.is_empty()).then_some(Part::Foreign(text))
        };
        let mut parts = Vec::from_iter(half(&self.before));
        parts.push(Part::ours(CURSOR));
        parts.extend(half(&self.after));
        parts
    }

    /// Does what a key means in a line; keys that mean nothing here do nothing.
    pub(super) fn press(&mut self, key: Key) {
        match key {
            Key::Char(c) if self.before.len() + self.after.len() < LONGEST => self.before.push(c),
            Key::Left => self.after.splice(0..0, self.before.pop()).for_each(drop),
            Key::Right if !self.after.is_empty() => self.before.push(self.after.remove(0)),
            Key::Home => {
                self.before.append(&mut self.after);
                std::mem::swap(&mut self.before, &mut self.after);
            }
            Key::End => self.before.append(&mut self.after),
            Key::Backspace => drop(self.before.pop()),
            Key::Delete if !self.after.is_empty() => drop(self.after.remove(0)),
            Key::EraseWord => self.erase_word(),
            Key::EraseAll => *self = Self::default(),
            Key::Char(_)
            | Key::Right
            | Key::Delete
            | Key::Up
            | Key::Down
            | Key::PageUp
            | Key::PageDown
            | Key::Enter
            | Key::Escape
            | Key::Interrupt => {}
        }
    }

    fn erase_word(&mut self) {
        while self.before.pop_if(|c| *c == ' ').is_some() {}
        while self.before.pop_if(|c| *c != ' ').is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_changed_as_people_expect() {
        let check = |start: &str, keys: &[Key], want: &str| {
            let mut input = Input::of(start);
            keys.iter().for_each(|key| input.press(*key));
            assert_eq!(input.text(), want, "{start} {keys:?}");
        };
        check("ab", &[Key::Char('c')], "abc");
        check("ab", &[Key::Left, Key::Char('c')], "acb");
        check("ab", &[Key::Home, Key::Delete, Key::Char('x')], "xb");
        check("ab", &[Key::Home, Key::Right, Key::Backspace], "b");
        check("ab", &[Key::Home, Key::End, Key::Backspace], "a");
        check("git push origin ", &[Key::EraseWord], "git push ");
        check("git", &[Key::EraseAll, Key::Left, Key::Right, Key::Delete], "");
        check(&"x".repeat(LONGEST), &[Key::Char('y')], &"x".repeat(LONGEST));
    }
}
