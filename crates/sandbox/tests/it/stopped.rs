//! A launcher that somebody stopped or killed: it is replaced, and what it did not begin is begun by the next.

use std::fs;
use std::path::Path;

use argrail_sandbox::policy::Policy;
use argrail_sandbox::{Ended, Launcher};
use rustix::process::{Pid, Signal, kill_process};

use crate::place::{LAUNCHER, Place, out};

/// The process of a launcher, by the file that it is.
fn process(launcher: &Path) -> Pid {
    let is_it = |directory: &Path| fs::read_link(directory.join("exe")).is_ok_and(|exe| exe == launcher);
    let own = |directory: &Path| {
        let stat = fs::read_to_string(directory.join("stat")).unwrap_or_default();
        let parent = stat
            .rsplit_once(") ")
            .and_then(|(_, rest)| rest.split(' ').nth(1)?.parse::<u32>().ok());
        parent == Some(std::process::id())
    };
    let found = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let directory = found
        .into_iter()
        .find(|directory| own(directory) && is_it(directory))
        .unwrap();
    let number = directory.file_name().unwrap().to_str().unwrap().parse().unwrap();
    Pid::from_raw(number).unwrap()
}

#[test]
fn a_stopped_or_killed_launcher_is_replaced() {
    let place = Place::new();
    // One of our own: the other tests go on with theirs.
    let own = tempfile::tempdir().unwrap();
    let launcher = own.path().canonicalize().unwrap().join("launcher");
    fs::copy(LAUNCHER, &launcher).unwrap();
    let run = || {
        let command = place.command(Policy::closed(), &["echo", "here"]);
        command.launcher(Launcher::Path(launcher.clone())).run().unwrap()
    };
    assert_eq!(out(&run()), "here\n");
    for signal in [Signal::STOP, Signal::KILL] {
        let before = process(&launcher);
        kill_process(before, signal).unwrap();
        let report = run();
        assert_eq!(
            (report.ended, out(&report).as_str()),
            (Ended::Exit(0), "here\n"),
            "{signal:?}"
        );
        assert_ne!(process(&launcher), before, "{signal:?}");
    }
    Launcher::Path(launcher).dismiss();
}
