//! The floor: the same programs with the same word, in the same sandbox, as many at a time, and nothing else done.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use argrail_engine::catalog::probe::{TIMEOUT, default_jobs};
use argrail_sandbox::policy::{Anchors, Exec, PathPattern, Policy};
use argrail_sandbox::{Command, Launcher, Output};

/// As short as ours.
const GRACE: Duration = Duration::from_millis(50);

/// Starts every program once.
pub(super) fn run(launcher: &Path, programs: &[PathBuf]) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let anchors = Anchors::new("/empty", "/empty").map_err(io::Error::other)?;
    let work = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            // Some programs of a machine cannot be started; ours meets them, too.
            let _ = command(launcher, program, &anchors).run();
        }
    };
    thread::scope(|scope| {
        for _ in 0..default_jobs() {
            scope.spawn(work);
        }
    });
    Ok(())
}

fn command(launcher: &Path, program: &Path, anchors: &Anchors) -> Command {
    let mut policy = Policy::closed().exec(Exec::Any);
    let directory = program
        .parent()
        .filter(|directory| !directory.starts_with("/usr"));
    if let Some(real) = directory.and_then(|directory| directory.canonicalize().ok()) {
        policy = policy.read(PathPattern::tree(&real));
    }
    Command::confined([program.as_os_str(), "--agent".as_ref()], policy, anchors.clone())
        .launcher(Launcher::Path(launcher.to_owned()))
        .directory(Path::new("/"))
        .stderr(Output::Null)
        .timeout(TIMEOUT)
        .grace(GRACE)
}
