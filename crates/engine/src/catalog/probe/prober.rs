//! Many programs at once: a pool of threads, each with one program in its sandbox at a time.
//!
//! A program that hangs holds one thread and nobody else. Programs are asked in `--agent` first, and then only in the
//! dialects whose literal stands in their file, so that no stranger is started seven times.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use argrail_sandbox::{Cancel, Error, Refusal};

use super::answer::{Verdict, judge};
use super::booth::{Booth, Listen, Question, is_the_machine};
use super::crew::together;
use super::outcome::{Outcome, Probed};
use super::settings::Settings;
use super::version_text::version_in;
use crate::catalog::dialect::DIALECTS;
use crate::catalog::scan::{Candidate, Literals};
use crate::files::identity;
use crate::profile::Grounds;

/// Asks programs what they are.
#[derive(Debug)]
pub struct Prober<'s> {
    settings: &'s Settings,
    booth: Booth<'s>,
    stop: &'s AtomicBool,
}

impl<'s> Prober<'s> {
    /// Prepares to ask. `cancel` ends what runs and `stop` keeps more from being started.
    ///
    /// # Errors
    /// Never for the fixed paths that are used here; said because paths are checked.
    pub fn new(settings: &'s Settings, cancel: &'s Cancel, stop: &'s AtomicBool) -> Result<Self, Refusal> {
        Ok(Self {
            settings,
            booth: Booth::new(settings, cancel)?,
            stop,
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
        together(self.settings.workers(wanted.len()), &work);
        let refused = refused.into_inner().unwrap_or_else(PoisonError::into_inner);
        refused.map_or(Ok(()), Err)
    }

    /// Asks a program for its version. What it says that is none, or nothing in time, is no answer.
    pub fn version(&self, candidate: &Candidate) -> Option<String> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let grounds = Grounds::of(&candidate.path, &self.settings.home);
        let question = Question {
            words: &["--version"],
            listen: Listen::Both,
            timeout: self.settings.bounded_timeout(),
        };
        let report = self.booth.ask(&candidate.path, &grounds, &question).ok()?;
        if report.cancelled || report.timed_out || report.truncated {
            return None;
        }
        let told = |bytes: &[u8]| version_in(&String::from_utf8_lossy(bytes));
        told(&report.stdout).or_else(|| told(&report.stderr))
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
            let question = Question {
                words: attempt.words,
                listen: Listen::Stdout,
                timeout: self.settings.bounded_timeout(),
            };
            let verdict = match self.booth.ask(&candidate.path, &grounds, &question) {
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
