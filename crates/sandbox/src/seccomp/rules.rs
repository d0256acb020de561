//! The rules: what no child needs and many an escape is made of, and what `exec` adds.

use super::looks::{self, CallLooks, NetworkLooks};
use super::requests::{ChildSurroundings, descriptor_commands, requests};
use super::{ArgumentCondition, CallAction, CallRule};

/// The one program that the launcher starts, as the filter knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FirstProgram {
    /// The descriptor under which its file is open.
    pub(crate) descriptor: u32,
    /// A number that the kernel does not look at and the child does not know: with an absolute path, which the filter
    /// cannot see, `execveat` does not look at the descriptor.
    pub(crate) key: u32,
}

/// What a child may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpawnPermission {
    /// Nothing: threads only. The one program there is stands at this descriptor, which cannot be filled again.
    None { program: FirstProgram },
    /// Programs that the file system's rules let through; the host is told of each, and of `program` not.
    Listed { program: FirstProgram },
    /// Any program.
    Any,
}

/// What the rules depend on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FilterInputs {
    pub(crate) spawning: SpawnPermission,
    /// Whether the child is in namespaces of its own. Then sockets of the internet families may be made, which lead
    /// nowhere but to what the host serves, and owners, modes and times may be changed where a mount allows it.
    pub(crate) namespaces: bool,
    /// Whether the child may write anywhere.
    pub(crate) writing: WritePermission,
    /// What the host is told of and the kernel decides.
    pub(crate) looks: CallLooks,
}

/// What a child may do to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WritePermission {
    /// The child may read some files, and change none.
    Nothing,
    /// The child may change some files, too.
    Something,
}

const EPERM: CallAction = CallAction::Fail(libc::EPERM as u16);
const ENOSYS: CallAction = CallAction::Fail(libc::ENOSYS as u16);
const EACCES: CallAction = CallAction::Fail(libc::EACCES as u16);
const EPROTONOSUPPORT: CallAction = CallAction::Fail(libc::EPROTONOSUPPORT as u16);
const EAFNOSUPPORT: CallAction = CallAction::Fail(libc::EAFNOSUPPORT as u16);

/// Calls that simply fail: new namespaces and mounts, other processes' memory, kernel interfaces with a long
/// history of holes, the machine's own state.
const REFUSED_CALLS: &[libc::c_long] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_kcmp,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_lookup_dcookie,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_madvise,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_uselib,
];

/// Calls that programs do without when the kernel is too old for them, so it is too old for them here.
const ABSENT_CALLS: &[libc::c_long] = &[
    // Its flags are in memory, where a filter cannot look; everybody falls back to `clone`.
    libc::SYS_clone3,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    // Its mode is in memory too; everybody falls back to `openat`.
    libc::SYS_openat2,
];

/// Watches of files are counted for the user, by default 128 of them: a child could leave none to the user's editors. One
/// that changes nothing has no use for them, and programs that follow a file look at it now and then instead.
const WATCH_CALLS: &[libc::c_long] = &[
    libc::SYS_inotify_init1,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
];

/// Calls that change what a file is rather than what is in it. Landlock does not look at them: without a read-only
/// mount they reach every file of the user.
const METADATA_CALLS: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_fremovexattr,
    libc::SYS_fsetxattr,
    libc::SYS_lremovexattr,
    libc::SYS_lsetxattr,
    libc::SYS_removexattr,
    libc::SYS_setxattr,
    libc::SYS_utimensat,
    SETXATTRAT,
    REMOVEXATTRAT,
    FILE_SETATTR,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
];

/// Calls that reach beyond the child where no namespace holds it, and that Landlock does not look at: memory, queues and
/// semaphores of the whole machine, and what happens to files that may not be read.
const MACHINE_WIDE: &[libc::c_long] = &[
    libc::SYS_inotify_add_watch,
    libc::SYS_ioprio_set,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_msgctl,
    libc::SYS_msgget,
    libc::SYS_msgrcv,
    libc::SYS_msgsnd,
    libc::SYS_semctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_setpriority,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_shmget,
];

