//! Where an entry runs: no network, no program to start, nothing to write, and to read its own file and what runs it.

use std::path::Path;
use std::time::Duration;

use argrail_sandbox::policy::{Anchors, EnvName, Exec, Limits, PathPattern, Policy, Protected};
use argrail_sandbox::{Command, Refusal, Report, Stdin};

use super::error::EntryError;
use super::find::Entry;
use super::runtime::Types;
use crate::profile::Grounds;

const MIB: u64 = 1 << 20;

/// How much it may say, on both outputs together.
pub(super) const MOST: u64 = 2 * MIB;

/// The home of whoever is asked: an empty directory that exists in the sandbox only.
const EMPTY: &str = "/empty";

/// Variables that keep runtimes quiet.
const QUIET: [(&str, &str); 2] = [("NO_COLOR", "1"), ("TERM", "dumb")];

/// Starts an entry, gives it `input`, and waits for its end.
///
/// # Errors
/// When it cannot be started, or not be held.
pub(super) fn run(entry: &Entry, types: Types, input: Vec<u8>) -> Result<Report, EntryError> {
    let refused = |refusal: Refusal| EntryError::NotStarted(argrail_sandbox::Error::Refused(refusal));
    let policy = policy(entry).map_err(refused)?;
    let anchors = Anchors::new(EMPTY, EMPTY).map_err(refused)?;
    let argv = entry.runtime.argv(&entry.file, types);
    let mut command = Command::confined(argv, policy, anchors)
        .launcher(entry.setting.launcher.clone())
        .directory(Path::new("/"))
        .search_path(entry.setting.search.iter().cloned())
        .protected(Protected::none())
        .stdin(Stdin::Bytes(input))
        .timeout(entry.setting.timeout);
    if let Some(cancel) = &entry.setting.cancel {
        command = command.cancel_with(cancel.clone());
    }
    Ok(command.run()?)
}

fn policy(entry: &Entry) -> Result<Policy, Refusal> {
    let mut policy = Policy::closed()
        .exec(Exec::None)
        .limits(limits(entry.setting.timeout));
    if let Some(program) = entry.runtime.program() {
        policy
            .read
            .extend(Grounds::of(program, &entry.setting.home).patterns());
    }
    policy = policy.read(PathPattern::exact(&entry.file));
    for (name, value) in QUIET {
        policy = policy.env_set(EnvName::parse_set("env", name)?, value);
    }
    Ok(policy)
}

fn limits(timeout: Duration) -> Limits {
    Limits {
        wall: Some(timeout),
        output: Some(MOST),
        memory: Some(2048 * MIB),
        // It cannot start another; a number of processes is not to be had for root without namespaces.
        processes: None,
        file_size: Some(MIB),
        open_files: Some(256),
        cpu: None,
        scratch: Some(MIB),
    }
}
