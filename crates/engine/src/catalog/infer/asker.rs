//! One program, asked many times: every question goes through the probing sandbox and counts.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use argrail_sandbox::{Error, Refusal};

use super::budget::Budget;
use super::heard::{Heard, Silence};
use crate::catalog::probe::{Booth, Listen, Question, is_the_machine};
use crate::profile::Grounds;

/// Whoever answers questions: a program in its sandbox, and in unit tests a function.
pub(super) trait Ask: Sync {
    /// Starts the program with these words and hears what it says.
    fn ask(&self, words: &[&str]) -> Heard;
}

/// A program that is asked for help.
pub(super) struct Asker<'a> {
    booth: &'a Booth<'a>,
    program: &'a Path,
    grounds: Grounds,
    budget: &'a Budget,
    stop: &'a AtomicBool,
    /// The machine cannot hold programs: nothing more is started.
    refused: Mutex<Option<Refusal>>,
}

impl<'a> Asker<'a> {
    pub(super) fn new(
        booth: &'a Booth<'a>,
        program: &'a Path,
        home: &Path,
        budget: &'a Budget,
        stop: &'a AtomicBool,
    ) -> Self {
        Self {
            booth,
            program,
            grounds: Grounds::of(program, home),
            budget,
            stop,
            refused: Mutex::new(None),
        }
    }

    /// Returns why nothing could be started on this machine, if so.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        self.refused
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn refuse(&self, refusal: Refusal) {
        let mut slot = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        slot.get_or_insert(refusal);
    }
}

impl Ask for Asker<'_> {
    fn ask(&self, words: &[&str]) -> Heard {
        if self.stop.load(Ordering::Relaxed) {
            return Heard::Silence(Silence::Interrupted);
        }
        if self.refusal().is_some() {
            return Heard::Silence(Silence::Spent);
        }
        let Some(timeout) = self.budget.take() else {
            return Heard::Silence(Silence::Spent);
        };
        let question = Question {
            words,
            listen: Listen::Both,
            timeout,
        };
        let heard = match self.booth.ask(self.program, &self.grounds, &question) {
            Ok(report) => Heard::of(&report),
            Err(Error::Refused(refusal)) if is_the_machine(&refusal) => {
                self.refuse(refusal);
                Heard::Silence(Silence::Spent)
            }
            Err(Error::Refused(refusal)) => Heard::Silence(Silence::Failed(refusal.reason)),
            Err(error @ (Error::Program { .. } | Error::Host { .. })) => {
                Heard::Silence(Silence::Failed(error.to_string()))
            }
        };
        if heard == Heard::Silence(Silence::TimedOut) {
            self.budget.note_hung();
        }
        heard
    }
}
