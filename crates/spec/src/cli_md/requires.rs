//! AIP-29 `requires`: the machines on which a bundle works.

use crate::declare::{List, Whole, manifest, words};

manifest! {
    /// What a machine must be and have.
    #[derive(Eq, Default)]
    pub struct Requires closed {
        /// Operating systems; absent is any.
        may os: Option<Vec<Os>> as List,
        /// Processors; absent is any.
        may arch: Option<Vec<Arch>> as List,
        /// Mebibytes of disk.
        may min_disk_mb: Option<u64> as Whole,
        /// Mebibytes of memory.
        may min_memory_mb: Option<u64> as Whole,
    }
}

words! {
    /// An operating system.
    pub enum Os {
        /// macOS.
        Darwin = "darwin",
        /// Linux.
        Linux = "linux",
        /// Windows.
        Windows = "windows",
    }

    /// A processor.
    pub enum Arch {
        /// 64-bit x86.
        X64 = "x64",
        /// 64-bit ARM.
        Arm64 = "arm64",
        /// 32-bit x86.
        X86 = "x86",
        /// 32-bit ARM.
        Arm = "arm",
    }
}
