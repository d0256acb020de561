//! One program of a recipe, run to its end: held by the sandbox, or by nothing where a person said yes to that.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use argrail_sandbox::policy::{Anchors, Exec, HostPattern, Limits, PathPattern, Policy, Protected};
use argrail_sandbox::{Cancel, Command, DenialKind, Output, OutputCallback, Report};

use super::ask::{readable, search};
use super::error::Fault;
use super::recipe::{Hold, Run};
use super::shelf::Build;
use super::site::Site;
use crate::config::Loopback;
use crate::profile::Grounds;
use crate::run::Tail;

const MIB: u64 = 1 << 20;
/// How many hosts that were refused are told.
const REFUSED: usize = 8;

/// Whom a program reaches.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// By name.
    pub(super) hosts: Vec<HostPattern>,
    /// Those of them that may be inside of a company's network.
    pub(super) anywhere: Vec<String>,
}

/// Runs a program; nobody else is reached by it.
///
/// # Errors
/// When it is not started, fails, or takes too long.
pub(super) fn run(
    site: &Site<'_>,
    run: &Run,
    reached: Reached,
    build: &Build,
    cancel: Option<&Cancel>,
) -> Result<(), Fault> {
    let argv: Vec<OsString> = run.argv.iter().map(|word| build.fill(word)).collect();
    let program = PathBuf::from(argv.first().cloned().unwrap_or_default());
    let mut command = match run.hold {
        Hold::Sandbox => confined(site, run, reached, build, argv)?,
        Hold::Nothing => free(run, build, argv, &program),
    };
    let tail = Arc::new(Mutex::new(Tail::default()));
    let listen = || -> Output {
        let tail = Arc::clone(&tail);
        let each: OutputCallback =
            Box::new(move |bytes| tail.lock().unwrap_or_else(PoisonError::into_inner).push(bytes));
        Output::Each(each)
    };
    command = command.stdout(listen()).stderr(listen()).timeout(run.timeout);
    if let Some(cancel) = cancel {
        command = command.cancel_with(cancel.clone());
    }
    let report = command.run()?;
    let said = tail.lock().unwrap_or_else(PoisonError::into_inner);
    judge(&program, run.timeout, &report, said.bytes())
}

fn judge(program: &Path, timeout: Duration, report: &Report, said: &[u8]) -> Result<(), Fault> {
    let name = || {
        program
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    if report.cancelled {
        return Err(Fault::Cancelled);
    }
    if report.timed_out {
        return Err(Fault::Late {
            program: name(),
            seconds: timeout.as_secs(),
        });
    }
    if report.ended.code() == Some(0) && !report.truncated {
        return Ok(());
    }
    let refused = report
        .denials
        .iter()
        .filter(|denial| denial.kind == DenialKind::Net);
    let unreached = report.unreached.iter().map(|unreached| unreached.target.clone());
    let mut hosts: Vec<String> = refused
        .map(|denial| denial.target.clone())
        .chain(unreached)
        .collect();
    hosts.sort();
    hosts.dedup();
    hosts.truncate(REFUSED);
    Err(Fault::Ran {
        program: name(),
        exit: report.ended.code(),
        said: String::from_utf8_lossy(said).into_owned(),
        refused: hosts,
    })
}

fn confined(
    site: &Site<'_>,
    run: &Run,
    reached: Reached,
    build: &Build,
    argv: Vec<OsString>,
) -> Result<Command, argrail_sandbox::Error> {
    let program = PathBuf::from(argv.first().cloned().unwrap_or_default());
    let grounds = Grounds::of(&program, site.home);
    let mut policy = Policy::closed()
        .exec(Exec::Any)
        .limits(limits())
        .write(PathPattern::tree(&build.own))
        .write(PathPattern::tree(&build.scratch));
    policy.read.extend(grounds.patterns());
    policy.read.extend(readable(&run.reads));
    policy.write.extend(readable(&run.writes));
    policy.egress = reached.hosts;
    let anchors = Anchors::new(site.home, build.scratch.as_path())?;
    let mut command = Command::confined(argv, policy, anchors)
        .launcher(site.launcher.clone())
        .directory(&build.scratch)
        .search_path(grounds.search.iter().cloned())
        // What lets code run later, elsewhere, stays as it is, whatever a recipe may write.
        .protected(Protected::standard(site.home, &build.scratch))
        .resolve(site.reach.resolve.clone())
        .allow_private_addresses(reached.anywhere)
        .secret("PATH", search(&program));
    for (name, value) in &run.environment {
        command = command.secret(name, build.fill(value));
    }
    Ok(match site.reach.loopback {
        Loopback::Refused => command,
        Loopback::Allowed => command.allow_loopback(),
    })
}

fn free(run: &Run, build: &Build, argv: Vec<OsString>, program: &Path) -> Command {
    let variables = run
        .environment
        .iter()
        .map(|(name, value)| (OsString::from(name), build.fill(value)));
    let path = (OsString::from("PATH"), search(program));
    Command::host(argv, Path::new("/")).environment(std::iter::once(path).chain(variables))
}

/// Enough for a compiler. The time is the recipe's.
fn limits() -> Limits {
    Limits {
        wall: None,
        output: Some(1024 * MIB),
        // Address space: runtimes reserve far more than they use.
        memory: Some(64 << 30),
        processes: Some(2048),
        file_size: Some(8 << 30),
        open_files: Some(8192),
        cpu: None,
        scratch: Some(2048 * MIB),
    }
}
