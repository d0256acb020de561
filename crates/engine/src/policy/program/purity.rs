//! What is known of the text of a program.

/// What a program does to the world around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purity {
    /// It reads its input and prints.
    Pure,
    /// It changes or starts something; the word says what.
    Changes(&'static str),
    /// Nobody can tell.
    Unknown,
}
