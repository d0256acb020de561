//! Many programs at once: a pool of threads, each with one program in its sandbox at a time.
//!
//! A program that hangs holds one thread and nobody else. Programs are asked in `--agent` first, and then only in the
//! dialects whose literal stands in their file, so that no stranger is started seven times.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use argrail_sandbox::policy::{Anchors, Exec, Protected};
use argrail_sandbox::{Cancel, Command, Error, Output, Refusal, Report, Stdin};

use super::answer::{Verdict, judge};
use super::closed;
use super::outcome::{Outcome, Probed};
use super::settings::Settings;
use crate::catalog::dialect::DIALECTS;
use crate::catalog::identity;
use crate::catalog::scan::{Candidate, Literals};
use crate::profile::Grounds;

/// The home of whoever is asked: an empty directory that exists in the sandbox only.
const EMPTY: &str = "/empty";

/// How long a program has to end when its time is up, before it is killed. It was told that there is little time.
const GRACE: Duration = Duration::from_millis(50);

/// Asks programs what they are.
#[derive(Debug)]
pub struct Prober<'s> {
    settings: &'s Settings,
    anchors: Anchors,
    cancel: &'s Cancel,
    stop: &'s AtomicBool,
    /// Whether programs may start others. Where the machine cannot hold that, they may not.
    alone: AtomicBool,
}

impl<'s> Prober<'s> {
    /// Prepares to ask. `cancel` ends what runs and `stop` keeps more from being started.
    ///
    /// # Errors
    /// Never for the fixed paths that are used here; said because paths are checked.
    pub fn new(settings: &'s Settings, cancel: &'s Cancel, stop: &'s AtomicBool) -> Result<Self, Refusal> {
        Ok(Self {
            settings,
            anchors: Anchors::new(EMPTY, EMPTY)?,
            cancel,
            stop,
            alone: AtomicBool::new(false),
        })
    }

