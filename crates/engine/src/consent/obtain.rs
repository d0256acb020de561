//! From a question to a yes: what was answered before is taken, else a person is asked and waited for.
//!
//! Nothing of the tool runs meanwhile. A yes is taken from the store once, by one process; a no holds until its question
//! expires; that nobody answered is told once, and is nobody's no. Whoever stops waiting leaves the question open.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use argrail_acli::{BoxFuture, Error, Text};
use serde_json::Value;

use super::client::{Question, Said, Standing, Worth};
use super::leaving::Leaving;
use super::message::{is_whole, message};
use super::petition::Petition;
use super::refusal;
use crate::audit::{Action, Chain, Durability, Event};
use crate::notify::Notifier;
use crate::output::bounded_words;
use crate::policy::HumanApproval;
use crate::policy::Refused;
use crate::policy::{ApprovalMeans, Approver};
use crate::store::{Answer, Asked, Caps, Claim, NewRequest, Request, Ruling, State, Store, StoreError};

/// How many questions may wait.
const CAPS: Caps = Caps {
    per_caller: 16,
    all: 128,
};
/// How often the store is looked at. It costs microseconds.
const POLL: Duration = Duration::from_millis(200);

/// A question to a person, and everything that is needed to ask it.
pub(crate) struct Asking<'a> {
    /// Where questions and answers are.
    pub(crate) store: &'a dyn Store,
    /// Where it is kept what became of them.
    pub(crate) record: &'a Chain,
    /// Who tells people that it waits.
    pub(crate) notifier: &'a Notifier,
    /// What waits.
    pub(crate) petition: &'a dyn Petition,
    /// It, as it was written.
    pub(crate) line: &'a str,
    /// Why it asks.
    pub(crate) refused: &'a Refused,
    /// Who asks.
    pub(crate) caller: &'a str,
    /// What the answer holds for.
    pub(crate) binding: String,
    /// How long the question lives.
    pub(crate) lives: Duration,
    /// How long it is waited for.
    pub(crate) wait: Duration,
    /// Whether nobody waits for anything any more.
    pub(crate) leaving: &'a Leaving,
}

