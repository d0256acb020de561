//! Any memory of a child, and any address in it: a path is what stands there up to a NUL, and an address what the kernel
//! would read. The first two bytes say where.
//!
//! `fuzz/` includes this file, so it uses the public API of the crate and nothing else.

use std::net::IpAddr;
use std::os::unix::ffi::OsStrExt;

use argrail_sandbox::replay::{MEMORY_AT, caller_path, socket_address};

/// The longest path that the kernel takes.
const MAX_PATH_BYTES: usize = 4096;

/// Checks one memory.
pub(crate) fn caller_memory(bytes: &[u8]) {
    let Some((&[low, high], memory)) = bytes.split_first_chunk::<2>() else {
        return;
    };
    let offset = u64::from(u16::from_le_bytes([low, high]));
    check_path(memory, offset);
    for odd in [0, 1, MEMORY_AT - 1, u64::MAX - 1, u64::MAX] {
        assert_eq!(caller_path(memory, odd), None, "there is no memory at {odd:#x}");
    }
    check_address(memory);
}

fn check_path(memory: &[u8], offset: u64) {
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    let there = memory.get(start..).unwrap_or_default();
    let end = there.iter().position(|byte| *byte == 0);
    match caller_path(memory, MEMORY_AT + offset) {
        Some(path) => {
            let path = path.as_os_str().as_bytes();
            assert!(there.starts_with(path) && !path.contains(&0));
            // A path that is too long for the kernel is cut: it makes a line of a report.
            assert!(
                end == Some(path.len()) || path.len() >= MAX_PATH_BYTES,
                "{} bytes",
                path.len()
            );
            assert!(path.len() < MAX_PATH_BYTES + 256);
        }
        // It runs into memory that is not there.
        None => assert!(
            end.is_none() || end.is_some_and(|end| end >= MAX_PATH_BYTES),
            "{end:?}"
        ),
    }
}

fn check_address(bytes: &[u8]) {
    let Some(address) = socket_address(bytes) else {
        return;
    };
    assert_eq!(bytes.get(2..4), Some(address.port().to_be_bytes().as_slice()));
    let (at, octets) = match address.ip() {
        IpAddr::V4(v4) if bytes.get(4..8) == Some(v4.octets().as_slice()) => (4, v4.octets().to_vec()),
        IpAddr::V4(v4) => (8, v4.to_ipv6_mapped().octets().to_vec()),
        IpAddr::V6(v6) => (8, v6.octets().to_vec()),
    };
    assert_eq!(
        bytes.get(at..at + octets.len()),
        Some(octets.as_slice()),
        "{address}"
    );
    assert_eq!(address.ip(), address.ip().to_canonical(), "two spellings of one");
}
