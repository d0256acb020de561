//! The machine as it was found.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{DumpableBehavior, dumpable_behavior};

use super::fix::KernelSettings;
use super::fix::fix;
use super::trial::FeatureTrial;
use crate::child::{Command, Error, Launcher, run_nothing};
use crate::launch::PROBER_ARGUMENT;
use crate::refusal::Fix;

/// How long everything together may take.
const PROBE_TIMEOUT: Duration = Duration::from_secs(20);

/// How much a prober may say.
const MAX_PROBER_BYTES: u64 = 16 * 1024;

/// What this machine can enforce.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Machine {
    /// 1 when everything can be held, 2 when only what Landlock and a filter hold can be, 3 when nothing can.
    pub tier: u8,
    /// What was tried, in a fixed order.
    pub features: Vec<Feature>,
    /// The version of Landlock's interface, where it is there.
    pub landlock_abi: Option<u32>,
}

/// Something that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Feature {
    /// Its name: `userNamespaces`.
    pub name: &'static str,
    /// Whether it works, for us, here.
    pub present: bool,
    /// Why it does not work; empty where it does.
    pub why: String,
    /// What makes it work; empty where it does.
    pub fix: Fix,
}

impl Machine {
    /// Returns what does not work.
    pub fn missing(&self) -> impl Iterator<Item = &Feature> {
        self.features.iter().filter(|feature| !feature.present)
    }
}

/// Tries what this machine can enforce, with this very program as the launcher. Its `main` calls
/// [`enter`](crate::enter) first.
pub fn probe() -> Machine {
    probe_with(&Launcher::SelfExe)
}

/// Tries what this machine can enforce, with another launcher.
pub fn probe_with(launcher: &Launcher) -> Machine {
    let settings = KernelSettings::read(Path::new("/"));
    let (tier, whole) = tier(launcher);
    let mut features = match run_prober(launcher) {
        Ok(tried) => features(&tried, &settings),
        Err(why) => vec![absent(
            "prober",
            format!("nothing could be tried: {why}"),
            Fix::new("Check that {program}'s own file can be read and started by this user"),
        )],
    };
    features.push(not_dumpable());
    features.push(whole);
    Machine {
        tier,
        features,
        landlock_abi: crate::sys::landlock::version(),
    }
}

/// Runs the real thing, which says more than its parts.
fn tier(launcher: &Launcher) -> (u8, Feature) {
    const NAME: &str = "sandbox";
    const FIX: &str = "See to the other features that are missing; they are what a sandbox is made of";
    match run_nothing(launcher) {
        Ok(report) if report.tier == Some(1) => (1, present(NAME)),
        Ok(report) => {
            let reason = report.notes.iter().find_map(|note| note.strip_prefix("tier 2: "));
            let only = "only Landlock and a filter of system calls can be had";
            let why = reason.map_or_else(|| only.to_owned(), |reason| format!("{reason}; {only}"));
            (2, absent(NAME, why, Fix::new(FIX)))
        }
        Err(error) => (3, absent(NAME, error.to_string(), Fix::new(FIX))),
    }
}

fn run_prober(launcher: &Launcher) -> Result<Vec<(FeatureTrial, i32)>, Error> {
    let program = launcher.program().map_err(Error::host("find the launcher"))?;
    // Where grants will be: whether owners can be mapped depends on the file system.
    let directory = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let report = Command::host([program.into_os_string(), PROBER_ARGUMENT.into()], &directory)
        .timeout(PROBE_TIMEOUT)
        .max_output(MAX_PROBER_BYTES)
        .run()?;
    let said = String::from_utf8_lossy(&report.stdout);
    let tried: Vec<(FeatureTrial, i32)> = said.lines().filter_map(read).collect();
    if tried.is_empty() {
        return Err(Error::host("try what the machine offers")(
            io::ErrorKind::UnexpectedEof.into(),
        ));
    }
    Ok(tried)
}

/// Reads one line of a prober.
fn read(line: &str) -> Option<(FeatureTrial, i32)> {
    let (name, error) = line.split_once(' ')?;
    let trial = FeatureTrial::ALL.into_iter().find(|trial| trial.name() == name)?;
    Some((trial, error.parse().ok()?))
}

fn features(tried: &[(FeatureTrial, i32)], settings: &KernelSettings) -> Vec<Feature> {
    let refused =
        |(trial, error): &&(FeatureTrial, i32)| *trial == FeatureTrial::UserNamespaces && *error != 0;
    let no_users = tried.iter().find(refused);
    let feature = |(trial, error): &(FeatureTrial, i32)| match no_users {
        // What is built on another feature is mended by mending that.
        Some((users, why)) if trial.needs_user_namespace() && *error != 0 => absent(
            trial.name(),
            format!(
                "it needs {}, which was refused: {}",
                users.name(),
                io::Error::from_raw_os_error(*why)
            ),
            fix(*users, *why, settings),
        ),
        Some(_) | None => feature(*trial, *error, settings),
    };
    tried.iter().map(feature).collect()
}

fn feature(trial: FeatureTrial, error: i32, settings: &KernelSettings) -> Feature {
    match error {
        0 => present(trial.name()),
        error => absent(
            trial.name(),
            format!(
                "it was tried and refused: {}",
                io::Error::from_raw_os_error(error)
            ),
            fix(trial, error, settings),
        ),
    }
}

/// This program's own memory, which holds secrets.
fn not_dumpable() -> Feature {
    const NAME: &str = "notDumpable";
    match dumpable_behavior() {
        Ok(DumpableBehavior::NotDumpable) => present(NAME),
        Ok(DumpableBehavior::Dumpable | DumpableBehavior::DumpableReadableOnlyByRoot) | Err(_) => absent(
            NAME,
            "this process can be dumped, and read by others of the same user".to_owned(),
            Fix::new("Call argrail_sandbox::enter() first in main"),
        ),
    }
}

fn present(name: &'static str) -> Feature {
    Feature {
        name,
        present: true,
        why: String::new(),
        fix: Fix::new(""),
    }
}

fn absent(name: &'static str, why: String, fix: Fix) -> Feature {
    Feature {
        name,
        present: false,
        why,
        fix,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_prober_are_read_and_others_are_not() {
        assert_eq!(read("userNamespaces 0"), Some((FeatureTrial::UserNamespaces, 0)));
        assert_eq!(read("landlock 95"), Some((FeatureTrial::Landlock, 95)));
        for line in ["", "landlock", "landlock x", "nonsense 0"] {
            assert_eq!(read(line), None, "{line:?}");
        }
    }
}
