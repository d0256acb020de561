//! Whether this machine could hold a child, told before it is started: so that nobody is asked about what cannot run.

use std::sync::OnceLock;

use super::command::{Command, Confinement};
use super::confined::{Attempt, NO_NAMESPACES};
use super::error::Error;
use super::launcher::Launcher;
use crate::compile::{remove_empty, who_we_are};
use crate::launch::Tier;

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
    let attempt = Attempt {
        command: &command,
        policy: &policy,
        anchors: &anchors,
        us: who_we_are(),
    };
    match (attempt.compiled(Tier::Landlock, false), missing) {
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
        crate::probe::closed(launcher)?;
        let _ = KNOWN.set(());
    }
    Ok(())
}
