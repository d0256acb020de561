//! How much is heard from one server.

/// The most bytes of one message.
pub(super) const MESSAGE: usize = 4 << 20;
/// The most bytes of all messages, and of everything around them.
pub(super) const TOTAL: usize = 16 << 20;
/// The most messages, and lines that are none.
pub(super) const MESSAGES: usize = 10_000;
/// The most pages of tools.
pub(super) const PAGES: usize = 100;
/// The most requests of a server that are answered.
pub(super) const REQUESTS: usize = 100;
/// The longest cursor that is sent back.
pub(super) const CURSOR: usize = 4 << 10;
/// The longest id of a server's request that is sent back.
pub(super) const ID: usize = 256;
/// The longest id of a session.
pub(super) const SESSION: usize = 1 << 10;

/// Counts what was heard.
#[derive(Debug, Default)]
pub(super) struct Heard {
    bytes: usize,
}

impl Heard {
    /// Adds bytes; says no when there are too many.
    pub(super) fn add(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.bytes <= TOTAL
    }

    /// Returns how many more bytes may come.
    pub(super) fn left(&self) -> usize {
        TOTAL.saturating_sub(self.bytes)
    }
}
