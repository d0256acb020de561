//! How far an installation is, for whoever shows it.

/// Hears about an installation, from the thread that does it.
pub trait Progress {
    /// What is done next. The text may hold a stranger's words: escape it where it is shown.
    fn step(&self, text: &str);
    /// How much of a download is there, and how much there will be if that is known.
    fn bytes(&self, done: u64, total: Option<u64>);
}

/// Nobody wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Silent;

impl Progress for Silent {
    fn step(&self, _: &str) {}

    fn bytes(&self, _: u64, _: Option<u64>) {}
}