/// Calls whose first argument is a process, and zero the caller: limits and turns of others would end or stall them.
const OF_PROCESSES: &[libc::c_long] = &[
    libc::SYS_prlimit64,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
];

/// Newer than the list in libc.
const SETXATTRAT: libc::c_long = 463;
const REMOVEXATTRAT: libc::c_long = 466;
const FILE_SETATTR: libc::c_long = 469;
const OPEN_TREE_ATTR: libc::c_long = 467;

/// Every flag of `clone` that makes a namespace.
const NAMESPACES: u32 = (libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWUTS) as u32
    | 0x80; // CLONE_NEWTIME

/// Returns the rules, those of one call in the order in which they are tried.
pub(crate) fn rules(calls: &FilterInputs) -> Vec<CallRule> {
    let mut rules: Vec<CallRule> = Vec::with_capacity(REFUSED_CALLS.len() + 40);
    rules.extend(REFUSED_CALLS.iter().map(|call| always(*call, EPERM)));
    rules.extend(ABSENT_CALLS.iter().map(|call| always(*call, ENOSYS)));
    if calls.writing == WritePermission::Nothing {
        rules.extend(WATCH_CALLS.iter().map(|call| always(*call, ENOSYS)));
    }
    let around = match calls.namespaces {
        true => ChildSurroundings::Namespaces,
        false => ChildSurroundings::Machine,
    };
    rules.extend(requests(around));
    rules.extend(descriptor_commands(around));
    rules.extend(devices());
    rules.extend(borrowed_identity());
    rules.extend(personality());
    rules.extend(match calls.namespaces {
        true => sockets(InternetReach::Own),
        false => sockets(InternetReach::None(calls.looks.network)),
    });
    if !calls.namespaces {
        rules.extend(METADATA_CALLS.iter().map(|call| always(*call, EPERM)));
        rules.extend(MACHINE_WIDE.iter().map(|call| always(*call, EPERM)));
        rules.extend(
            OF_PROCESSES
                .iter()
                .map(|call| when(*call, vec![differs(0, u32::MAX, 0)], EPERM)),
        );
        // Only this ends the child with whoever watches it.
        let forget = vec![is(0, libc::PR_SET_PDEATHSIG as u32)];
        rules.push(when(libc::SYS_prctl, forget, EPERM));
    }
    rules.push(when(libc::SYS_clone, vec![differs(0, NAMESPACES, 0)], EPERM));
    match calls.spawning {
        SpawnPermission::None { program } => {
            rules.extend(exec_of(program, CallAction::Ask));
            rules.push(when(
                libc::SYS_clone,
                vec![masked(0, libc::CLONE_THREAD as u32, 0)],
                CallAction::Ask,
            ));
            #[cfg(target_arch = "x86_64")]
            rules.extend([
                always(libc::SYS_fork, CallAction::Ask),
                always(libc::SYS_vfork, CallAction::Ask),
            ]);
        }
        SpawnPermission::Listed { program } => {
            rules.extend(exec_of(program, CallAction::Ask));
            // A file in memory has no place in the file system, where the list is kept.
            let sealed = libc::MFD_NOEXEC_SEAL;
            rules.push(when(libc::SYS_memfd_create, vec![masked(1, sealed, 0)], ENOSYS));
        }
        SpawnPermission::Any => {}
    }
    rules.extend(looks::looks(calls.looks));
    rules
}

/// The program itself starts; of all others the host hears.
fn exec_of(program: FirstProgram, others: CallAction) -> [CallRule; 3] {
    let itself = vec![
        is(0, program.descriptor),
        is(4, libc::AT_EMPTY_PATH as u32),
        is(5, program.key),
    ];
    [
        when(libc::SYS_execveat, itself, CallAction::Allow),
        always(libc::SYS_execveat, others),
        always(libc::SYS_execve, others),
    ]
}

/// No device files, whatever the file system says.
fn devices() -> Vec<CallRule> {
    let kinds = [libc::S_IFCHR, libc::S_IFBLK];
    let calls = [
        (libc::SYS_mknodat, 2),
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_mknod, 1),
    ];
    let pairs = calls.into_iter().flat_map(|call| kinds.map(|kind| (call, kind)));
    pairs
        .map(|((call, mode), kind)| when(call, vec![masked(mode, libc::S_IFMT, kind)], EPERM))
        .collect()
}

