//! A line of a page of the manual, whether it was rendered by another program or by [`super::roff`].
//!
//! Keeps the number of the line in the text that was given, so that every item can say where it stands.

/// What a line is known to be. In a rendered text only its place on the paper tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The heading of a section.
    Section,
    /// The heading of a part of a section.
    Subsection,
    /// What a macro marked as the head of a definition.
    Head,
    /// Text as it was written, each line by itself.
    Verbatim,
    /// Anything else.
    Text,
}

/// A line. An empty text is vertical space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its number in the text that was given, from 1.
    pub(crate) number: usize,
    /// The column where it starts.
    pub(crate) indent: usize,
    /// The text without the space around it.
    pub(crate) text: String,
    /// What it is known to be.
    pub(crate) role: Role,
}

impl Line {
    /// Returns whether it is vertical space.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}
