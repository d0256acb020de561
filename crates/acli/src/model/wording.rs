//! Who answers for the words that describe something.

/// Who answers for a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wording {
    /// Whoever defined the command, or a person who looked at it.
    #[default]
    Checked,
    /// Nobody: it was read off what a program says about itself.
    Unchecked,
}
