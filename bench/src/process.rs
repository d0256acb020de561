//! A running process as the kernel sees it: processor time and memory.

use std::fs;
use std::io;

/// Returns the processor time of all threads so far, in seconds.
///
/// From `schedstat`, which counts nanoseconds, thread by thread. What a thread that ended had used is gone,
/// so a server must keep its threads while it is measured; all of ours have one.
pub(crate) fn processor_time(id: u32) -> io::Result<f64> {
    let mut nanoseconds = 0.0;
    for thread in fs::read_dir(format!("/proc/{id}/task"))? {
        let text = match fs::read_to_string(thread?.path().join("schedstat")) {
            Ok(text) => text,
            Err(error) if has_ended(&error) => continue,
            Err(error) => return Err(error),
        };
        nanoseconds += first_number(&text).ok_or_else(|| unreadable("schedstat"))?;
    }
    Ok(nanoseconds / 1e9)
}

/// Whether a thread ended after it was listed: its folder is gone, or what is left of it has no process (ESRCH).
fn has_ended(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || error.raw_os_error() == Some(3)
}

/// Resident memory in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Memory {
    /// Now.
    pub(crate) resident: f64,
    /// The most it ever was.
    pub(crate) peak: f64,
}

/// Returns the resident memory.
pub(crate) fn memory(id: u32) -> io::Result<Memory> {
    let status = fs::read_to_string(format!("/proc/{id}/status"))?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes = line.and_then(first_number).ok_or_else(|| unreadable(name))?;
        Ok::<f64, io::Error>(kilobytes * 1024.0)
    };
    Ok(Memory {
        resident: field("VmRSS:")?,
        peak: field("VmHWM:")?,
    })
}

fn first_number(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok()
}

fn unreadable(what: &str) -> io::Error {
    io::Error::other(format!("the kernel tells no {what}"))
}

#[test]
fn a_process_can_look_at_itself() {
    let own = std::process::id();
    // Threads that come and go meanwhile are no reason to fail.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..50).for_each(|_| drop(std::thread::spawn(|| ()))));
        }
        for _ in 0..50 {
            assert!(processor_time(own).unwrap() > 0.0);
        }
    });
    let memory = memory(own).unwrap();
    assert!(memory.resident > 0.0 && memory.peak >= memory.resident);
}
