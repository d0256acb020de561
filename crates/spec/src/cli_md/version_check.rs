//! AIP-29, Version detection: a command, where the version stands in what it prints, and which versions will do.

use crate::declare::{Whole, manifest};
use crate::manifest::{CommandLine, VersionPattern, VersionRange};

manifest! {
    /// How the version is found and judged.
    pub struct VersionCheck closed {
        /// What is run.
        need cmd: CommandLine,
        /// Where the version stands in its output.
        need parse: VersionPattern,
        /// Which versions will do.
        need range: VersionRange,
        /// How long it may take.
        may timeout_ms: Option<u64> as Whole<100>,
    }
}

impl VersionCheck {
    /// The time that it may take when nothing is said.
    pub const TIMEOUT_MS: u64 = 5_000;

    /// Returns how long it may take.
    pub fn timeout_ms(&self) -> u64 {
        self.timeout_ms.unwrap_or(Self::TIMEOUT_MS)
    }
}