/// No file that runs as its owner or group: outside, where the mount does not forbid it, it would run as whoever the
/// child's files belong to, for anybody who can reach it.
fn borrowed_identity() -> Vec<CallRule> {
    const BITS: u32 = libc::S_ISUID | libc::S_ISGID;
    let refused = |call, mode| when(call, vec![differs(mode, BITS, 0)], EPERM);
    let mut rules = vec![
        refused(libc::SYS_fchmod, 1),
        refused(libc::SYS_fchmodat, 2),
        refused(libc::SYS_fchmodat2, 2),
        refused(libc::SYS_mknodat, 2),
    ];
    let mut opens = vec![(libc::SYS_openat, 2)];
    #[cfg(target_arch = "x86_64")]
    {
        rules.extend([
            refused(libc::SYS_chmod, 1),
            refused(libc::SYS_creat, 1),
            refused(libc::SYS_mknod, 1),
        ]);
        opens.push((libc::SYS_open, 1));
    }
    // Without one of these flags the mode means nothing, and may be anything.
    for making in [
        libc::O_CREAT as u32,
        (libc::O_TMPFILE & !libc::O_DIRECTORY) as u32,
    ] {
        rules.extend(opens.iter().map(|(call, flags)| {
            let made = vec![masked(*flags, making, making), differs(flags + 1, BITS, 0)];
            when(*call, made, EPERM)
        }));
    }
    rules
}

/// Asking for the personality is fine, and so is the plain one; others switch protections of memory off.
fn personality() -> [CallRule; 3] {
    [
        when(libc::SYS_personality, vec![is(0, 0)], CallAction::Allow),
        when(libc::SYS_personality, vec![is(0, u32::MAX)], CallAction::Allow),
        always(libc::SYS_personality, EPERM),
    ]
}

/// Whose internet sockets lead to.
#[derive(Debug, Clone, Copy)]
enum InternetReach {
    /// The child's own, where nobody is but who the host serves.
    Own,
    /// The machine's: there must be none.
    None(NetworkLooks),
}

/// Internet sockets of the two usual protocols, and questions about routes; no other family. A unix socket by path would
/// reach any daemon whose socket lies in a granted directory: reading rights do not stop a connection.
fn sockets(internet: InternetReach) -> Vec<CallRule> {
    const KIND: u32 = 0xf;
    let family = |family: libc::c_int| is(0, family as u32);
    let kind = |kind: libc::c_int| masked(1, KIND, kind as u32);
    let mut rules = Vec::new();
    let mut other = EACCES;
    match internet {
        InternetReach::Own => {
            other = EAFNOSUPPORT;
            for inet in [libc::AF_INET, libc::AF_INET6] {
                for (shape, usual) in [
                    (libc::SOCK_STREAM, libc::IPPROTO_TCP),
                    (libc::SOCK_DGRAM, libc::IPPROTO_UDP),
                ] {
                    for protocol in [0, usual] {
                        let plain = vec![family(inet), kind(shape), is(2, protocol as u32)];
                        rules.push(when(libc::SYS_socket, plain, CallAction::Allow));
                    }
                    // The ports that Landlock allows do not hold for other protocols; programs do without them.
                    let shaped = vec![family(inet), kind(shape)];
                    rules.push(when(libc::SYS_socket, shaped, EPROTONOSUPPORT));
                }
                rules.push(when(libc::SYS_socket, vec![family(inet)], EPERM));
            }
            let routes = vec![family(libc::AF_NETLINK), is(2, libc::NETLINK_ROUTE as u32)];
            rules.push(when(libc::SYS_socket, routes, CallAction::Allow));
        }
        // The host says no, as the filter would; but it has heard of it.
        InternetReach::None(NetworkLooks::Addresses) => rules.extend(
            [libc::AF_INET, libc::AF_INET6]
                .map(|inet| when(libc::SYS_socket, vec![family(inet)], CallAction::Ask)),
        ),
        InternetReach::None(NetworkLooks::Nothing) => {}
    }
    rules.push(when(libc::SYS_socket, vec![family(libc::AF_UNIX)], EACCES));
    // Both ends of a pair are the child's own, but a datagram socket can be pointed elsewhere afterwards.
    for connected in [libc::SOCK_STREAM, libc::SOCK_SEQPACKET] {
        rules.push(when(
            libc::SYS_socketpair,
            vec![family(libc::AF_UNIX), kind(connected)],
            CallAction::Allow,
        ));
    }
    rules.push(always(libc::SYS_socketpair, EACCES));
    rules.push(always(libc::SYS_socket, other));
    rules
}

