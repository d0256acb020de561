//! Whether this machine could hold a child, told before it is started: so that nobody is asked about what cannot run.

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use super::command::{Command, Confinement};
use super::confined::{LaunchAttempt, NO_NAMESPACES};
use super::error::Error;
use super::launcher_process::Launcher;
use super::report::Report;
use crate::compile::remove_empty;
use crate::launch::{HostIdentity, NOTHING_ATTEMPT, PROVER_ARGUMENT, Tier};
use crate::policy::{Anchors, Policy};

/// How long a child may take that does nothing. A loaded machine needs some of it.
const NOTHING_TIMEOUT: Duration = Duration::from_secs(20);

/// Sees whether the child could be held, in the tier that this machine has.
pub(super) fn check(mut command: Command) -> Result<(), Error> {
    let confinement = std::mem::replace(&mut command.confinement, Confinement::Host);
    let Confinement::Policy(policy, anchors) = confinement else {
        return Ok(());
    };
    command.launcher.check()?;
    let mut policy = *policy;
    policy.limits = command.limits;
    if NO_NAMESPACES.get().is_none() && command.namespaces {
        known_tier(&command.launcher)?;
    }
    let missing = match (NO_NAMESPACES.get(), command.namespaces) {
        // Everything can be held, as far as there is a file for it.
        (None, true) => return Ok(()),
        (missing, _) => missing,
    };
    let attempt = LaunchAttempt {
        command: &command,
        policy: &policy,
        anchors: &anchors,
        host_user: HostIdentity::current(),
    };
    match (attempt.compile_for(Tier::Landlock, false), missing) {
        (Ok(compiled), _) => {
            remove_empty(&compiled.made);
            Ok(())
        }
        (Err(Error::Refused(refusal)), Some(failure)) => {
            Err(Error::Refused(attempt.explain(refusal, failure)))
        }
        (Err(error), _) => Err(error),
    }
}

/// Starts a child that may do nothing, once, so that it is known what this machine has.
fn known_tier(launcher: &Launcher) -> Result<(), Error> {
    static KNOWN: OnceLock<()> = OnceLock::new();
    if KNOWN.get().is_none() {
        run_nothing(launcher)?;
        let _ = KNOWN.set(());
    }
    Ok(())
}

/// Runs a child that does nothing and may do nothing.
///
/// # Errors
/// When nothing can be confined here.
pub(crate) fn run_nothing(launcher: &Launcher) -> Result<Report, Error> {
    let program = launcher.program().map_err(Error::host("find the launcher"))?;
    let anchors = Anchors::new("/tmp", "/tmp")?;
    let argv = [
        program.into_os_string(),
        PROVER_ARGUMENT.into(),
        NOTHING_ATTEMPT.into(),
    ];
    let report = Command::confined(argv, Policy::closed(), anchors)
        .launcher(launcher.clone())
        .timeout(NOTHING_TIMEOUT)
        .run()?;
    match report.ended.code() {
        Some(0) => Ok(report),
        Some(_) | None => {
            let why = format!("a child that does nothing ended with {:?}", report.ended);
            Err(Error::host("confine")(io::Error::other(why)))
        }
    }
}
