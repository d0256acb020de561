//! What a text is about.

/// A tool, or a command of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject<'s> {
    /// The name of the tool.
    pub name: &'s str,
    /// The names of the command below it. Empty for the tool itself.
    pub path: &'s [&'s str],
}

impl Subject<'_> {
    /// Returns the words that a call begins with.
    pub(crate) fn words(&self) -> Vec<&str> {
        std::iter::once(self.name)
            .chain(self.path.iter().copied())
            .collect()
    }
}
