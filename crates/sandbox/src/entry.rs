//! The first line of a host's `main`: whether this process is the host, its launcher, a prober or a prover.

use std::process::ExitCode;

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

use crate::launch::{
    Entered, LAUNCHER_NAME, PROBER_ARGUMENT, PROVER_ARGUMENT, claim_or_exit, keep_open_files, serve,
};
use crate::sys::{SoleThread, descriptor, is_alone, signal};
use crate::{probe, prove};

/// Makes a program able to be its own launcher. Call it first in `main`, before any thread is started.
///
/// Returns at once in a program that was started as usual, after what protects it: no descriptor that it inherited
/// reaches its children, its memory can be read by no other process of the same user, nor end up in a core file, it may
/// open as many files as its user lets it, and a file that may not grow is an error rather than its end.
///
/// In the launcher, which [`Launcher::SelfExe`](crate::Launcher) starts, it never returns, nor in the processes of
/// [`probe`](crate::probe()) and [`prove`](crate::prove()).
///
/// Where other threads run already (`#[tokio::main]`), the program cannot be its own launcher: a confined child of
/// [`Launcher::SelfExe`](crate::Launcher) is then a [`Refusal`](crate::Refusal), as it is where this was never called.
pub fn enter() {
    let mut words = std::env::args_os();
    let name = words.next();
    let part = words.next();
    let is = |word: &str| part.as_ref().is_some_and(|part| part == word);
    if name.is_some_and(|name| name == LAUNCHER_NAME) {
        serve();
    }
    if is(PROBER_ARGUMENT) {
        probe::answer(claim_or_exit().0);
    }
    if is(PROVER_ARGUMENT) {
        // In a sandbox without `/proc` it cannot be seen how many threads there are. Most of what it does needs no fork.
        prove::act(SoleThread::claim().map(|(sole, _)| sole), words);
    }
    Entered::note(match is_alone() {
        true => Entered::First,
        false => Entered::TooLate,
    });
    keep_open_files();
    // A file that may not grow is an error of a write then, and no sudden end.
    let _ = signal::survive_file_limit();
    // Neither can fail on a kernel that can run a sandbox, and a program without one has nothing to protect yet.
    let _ = descriptor::close_on_exec_from(3);
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// Is the whole `main` of a launcher: a program that does nothing else, named with [`Launcher::Path`](crate::Launcher).
///
/// A program whose own `main` cannot begin with [`enter`] (a test, a plugin of somebody else's program, `#[tokio::main]`)
/// puts one beside itself. Started by hand, it ends with 2.
///
/// ```no_run
/// // src/bin/my-launcher.rs
/// fn main() -> std::process::ExitCode {
///     argrail_sandbox::launcher_main()
/// }
/// ```
#[must_use = "what it returns is the end of the process"]
pub fn launcher_main() -> ExitCode {
    enter();
    // Whoever gets here typed the name.
    ExitCode::from(2)
}
