//! One turn, from the prompt to its end: events are told as they come, questions are put between them, and signals are
//! heeded at once.

use std::pin::pin;

use argrail_agents::{Canceller, Event, Session, Turn};

use super::outcome::Outcome;
use super::questions::{Put, Questions};
use super::signals::{Signals, Wanted};
use super::telling::Teller;
use crate::deciding::Attendant;

/// Everybody who takes part beside the agent.
pub(super) struct Room<'r> {
    /// The agent, for messages.
    pub(super) agent: &'r str,
    /// Who is told.
    pub(super) teller: &'r mut dyn Teller,
    /// Who is asked, if somebody is there.
    pub(super) attendant: Option<&'r mut Attendant>,
    /// What is asked.
    pub(super) questions: &'r mut Questions,
    /// What somebody wants of us.
    pub(super) signals: &'r mut Signals,
    /// The questions that were told to nobody in particular.
    pub(super) told: Vec<String>,
}

/// What comes next.
enum Next {
    Event(Option<Event>),
    Question(Put),
    Signal(Wanted),
}

impl Room<'_> {
    /// Sends the prompt and returns how the turn ended.
    pub(super) async fn hold(&mut self, session: &mut Session, prompt: &str) -> Outcome {
        let canceller = session.canceller();
        let mut turn = session.send(prompt);
        loop {
            match self.next(&mut turn).await {
                Next::Event(Some(event)) => {
                    if self.teller.tell(&event).is_err() {
                        // Who reads no more wants no more.
                        canceller.cancel();
                    }
                    if let Some(outcome) = Outcome::of(&event.kind, self.agent) {
                        return outcome;
                    }
                }
                Next::Event(None) => return Outcome::unheard(self.agent),
                Next::Question(put) => {
                    if let Some(wanted) = self.put(&put).await
                        && let Some(stopped) = self.heed(wanted, &canceller)
                    {
                        return stopped;
                    }
                }
                Next::Signal(wanted) => {
                    if let Some(stopped) = self.heed(wanted, &canceller) {
                        return stopped;
                    }
                }
            }
        }
    }

    /// Waits for something that is no turn, putting questions meanwhile. A signal ends it, with an exit number.
    pub(super) async fn meanwhile<T>(&mut self, work: impl Future<Output = T>) -> Result<T, u8> {
        let mut work = pin!(work);
        loop {
            let put = tokio::select! {
                biased;
                exit = self.signals.end() => return Err(exit),
                Some(put) = self.questions.recv() => put,
                done = &mut work => return Ok(done),
            };
            let asked = self.put(&put);
            tokio::select! {
                biased;
                wanted = asked => if let Some(wanted) = wanted {
                    return Err(wanted.exit());
                },
                done = &mut work => {
                    if let Some(attendant) = &mut self.attendant {
                        attendant.leave();
                    }
                    return Ok(done);
                }
            }
        }
    }

    async fn next(&mut self, turn: &mut Turn<'_>) -> Next {
        tokio::select! {
            biased;
            wanted = self.signals.next() => Next::Signal(wanted),
            Some(put) = self.questions.recv() => Next::Question(put),
            event = turn.next() => Next::Event(event),
        }
    }

    /// Puts a question. Returns the signal that came instead of an answer.
    async fn put(&mut self, put: &Put) -> Option<Wanted> {
        let Some(attendant) = &mut self.attendant else {
            self.teller.note(&format!(
                "the agent waits for a person: argrail approve {}",
                put.id
            ));
            self.told.push(put.id.to_string());
            return None;
        };
        self.teller.finish();
        tokio::select! {
            biased;
            wanted = self.signals.next() => {
                attendant.leave();
                Some(wanted)
            }
            () = put.withdrawn.cancelled() => {
                attendant.leave();
                attendant.say("nobody waits for the answer any more");
                None
            }
            asked = attendant.ask(&put.id) => {
                if let Err(error) = asked {
                    attendant.say(&error.to_string());
                }
                None
            }
        }
    }

    /// Does what a signal wants, and returns the end if that is it.
    fn heed(&mut self, wanted: Wanted, canceller: &Canceller) -> Option<Outcome> {
        match wanted {
            Wanted::Cancel => {
                self.teller
                    .note("cancelling the turn; Ctrl-C again ends the session");
                canceller.cancel();
                None
            }
            Wanted::End(exit) => Some(Outcome::Stopped(exit)),
        }
    }
}
