//! The keys that mean something here.

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// A character.
    Char(char),
    /// Up.
    Up,
    /// Down.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
    /// A screen up.
    PageUp,
    /// A screen down.
    PageDown,
    /// To the beginning.
    Home,
    /// To the end.
    End,
    /// Yes, go on.
    Enter,
    /// Back.
    Escape,
    /// Take away what is left of the cursor.
    Backspace,
    /// Take away what is right of the cursor.
    Delete,
    /// Take away the word left of the cursor.
    EraseWord,
    /// Take away everything.
    EraseAll,
    /// Leave, wherever we are.
    Interrupt,
}

impl Key {
    /// Reads an event of the terminal. Most are of no interest.
    ///
    /// A terminal that hands over Escape and the key after it together means the same as Alt and that key: it is read
    /// as the two, so that no key is lost and none answers what Escape has left.
    pub(super) fn all_of(event: &Event) -> impl Iterator<Item = Self> {
        let key = match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => Some(key),
            _ => None,
        };
        let escape = key
            .filter(|key| key.modifiers.contains(KeyModifiers::ALT))
            .map(|_| Self::Escape);
        escape.into_iter().chain(key.and_then(Self::of_one))
    }

    fn of_one(key: &KeyEvent) -> Option<Self> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Some(Self::Interrupt),
                KeyCode::Char('u') => Some(Self::EraseAll),
                KeyCode::Char('w') => Some(Self::EraseWord),
                KeyCode::Char('a') => Some(Self::Home),
                KeyCode::Char('e') => Some(Self::End),
                KeyCode::Char('h') => Some(Self::Backspace),
                _ => None,
            };
        }
        Some(match key.code {
            KeyCode::Char(c) => Self::Char(c),
            KeyCode::Up => Self::Up,
            KeyCode::Down => Self::Down,
            KeyCode::Left => Self::Left,
            KeyCode::Right => Self::Right,
            KeyCode::PageUp => Self::PageUp,
            KeyCode::PageDown => Self::PageDown,
            KeyCode::Home => Self::Home,
            KeyCode::End => Self::End,
            KeyCode::Enter => Self::Enter,
            KeyCode::Esc => Self::Escape,
            KeyCode::Backspace => Self::Backspace,
            KeyCode::Delete => Self::Delete,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(code: KeyCode, modifiers: KeyModifiers) -> Vec<Key> {
        Key::all_of(&Event::Key(KeyEvent::new(code, modifiers))).collect()
    }

    #[test]
    fn escape_and_the_key_after_it_may_come_as_one() {
        assert_eq!(read(KeyCode::Char('j'), KeyModifiers::NONE), [Key::Char('j')]);
        assert_eq!(read(KeyCode::Esc, KeyModifiers::NONE), [Key::Escape]);
        assert_eq!(
            read(KeyCode::Char('j'), KeyModifiers::ALT),
            [Key::Escape, Key::Char('j')]
        );
        let both = KeyModifiers::ALT | KeyModifiers::CONTROL;
        assert_eq!(read(KeyCode::Char('c'), both), [Key::Escape, Key::Interrupt]);
    }
}
