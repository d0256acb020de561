//! Asking a package manager about itself: in a sandbox without a network, where it can read its settings and write
//! nothing that stays.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_sandbox::Command;
use argrail_sandbox::policy::{Anchors, Exec, Limits, PathPattern, Policy};

use super::site::Site;
use crate::profile::{Grounds, SYSTEM_PATH};

/// How long an answer may take, and how long it may be.
const PATIENCE: Duration = Duration::from_secs(30);
const OUTPUT: u64 = 1 << 20;
/// Address space: runtimes reserve far more than they use.
const MEMORY: u64 = 64 << 30;

/// A question to a program that is installed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'q> {
    /// The program.
    pub(super) program: &'q Path,
    /// The words after it.
    pub(super) words: &'q [&'q str],
    /// Variables that it gets.
    pub(super) environment: &'q [(String, String)],
    /// Settings and libraries that it may read, if they are there.
    pub(super) reads: &'q [PathBuf],
}

/// Asks; returns what came on both outputs, whatever the exit. `None` when it could not be asked.
pub(super) fn ask(site: &Site<'_>, question: &Question<'_>) -> Option<String> {
    let mut policy = Policy::closed().exec(Exec::Any).limits(Limits {
        wall: Some(PATIENCE),
        output: Some(OUTPUT),
        memory: Some(MEMORY),
        ..Limits::default()
    });
    let grounds = Grounds::of(question.program, site.home);
    policy.read.extend(grounds.patterns());
    policy.read.extend(readable(question.reads));
    let argv = std::iter::once(question.program.as_os_str().to_owned())
        .chain(question.words.iter().map(|word| OsString::from(*word)));
    let anchors = Anchors::new(site.home, "/tmp").ok()?;
    let mut command = Command::confined(argv, policy, anchors)
        .launcher(site.launcher.clone())
        .directory(Path::new("/tmp"))
        .search_path(grounds.search.iter().cloned())
        .secret("PATH", search(question.program));
    for (name, value) in question.environment {
        command = command.secret(name, value);
    }
    let report = command.run().ok()?;
    let mut said = String::from_utf8_lossy(&report.stdout).into_owned();
    said.push('\n');
    said.push_str(&String::from_utf8_lossy(&report.stderr));
    Some(said)
}

/// Returns patterns for those paths that are there; links are followed to what they mean.
pub(super) fn readable(paths: &[PathBuf]) -> impl Iterator<Item = PathPattern> {
    let real = paths.iter().filter_map(|path| path.canonicalize().ok());
    real.map(|path| match path.is_dir() {
        true => PathPattern::tree(&path),
        false => PathPattern::exact(&path),
    })
}

/// Returns where a package manager finds programs: beside itself, then where the system has them.
pub(super) fn search(program: &Path) -> OsString {
    let mut path = OsString::new();
    // Where it really lies: the way there may be one that the sandbox does not have.
    let real = program.parent().and_then(|folder| folder.canonicalize().ok());
    for folder in real.iter().map(PathBuf::as_path).chain(program.parent()) {
        path.push(folder);
        path.push(":");
    }
    path.push(SYSTEM_PATH);
    path
}
