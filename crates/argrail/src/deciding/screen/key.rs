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
    pub(super) fn of(event: &Event) -> Option<Self> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => Self::of_key(key),
            _ => None,
        }
    }

    fn of_key(key: &KeyEvent) -> Option<Self> {
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
        if key.modifiers.contains(KeyModifiers::ALT) {
            return None;
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
