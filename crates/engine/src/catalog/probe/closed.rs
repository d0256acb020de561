//! The policy under which a program is asked: to read what it is made of, and nothing else.

use std::time::Duration;

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{EnvName, Exec, Limits, Policy};

use crate::profile::Grounds;

const MIB: u64 = 1 << 20;

/// Variables that keep programs from asking, paging and colouring, and that say how wide lines may be.
const QUIET: &[(&str, &str)] = &[
    ("CI", "1"),
    ("COLUMNS", "100"),
    ("DO_NOT_TRACK", "1"),
    ("GIT_PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("MANWIDTH", "100"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("TERM", "dumb"),
];

/// Returns the policy: to read these grounds, to start what can be read, and nothing else.
///
/// # Errors
/// Only when a variable of ours is refused.
pub(in crate::catalog) fn policy(
    grounds: &Grounds,
    exec: Exec,
    timeout: Duration,
) -> Result<Policy, Refusal> {
    let mut policy = Policy::closed().exec(exec).limits(limits(timeout));
    policy.read.extend(grounds.patterns());
    for (name, value) in QUIET {
        policy = policy.env_set(EnvName::parse_set("env", name)?, *value);
    }
    if grounds.is_more_than_base() {
        policy = policy.env_set(EnvName::parse_set("env", "PATH")?, grounds.path());
    }
    Ok(policy)
}

/// Enough for a large runtime to start and say a few words.
fn limits(timeout: Duration) -> Limits {
    Limits {
        wall: Some(timeout),
        output: Some(super::answer::MOST),
        memory: Some(2048 * MIB),
        processes: Some(256),
        file_size: Some(16 * MIB),
        open_files: Some(256),
        cpu: None,
        scratch: Some(16 * MIB),
    }
}