pub(super) fn always(call: libc::c_long, action: CallAction) -> CallRule {
    when(call, Vec::new(), action)
}

pub(super) fn when(call: libc::c_long, when: Vec<ArgumentCondition>, action: CallAction) -> CallRule {
    let call = u32::try_from(call).unwrap_or(u32::MAX);
    CallRule { call, when, action }
}

pub(super) fn is(argument: u8, value: u32) -> ArgumentCondition {
    masked(argument, u32::MAX, value)
}

pub(super) fn masked(argument: u8, mask: u32, value: u32) -> ArgumentCondition {
    ArgumentCondition::Is {
        argument,
        mask,
        value,
    }
}

pub(super) fn differs(argument: u8, mask: u32, value: u32) -> ArgumentCondition {
    ArgumentCondition::IsNot {
        argument,
        mask,
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FileLooks, assemble};
    use super::*;

    const FIRST: FirstProgram = FirstProgram {
        descriptor: 9,
        key: 7,
    };

    const ALL: CallLooks = CallLooks {
        files: FileLooks::ChangesAndReads,
        network: NetworkLooks::Addresses,
    };

    /// The rules of one call that decide: those that look at nothing before them.
    fn decided(rules: &[CallRule], call: u32) -> Vec<&CallRule> {
        let own = rules.iter().filter(|rule| rule.call == call);
        own.take_while(|rule| rule.action != CallAction::Ask).collect()
    }

    #[test]
    fn looking_takes_nothing_back_and_allows_nothing() {
        for spawning in [
            SpawnPermission::None { program: FIRST },
            SpawnPermission::Listed { program: FIRST },
        ] {
            for namespaces in [true, false] {
                let of = |looks| {
                    rules(&FilterInputs {
                        spawning,
                        namespaces,
                        writing: WritePermission::Nothing,
                        looks,
                    })
                };
                let (without, with) = (of(CallLooks::NONE), of(ALL));
                for rule in &without {
                    if !namespaces && i64::from(rule.call) == libc::SYS_socket {
                        continue; // asked first, and the host says no
                    }
                    assert!(
                        decided(&with, rule.call).starts_with(&decided(&without, rule.call)),
                        "{rule:?}"
                    );
                }
                let added = with.iter().filter(|rule| !without.contains(rule));
                assert!(added.into_iter().all(|rule| rule.action == CallAction::Ask));
            }
        }
    }

    #[test]
    fn every_filter_fits_what_the_kernel_takes() {
        for spawning in [
            SpawnPermission::None { program: FIRST },
            SpawnPermission::Listed { program: FIRST },
            SpawnPermission::Any,
        ] {
            for namespaces in [true, false] {
                for looks in [CallLooks::NONE, ALL] {
                    let calls = FilterInputs {
                        spawning,
                        namespaces,
                        writing: WritePermission::Nothing,
                        looks,
                    };
                    let program = assemble(&rules(&calls)).unwrap();
                    // It is translated for each child: its length is time.
                    assert!(program.len() < 460, "{} instructions", program.len());
                }
            }
        }
    }

    #[test]
    fn every_rule_names_a_call_that_the_filter_looks_at() {
        let calls = FilterInputs {
            spawning: SpawnPermission::Listed { program: FIRST },
            namespaces: true,
            writing: WritePermission::Nothing,
            looks: ALL,
        };
        assert!(
            rules(&calls)
                .iter()
                .all(|rule| rule.call < super::super::program::FIRST_UNKNOWN_CALL)
        );
    }
}
