//! What the kernel limits for each process of a child.
//!
//! Some of it is no wish of a policy: the kernel counts it for all processes of a user together, whatever namespace they
//! are in, so that a child that may do nothing else could use it up for the rest.

use rustix::process::{Resource, getrlimit};

use crate::launch::ResourceLimit;
use crate::policy::EffectiveLimits;

/// How much more than it may write to a process may map.
const MAPPED_PER_WRITABLE: u64 = 4;

/// Signals that wait, and timers: a user has some 15,000 of them on a small machine.
const MAX_PENDING_SIGNALS: u64 = 4096;

/// Bytes of message queues, of which a user has 800 KiB.
const MAX_QUEUE_BYTES: u64 = 256 * 1024;

/// Memory that cannot be swapped out: what the kernel gives by itself, and more than keepers of keys want.
const MAX_LOCKED_BYTES: u64 = 8 * 1024 * 1024;

/// Returns the limits. The descriptor of the program is above all that it may open.
pub(super) fn bounds(caps: &EffectiveLimits, descriptor: u32) -> Vec<(ResourceLimit, u64)> {
    let mut bounds = vec![
        (ResourceLimit::Core, 0),
        (ResourceLimit::Memory, at_most(Resource::Data, caps.memory)),
        (
            ResourceLimit::AddressSpace,
            at_most(Resource::As, caps.memory.saturating_mul(MAPPED_PER_WRITABLE)),
        ),
        (ResourceLimit::Processes, at_most(Resource::Nproc, caps.processes)),
        (ResourceLimit::FileSize, at_most(Resource::Fsize, caps.file_size)),
        (ResourceLimit::OpenFiles, u64::from(descriptor)),
        (
            ResourceLimit::LockedMemory,
            at_most(Resource::Memlock, MAX_LOCKED_BYTES),
        ),
        (
            ResourceLimit::PendingSignals,
            at_most(Resource::Sigpending, MAX_PENDING_SIGNALS),
        ),
        (
            ResourceLimit::MessageQueues,
            at_most(Resource::Msgqueue, MAX_QUEUE_BYTES),
        ),
    ];
    let cpu = caps.cpu.map(|cpu| at_most(Resource::Cpu, cpu.as_secs().max(1)));
    bounds.extend(cpu.map(|cpu| (ResourceLimit::Processor, cpu)));
    bounds
}

/// Returns how many files may be open: as many as asked for, and at most what this process may have.
pub(super) fn open_files(wanted: u64) -> u32 {
    let allowed = at_most(Resource::Nofile, u64::MAX).saturating_sub(1);
    u32::try_from(wanted.min(allowed)).unwrap_or(u32::MAX >> 1)
}

/// As much as wanted, and at most what this process may have: nobody may give more than that, and whoever gave us less
/// meant our children, too.
fn at_most(resource: Resource, wanted: u64) -> u64 {
    let allowed = getrlimit(resource).maximum;
    allowed.map_or(wanted, |allowed| allowed.min(wanted))
}
