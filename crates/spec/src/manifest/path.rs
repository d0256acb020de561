//! The way to a field, for messages: `install[2].package`.

use std::fmt;

use crate::doc::fields::Quoted;

/// The longest way that is written out.
const LONGEST: usize = 400;

/// The way to a field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Path(String);

impl Path {
    /// Goes to a field.
    pub(crate) fn key(&self, key: &str) -> Self {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-$".contains(c);
        let step = if !key.is_empty() && key.len() <= 60 && key.chars().all(plain) {
            key.to_owned()
        } else {
            Quoted(key).to_string()
        };
        let dot = if self.0.is_empty() { "" } else { "." };
        self.then(&format!("{dot}{step}"))
    }

    /// Goes to an item.
    pub(crate) fn index(&self, index: usize) -> Self {
        self.then(&format!("[{index}]"))
    }

    fn then(&self, step: &str) -> Self {
        if self.0.len() > LONGEST {
            return self.clone();
        }
        Self(format!("{}{step}", self.0))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() {
            "the front matter"
        } else {
            &self.0
        })
    }
}
