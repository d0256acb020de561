//! The second tier: what can be held exactly without namespaces, and the refusal of everything else.

use super::view::{ChildView, MountAccess, MountContent};
use crate::launch::HostIdentity;
use crate::policy::{Exec, Policy};
use crate::refusal::{Fix, Refusal};

const MISSING_FEATURE: &str = "user namespaces";
const FIX: &str = "Allow user namespaces for {program} ({probe} says how)";

/// Accepts a policy that Landlock and a filter of system calls hold by themselves.
pub(super) fn accept(policy: &Policy, view: &ChildView, host_user: HostIdentity) -> Result<(), Refusal> {
    let refuse = |field: &str, pattern: &str, reason: &str| {
        Err(Refusal::new(field, pattern, reason, Fix::new(FIX)).missing(MISSING_FEATURE))
    };
    if let Some(host) = policy.egress.first() {
        return refuse(
            "network.egress[0]",
            host.as_str(),
            "hosts can be told apart only in a network of its own",
        );
    }
    if let Some(url) = policy.ingress.first() {
        return refuse(
            "network.ingress[0]",
            url.as_str(),
            "callbacks need a network of its own",
        );
    }
    match &policy.exec {
        Exec::None => {}
        Exec::List(programs) => {
            let first = programs.first().map_or("", |program| program.as_str());
            return refuse(
                "exec.spawn[0]",
                first,
                "without namespaces a list of programs can be got round",
            );
        }
        Exec::Any => {
            return refuse(
                "exec.allow",
                "true",
                "without namespaces a tree of processes can get away",
            );
        }
    }
    if host_user.machine_root && policy.limits.processes.is_some() {
        return refuse(
            "limits.processes",
            "",
            "the number of threads cannot be limited for root",
        );
    }
    if policy.tty {
        return refuse("tty.required", "true", "a terminal needs a devpts of its own");
    }
    if policy.local_network {
        return refuse(
            "network",
            "loopback",
            "a loopback interface needs a network of its own",
        );
    }
    for (path, mount) in view.mounts() {
        let above = path
            .parent()
            .and_then(|parent| view.holder(parent))
            .map(|(_, mount)| mount);
        let text = path.to_string_lossy();
        if mount.what != MountContent::Host {
            return refuse("fs.deny", &text, "what is granted cannot be taken back in part");
        }
        let taken_back = mount.access == MountAccess::Read
            && above.is_some_and(|above| above.access == MountAccess::Write);
        if taken_back && !mount.base {
            return refuse(
                "fs.write",
                &text,
                "a protected path inside what may be written cannot be held",
            );
        }
    }
    Ok(())
}
