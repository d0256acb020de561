//! Where a stranger's program is asked: one closed sandbox per question, and nothing of it left afterwards.
//!
//! Whoever asks programs asks here, so that all are held alike: an empty home, a read-only file system, no network, no
//! terminal, no input, a small environment, and an end.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use argrail_sandbox::policy::{Anchors, Exec, Protected};
use argrail_sandbox::{Cancel, Command, Error, Output, Refusal, Report, Stdin};

use super::closed;
use super::settings::Settings;
use crate::profile::Grounds;

/// The home of whoever is asked: an empty directory that exists in the sandbox only.
const EMPTY: &str = "/empty";

/// How long a program has to end when its time is up, before it is killed. It was told that there is little time.
const GRACE: Duration = Duration::from_millis(50);

/// Which of its outputs a program is listened to on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listen {
    /// The first: where data stands.
    Stdout,
    /// Both: help texts stand on either.
    Both,
}

/// One question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'q> {
    /// The words after the program's name.
    pub(crate) words: &'q [&'q str],
    /// Where the answer is.
    pub(crate) listen: Listen,
    /// How long it may take.
    pub(crate) timeout: Duration,
}

/// Asks programs, one question at a time and from any thread.
#[derive(Debug)]
pub(crate) struct Booth<'s> {
    settings: &'s Settings,
    anchors: Anchors,
    cancel: &'s Cancel,
    /// Whether programs may start others. Where the machine cannot hold that, they may not.
    alone: AtomicBool,
}

impl<'s> Booth<'s> {
    /// Prepares to ask. `cancel` ends what runs.
    ///
    /// # Errors
    /// Never for the fixed paths that are used here; said because paths are checked.
    pub(crate) fn new(settings: &'s Settings, cancel: &'s Cancel) -> Result<Self, Refusal> {
        Ok(Self {
            settings,
            anchors: Anchors::new(EMPTY, EMPTY)?,
            cancel,
            alone: AtomicBool::new(false),
        })
    }

    /// Asks the program at `path`, which stands on these grounds, and waits for its end.
    ///
    /// # Errors
    /// When it cannot be started, or not be held.
    pub(crate) fn ask(
        &self,
        path: &Path,
        grounds: &Grounds,
        question: &Question<'_>,
    ) -> Result<Report, Error> {
        if !self.alone.load(Ordering::Relaxed) {
            match self.command(path, grounds, question, Exec::Any)?.run() {
                // The second tier cannot keep a tree of processes together, so it holds a single one.
                Err(Error::Refused(refusal)) if is_about_trees(&refusal) => {
                    self.alone.store(true, Ordering::Relaxed);
                }
                // This program's files cannot be shown to another user, and root's processes not be counted.
                Err(Error::Refused(refusal)) if is_about_numbers(&refusal) => {}
                done => return done,
            }
        }
        self.command(path, grounds, question, Exec::None)?.run()
    }

    fn command(
        &self,
        path: &Path,
        grounds: &Grounds,
        question: &Question<'_>,
        exec: Exec,
    ) -> Result<Command, Error> {
        let words = question.words.iter().map(|word| (*word).into());
        let argv = std::iter::once(path.as_os_str().to_owned()).chain(words);
        let mut policy = closed::policy(grounds, exec, question.timeout)?;
        if policy.exec == Exec::None {
            // Not needed for one that cannot start another, and not to be had for root without namespaces.
            policy.limits.processes = None;
        }
        let own = &self.settings.own;
        let hidden: Vec<_> = own.iter().filter(|path| grounds.shows(path)).cloned().collect();
        let protected = if hidden.is_empty() {
            Protected::none()
        } else {
            Protected::none().hide("it belongs to argrail", hidden)
        };
        let stderr = match question.listen {
            Listen::Stdout => Output::Null,
            Listen::Both => Output::Capture,
        };
        Ok(Command::confined(argv, policy, self.anchors.clone())
            .launcher(self.settings.launcher.clone())
            .directory(Path::new("/"))
            .search_path(grounds.search.iter().cloned())
            .protected(protected)
            .stdin(Stdin::Null)
            .stderr(stderr)
            .grace(GRACE)
            .cancel_with(self.cancel.clone()))
    }
}

/// Whether a policy is refused for wanting to start processes, which a narrower one does not.
fn is_about_trees(refusal: &Refusal) -> bool {
    refusal.missing.is_some() && refusal.field == "exec.allow"
}

/// Whether a policy is refused for a number of processes that cannot be held.
fn is_about_numbers(refusal: &Refusal) -> bool {
    refusal.missing.is_some() && refusal.field == "limits.processes"
}

/// Whether the machine cannot confine anything, rather than this program.
pub(crate) fn is_the_machine(refusal: &Refusal) -> bool {
    refusal.missing.is_some()
}
