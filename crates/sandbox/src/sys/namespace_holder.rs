//! A process that does nothing, in a user namespace of its own: what id maps of mounts are taken from.

use std::io;
use std::ptr;

use rustix::event::poll;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use rustix::process::{Pid, Signal, getpid, getppid, kill_process, set_parent_process_death_signal};

use super::process::wait_for;
use super::{SoleThread, check};

/// How much stack it gets, and how much lies below that nobody may touch.
const STACK_BYTES: usize = 16 * 1024;
const GUARD_BYTES: usize = 64 * 1024;

/// A process that waits in a new user namespace: whoever wants the namespace finds it there. It is gone when this is
/// dropped, and goes with the process that started it.
pub(crate) struct NamespaceHolder {
    pid: Pid,
    /// Given back after the process is gone.
    _stack: GuardedStack,
}

impl NamespaceHolder {
    /// Starts one. It shares our memory and runs beside us: nothing is copied, which is what makes it fast.
    pub(crate) fn start(_sole: SoleThread) -> io::Result<Self> {
        let stack = GuardedStack::new()?;
        let flags = libc::CLONE_VM | libc::CLONE_NEWUSER | libc::SIGCHLD;
        let parent = ptr::without_provenance_mut(number(getpid()));
        // SAFETY: the stack grows down from the end of memory that is its own until the process is gone, and the process
        // touches nothing else: see `idle`.
        let started = check(unsafe { libc::clone(idle, stack.end(), flags, parent) })?;
        let pid = Pid::from_raw(started).ok_or_else(|| io::Error::other("a process without a number"))?;
        Ok(Self { pid, _stack: stack })
    }

    /// Returns its number.
    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }
}

impl Drop for NamespaceHolder {
    fn drop(&mut self) {
        let _ = kill_process(self.pid, Signal::KILL);
        let _ = wait_for(self.pid);
    }
}

/// Waits to be killed. It runs beside the thread that started it, in the same memory: so it takes no lock, allocates
/// nothing, and makes its calls through rustix, which does not write to `errno`.
extern "C" fn idle(parent: *mut libc::c_void) -> libc::c_int {
    let follows = set_parent_process_death_signal(Some(Signal::KILL)).is_ok();
    // A parent that went before it was asked for is not told of.
    let has_parent = getppid().is_some_and(|pid| number(pid) == parent.addr());
    if !(follows && has_parent) {
        return 1;
    }
    loop {
        let _ = poll(&mut [], None);
    }
}

fn number(pid: Pid) -> usize {
    pid.as_raw_nonzero().get().unsigned_abs() as usize
}

/// Memory for a stack, with a part at its lower end that cannot be touched.
struct GuardedStack(*mut libc::c_void);

impl GuardedStack {
    fn new() -> io::Result<Self> {
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::PRIVATE | MapFlags::STACK;
        // SAFETY: new memory, at a place of the kernel's choice.
        let stack =
            Self(unsafe { mmap_anonymous(ptr::null_mut(), GUARD_BYTES + STACK_BYTES, protection, flags) }?);
        // SAFETY: the lower part of that memory, of which nobody knows yet.
        unsafe { mprotect(stack.0, GUARD_BYTES, MprotectFlags::empty()) }?;
        Ok(stack)
    }

    /// Returns where it begins: it grows down.
    fn end(&self) -> *mut libc::c_void {
        self.0.wrapping_byte_add(GUARD_BYTES + STACK_BYTES)
    }
}

impl Drop for GuardedStack {
    fn drop(&mut self) {
        // SAFETY: it was mapped with this length, and whoever used it is gone.
        let _ = unsafe { munmap(self.0, GUARD_BYTES + STACK_BYTES) };
    }
}
