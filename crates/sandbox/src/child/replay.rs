//! What is read of a child's memory, for tests and the fuzzer.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::caller::read_path;
use super::reached_addresses::parse;

/// Where the memory of [`caller_path`] begins: in the middle of a page.
pub const MEMORY_AT: u64 = 0x7fff_0000_0123;

/// Reads the path at an address of a child that has this memory and no other.
pub fn caller_path(memory: &[u8], address: u64) -> Option<PathBuf> {
    read_path(address, |at, length| {
        let start = usize::try_from(at.checked_sub(MEMORY_AT)?).ok()?;
        let end = start.checked_add(length)?.min(memory.len());
        // The kernel reads as far as memory goes, and fails where there is none.
        memory
            .get(start..end)
            .filter(|bytes| !bytes.is_empty())
            .map(<[u8]>::to_vec)
    })
}

/// Reads an address as the kernel lays it out.
pub fn socket_address(bytes: &[u8]) -> Option<SocketAddr> {
    parse(bytes)
}