    /// Asks these candidates, by their place in the list, and hands over each answer as it comes, from any thread.
    /// `known` are literals that were found before.
    ///
    /// # Errors
    /// When this machine cannot confine programs: then none was started.
    pub fn run(
        &self,
        candidates: &[Candidate],
        wanted: &[(usize, Option<Literals>)],
        each: &(dyn Fn(Probed) + Sync),
    ) -> Result<(), Refusal> {
        let next = AtomicUsize::new(0);
        let refused = Mutex::new(None);
        let work = || {
            while !self.stop.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some((index, known)) = wanted.get(at) else {
                    return;
                };
                let Some(candidate) = candidates.get(*index) else {
                    continue;
                };
                match self.ask(*index, candidate, *known) {
                    Ok(probed) => each(probed),
                    Err(refusal) => {
                        self.stop.store(true, Ordering::Relaxed);
                        let mut slot = refused.lock().unwrap_or_else(PoisonError::into_inner);
                        slot.get_or_insert(refusal);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.settings.workers(wanted.len()) {
                // One that cannot be started is not needed: this thread asks, too.
                let _ = Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let refused = refused.into_inner().unwrap_or_else(PoisonError::into_inner);
        refused.map_or(Ok(()), Err)
    }

    fn ask(&self, index: usize, candidate: &Candidate, known: Option<Literals>) -> Result<Probed, Refusal> {
        let mut probed = Probed {
            index,
            outcome: Outcome::NotAtip,
            literals: known,
            started: 0,
        };
        let grounds = Grounds::of(&candidate.path, &self.settings.home);
        let attempts = DIALECTS
            .iter()
            .flat_map(|dialect| dialect.attempts.iter().map(move |attempt| (dialect, attempt)));
        for (at, (dialect, attempt)) in attempts.enumerate() {
            if at > 0 {
                let literals = probed
                    .literals
                    .get_or_insert_with(|| Literals::of_file(&candidate.path));
                if !literals.has(at) {
                    continue;
                }
            }
            if self.stop.load(Ordering::Relaxed) {
                probed.outcome = Outcome::Interrupted;
                break;
            }
            let verdict = match self.start(candidate, &grounds, attempt.words) {
                Ok(report) => {
                    probed.started += 1;
                    judge(&candidate.name, dialect, &report)
                }
                Err(Error::Refused(refusal)) if is_the_machine(&refusal) => return Err(refusal),
                Err(Error::Refused(refusal)) => Verdict::Failed(refusal.reason),
                Err(error @ (Error::Program { .. } | Error::Host { .. })) => {
                    Verdict::Failed(error.to_string())
                }
            };
            // A script without a `#!` line, a program for another machine: it would answer the same to every word.
            let unstartable = probed.started == 0;
            probed.outcome = outcome(verdict, dialect.name);
            if unstartable || probed.outcome != Outcome::NotAtip {
                break;
            }
        }
        // What was asked must be what was listed, and what is remembered.
        let is_found = matches!(probed.outcome, Outcome::Found { .. });
        if is_found && identity::look(&candidate.path).ok().flatten() != Some(candidate.identity) {
            probed.outcome = Outcome::Failed {
                reason: "changed while it was asked".to_owned(),
            };
        }
        Ok(probed)
    }

    fn start(&self, candidate: &Candidate, grounds: &Grounds, words: &[&str]) -> Result<Report, Error> {
        if !self.alone.load(Ordering::Relaxed) {
            match self.command(candidate, grounds, words, Exec::Any)?.run() {
                // The second tier cannot keep a tree of processes together, so it holds a single one.
                Err(Error::Refused(refusal)) if is_about_trees(&refusal) => {
                    self.alone.store(true, Ordering::Relaxed);
                }
                // This program's files cannot be shown to another user, and root's processes not be counted.
                Err(Error::Refused(refusal)) if is_about_numbers(&refusal) => {}
                done => return done,
            }
        }
        self.command(candidate, grounds, words, Exec::None)?.run()
    }

    fn command(
        &self,
        candidate: &Candidate,
        grounds: &Grounds,
        words: &[&str],
        exec: Exec,
    ) -> Result<Command, Error> {
        let argv = std::iter::once(candidate.path.as_os_str().to_owned())
            .chain(words.iter().map(|word| (*word).into()));
        let mut policy = closed::policy(grounds, exec, self.settings.bounded_timeout())?;
        if policy.exec == Exec::None {
            // Not needed for one that cannot start another, and not to be had for root without namespaces.
            policy.limits.processes = None;
        }
        let own = &self.settings.own;
        let hidden: Vec<_> = own.iter().filter(|path| grounds.shows(path)).cloned().collect();
        let protected = if hidden.is_empty() {
            Protected::none()
        } else {
            Protected::none().own(hidden)
        };
        Ok(Command::confined(argv, policy, self.anchors.clone())
            .launcher(self.settings.launcher.clone())
            .directory(Path::new("/"))
            .search_path(grounds.search.iter().cloned())
            .protected(protected)
            .stdin(Stdin::Null)
            .stderr(Output::Null)
            .grace(GRACE)
            .cancel_with(self.cancel.clone()))
    }
}

fn outcome(verdict: Verdict, dialect: &'static str) -> Outcome {
    match verdict {
        Verdict::Metadata(metadata, warnings) => Outcome::Found {
            dialect,
            metadata,
            warnings,
        },
        Verdict::Nothing => Outcome::NotAtip,
        Verdict::Impostor(says) => Outcome::Impostor { says },
        Verdict::Invalid(reason) => Outcome::Invalid { reason },
        Verdict::Failed(reason) => Outcome::Failed { reason },
        Verdict::TimedOut => Outcome::TimedOut,
        Verdict::Interrupted => Outcome::Interrupted,
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
fn is_the_machine(refusal: &Refusal) -> bool {
    refusal.missing.is_some()
}
