//! What the text of a program does, as far as it can be told without running it.

/// What a program text does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purity {
    /// It reads its input and prints.
    Pure,
    /// It writes, connects or starts something: what.
    Changes(&'static str),
    /// Nobody can tell.
    Unknown,
}
