//! How much of a stranger's text is read before it is refused.

/// The bounds of one document. A text that breaks one is refused as a whole; nothing is ever cut and then read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of text.
    pub bytes: usize,
    /// How many arrays and objects may stand inside each other. More than [`Limits::DEEPEST`] is never read.
    pub depth: usize,
    /// The most values, containers included.
    pub nodes: usize,
}

impl Limits {
    /// What no caller can raise: nodes are walked and dropped recursively, on stacks as small as a thread's.
    pub const DEEPEST: usize = 128;

    /// Returns the bounds for the metadata of one tool: the largest real ones describe some thousand options.
    pub const fn metadata() -> Self {
        Self {
            bytes: 4 << 20,
            depth: 64,
            nodes: 200_000,
        }
    }

    /// Returns the bounds for a manifest that people write by hand: the longest have a thousand lines.
    pub const fn manifest() -> Self {
        Self {
            bytes: 1 << 20,
            depth: 64,
            nodes: 20_000,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 1 << 20,
            ..Self::metadata()
        }
    }
}