impl Asking<'_> {
    /// Returns a person's yes. `shown` is made when somebody has to be asked.
    ///
    /// # Errors
    /// That somebody has to be asked, that nobody answered in time, that a person said no; or the store's trouble.
    pub(crate) async fn obtain(
        &self,
        shown: impl FnOnce() -> Result<Value, Error>,
    ) -> Result<HumanApproval, Error> {
        if let Some(given) = self.claim()? {
            return Ok(given);
        }
        let request = self.ask(shown()?)?;
        match self.wait.is_zero() {
            true => self.at_once(request),
            false => self.waited(request).await,
        }
    }

    /// Asks anew because the call is not what was agreed to, and returns what the agent is told.
    pub(crate) fn again(&self, shown: Value) -> Error {
        match self.ask(shown) {
            Ok(request) => refusal::required(self.refused, self.line, &request),
            Err(error) => error,
        }
    }

    /// Takes an answer that is there.
    fn claim(&self) -> Result<Option<HumanApproval>, Error> {
        match self.store.claim(&self.binding, self.now()).map_err(fault)? {
            Claim::Approved(request) => {
                self.petition.note("approval", request.id.0.as_str().into());
                match &request.state {
                    State::Used(approver) | State::Approved(approver) => {
                        Ok(Some(self.given(&request, approver)))
                    }
                    State::Pending | State::Denied(..) | State::Expired => {
                        Err(refusal::required(self.refused, self.line, &request))
                    }
                }
            }
            Claim::Denied(request) => Err(self.refusal(&request)),
            Claim::Expired(request) => {
                self.petition.note("approval", request.id.0.as_str().into());
                self.tell(Action::ApprovalExpired, &request, "system")?;
                Err(refusal::expired(self.line, &request))
            }
            Claim::Pending(_) | Claim::Nothing => Ok(None),
        }
    }

    fn given(&self, request: &Request, approver: &Approver) -> HumanApproval {
        let who = format!("{} ({})", approver.who, means(approver.means));
        self.petition.note("approver", who.into());
        HumanApproval::new(request.id.clone(), approver.clone(), self.binding.clone())
    }

    fn ask(&self, shown: Value) -> Result<Request, Error> {
        let new = NewRequest {
            binding: self.binding.clone(),
            caller: self.caller.to_owned(),
            shown,
            lives: self.lives,
        };
        let asked = self.store.ask(&new, CAPS, self.now());
        let request = match asked.map_err(fault)? {
            Asked::Waits(request) => request,
            Asked::Full(caps) => return Err(refusal::full(self.refused, self.line, caps)),
        };
        self.petition.note("approval", request.id.0.as_str().into());
        if request.times == 1 {
            self.tell(Action::ApprovalAsked, &request, "agent")?;
        }
        self.notifier.tell(&request);
        Ok(request)
    }

    /// Records what became of a question. What cannot be recorded does not happen.
    fn tell(&self, action: Action, request: &Request, role: &str) -> Result<(), Error> {
        let shown = |key: &str| request.shown.get(key).cloned().unwrap_or_default();
        let words = request.shown.get("argv").and_then(Value::as_array);
        let words = words.into_iter().flatten().filter_map(Value::as_str);
        let words = bounded_words(words.map(str::to_owned).collect());
        let by = match &request.state {
            State::Approved(by) | State::Used(by) | State::Denied(by, _) => Some(by),
            State::Pending | State::Expired => None,
        };
        let actor = by.map_or(self.caller, |by| by.who.as_str());
        let event = Event::new(action, actor, "approval", Some(&request.id.0))
            .role(role)
            .with("command", shown("command"))
            .with("argv", words)
            .with("binding", request.binding.as_str());
        let event = match by {
            Some(by) => event.with("means", means(by.means)).with("caller", self.caller),
            None => event,
        };
        let kept = self.record.append(&event, Durability::Soon);
        kept.map(drop).map_err(|error| Error::from(&error))
    }

    /// Says what became of a question, for whoever does not wait.
    fn at_once(&self, request: Request) -> Result<HumanApproval, Error> {
        match self.answered(&request)? {
            Some(given) => Ok(given),
            None => Err(refusal::required(self.refused, self.line, &request)),
        }
    }

    async fn waited(&self, request: Request) -> Result<HumanApproval, Error> {
        let _paused = self.petition.pause();
        let host = self.petition.host();
        let begun = host.elapsed();
        let mut client = self.client(&request);
        let mut request = request;
        loop {
            if let Some(given) = self.answered(&request)? {
                return Ok(given);
            }
            let passed = host.elapsed().saturating_sub(begun);
            let left = self.wait.saturating_sub(passed);
            if left.is_zero() || self.leaving.has_begun() {
                return Err(refusal::required(self.refused, self.line, &request));
            }
            let what = Text::new("waiting for a person: argrail approve {}").value(&request.id.0);
            self.petition
                .progress(passed.as_secs_f64(), self.wait.as_secs_f64(), what);
            if let Some(said) = either(host.sleep(left.min(POLL)), &mut client).await {
                self.heard(&request, said)?;
            }
            let now = self.store.request(&request.id, self.now());
            request = now
                .map_err(fault)?
                .ok_or_else(|| refusal::expired(self.line, &request))?;
        }
    }

    /// Takes the answer of a question that has one.
    fn answered(&self, request: &Request) -> Result<Option<HumanApproval>, Error> {
        match &request.state {
            State::Pending => Ok(None),
            State::Denied(..) => Err(self.refusal(request)),
            // Only one call has the yes; another one like it asks anew.
            State::Used(_) => Err(self.again(request.shown.clone())),
            State::Approved(_) | State::Expired => match self.claim()? {
                Some(given) => Ok(Some(given)),
                None => Err(self.again(request.shown.clone())),
            },
        }
    }

    fn refusal(&self, request: &Request) -> Error {
        self.petition.note("approval", request.id.0.as_str().into());
        match &request.state {
            State::Denied(approver, reason) => {
                let who = format!("{} ({})", approver.who, means(approver.means));
                self.petition.note("approver", who.into());
                refusal::denied(self.line, request, Some(approver.means), reason.as_deref())
            }
            State::Pending | State::Approved(_) | State::Used(_) | State::Expired => {
                refusal::denied(self.line, request, None, None)
            }
        }
    }

    /// Asks through the client as well, if it can.
    fn client(&self, request: &Request) -> Option<BoxFuture<'static, Said>> {
        let through = self.petition.client()?;
        let worth = self.worth(request);
        Some(through.client.ask(Question {
            id: request.id.clone(),
            message: message(request, worth),
            worth,
        }))
    }

    /// What an answer through the client is worth. What is dangerous or not known to its end is not decided there, nor
    /// what it is not shown in full.
    fn worth(&self, request: &Request) -> Worth {
        let facts = self.refused.facts();
        let standing = self.petition.client().map(|through| through.standing);
        let is_known = facts.dangers().is_empty() && facts.is_verified();
        match standing == Some(Standing::SpeaksForAPerson) && is_known && is_whole(request) {
            true => Worth::Answer,
            false => Worth::Notice,
        }
    }

    /// Writes down what came back through the client, if it counts: as the client's word, which it is.
    fn heard(&self, request: &Request, said: Said) -> Result<(), Error> {
        if self.worth(request) == Worth::Notice {
            return Ok(());
        }
        let approver = Approver {
            who: format!("client {}", self.caller),
            means: ApprovalMeans::Elicitation,
            at: self.now(),
            grant: None,
        };
        let (ruling, action) = match said {
            Said::Nothing => return Ok(()),
            Said::Approve => (Ruling::Approve(approver), Action::ApprovalApproved),
            Said::Deny => (Ruling::Deny(approver, None), Action::ApprovalDenied),
        };
        match self
            .store
            .answer(&request.id, &ruling, self.now())
            .map_err(fault)?
        {
            Answer::Taken(request) => {
                let told = self.tell(action, &request, "client");
                if told.is_err() {
                    // What is not in the record was not said: the yes is used up, and nothing runs by it.
                    let _ = self.store.claim(&self.binding, self.now());
                }
                told
            }
            // Somebody else was faster, and theirs counts.
            Answer::TooLate(_) => Ok(()),
        }
    }

    fn now(&self) -> jiff::Timestamp {
        self.petition.host().now()
    }
}

fn means(means: ApprovalMeans) -> &'static str {
    match means {
        ApprovalMeans::Terminal => "terminal",
        ApprovalMeans::Token => "token",
        ApprovalMeans::Elicitation => "elicitation",
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are mapped")]
fn fault(error: StoreError) -> Error {
    Error::from(&error)
}

/// Waits for the client or for the time, whichever is first.
async fn either(
    mut sleep: BoxFuture<'static, ()>,
    client: &mut Option<BoxFuture<'static, Said>>,
) -> Option<Said> {
    poll_fn(|context| {
        let said = client.as_mut().map(|client| client.as_mut().poll(context));
        if let Some(Poll::Ready(said)) = said {
            *client = None;
            return Poll::Ready(Some(said));
        }
        sleep.as_mut().poll(context).map(|()| None)
    })
    .await
}
