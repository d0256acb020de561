//! How much of one answer is read: so many commands and parameters, so deep, so long a text.

/// Commands and parameters of one tool.
const ITEMS: usize = 20_000;
/// Commands below one another.
pub(super) const DEPTH: usize = 16;
/// Characters of a description.
const TEXT: usize = 2_000;
/// Characters of a name or a flag.
const NAME: usize = 100;

/// What may still be read.
#[derive(Debug)]
pub(super) struct Budget {
    items: usize,
    /// Whether something was left out.
    pub(super) is_short: bool,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self {
            items: ITEMS,
            is_short: false,
        }
    }

    /// Takes one item; none when there are too many.
    pub(super) fn take(&mut self) -> Option<()> {
        match self.items.checked_sub(1) {
            Some(left) => {
                self.items = left;
                Some(())
            }
            None => {
                self.is_short = true;
                None
            }
        }
    }
}

/// Cuts a text of foreign length.
pub(super) fn cut(text: &str) -> String {
    text.trim().chars().take(TEXT).collect()
}

/// Whether a foreign word can be a name: of a command, a parameter, a variable.
pub(super) fn is_name(text: &str) -> bool {
    let hidden = |c: char| c.is_control() || c.is_whitespace() || argrail_acli::is_invisible(c);
    !text.is_empty() && !text.starts_with('-') && text.chars().count() <= NAME && !text.chars().any(hidden)
}
