//! How much is heard from one agent. Whatever it says, what is held of it stays within these.

/// The bounds of what is listened to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of one message.
    pub line: usize,
    /// The most bytes of one turn.
    pub turn_bytes: usize,
    /// The most messages of one turn.
    pub turn_messages: usize,
    /// The most turns.
    pub turns: Option<u64>,
    /// The most bytes that go to the side channel.
    pub side_channel: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line: 16 << 20,
            turn_bytes: 1 << 30,
            turn_messages: 2_000_000,
            turns: None,
            side_channel: 16 << 20,
        }
    }
}
