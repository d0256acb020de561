//! Any sequence of steps, taken by a backend and by the model: both must tell the same.
//!
//! Names of questions are random, so a step says which one it means by its number, and what is compared has numbers
//! instead of names.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;

use super::super::{
    Answer, Asked, Caps, Claim, Head, Kind, NewRequest, Request, Revision, Store, StoreError,
};
use super::memory::MemoryStore;
use super::sample::{at, grant, no, yes};
use crate::policy::GrantId;
use crate::policy::RequestId;

/// One of a few callers, bindings, grants or keys.
pub type Who = u8;

/// One step.
#[derive(Debug, Clone)]
pub enum Step {
    /// Time passes.
    Pass(i64),
    /// A caller asks about a binding, for so many seconds.
    Ask(Who, Who, u64),
    /// Somebody says yes to the question of this number.
    Approve(usize),
    /// Somebody says no.
    Deny(usize),
    /// Somebody takes what there is.
    Claim(Who),
    /// Somebody gives a grant for so many seconds.
    Grant(Who, i64),
    /// Somebody takes it back.
    Revoke(Who),
    /// Somebody uses it.
    Use(Who),
    /// Somebody writes over the last state they saw, or one before that.
    Put(Who, bool),
    /// Somebody removes the last state they saw.
    Remove(Who),
    /// Somebody tells an end.
    Advance(u64),
    /// The place is closed and opened.
    Reopen,
}

/// Whoever takes the steps, and what it knows.
struct Taker<'a> {
    store: Box<dyn Store>,
    open: &'a dyn Fn() -> Box<dyn Store>,
    now: i64,
    asked: Vec<RequestId>,
    seen: Vec<(Who, Revision)>,
}

/// Takes every step with the backend and with the model, and compares what they tell after each.
///
/// # Errors
/// When the backend cannot be used.
///
/// # Panics
/// When they tell different things.
pub fn agrees(open: &dyn Fn() -> Box<dyn Store>, steps: &[Step]) -> Result<(), StoreError> {
    let model = MemoryStore::default();
    let open_model = || Box::new(model.clone()) as Box<dyn Store>;
    let (mut backend, mut model) = (Taker::new(open), Taker::new(&open_model));
    for (number, step) in steps.iter().enumerate() {
        let (found, wanted) = (backend.take(step)?, model.take(step)?);
        assert_eq!(found, wanted, "step {number}, {step:?} of {steps:?}");
        let (found, wanted) = (backend.all()?, model.all()?);
        assert_eq!(found, wanted, "after step {number}, {step:?} of {steps:?}");
    }
    Ok(())
}

impl<'a> Taker<'a> {
    fn new(open: &'a dyn Fn() -> Box<dyn Store>) -> Self {
        Self {
            store: open(),
            open,
            now: 0,
            asked: Vec::new(),
            seen: Vec::new(),
        }
    }

    fn now(&self) -> Timestamp {
        at(self.now)
    }

    fn take(&mut self, step: &Step) -> Result<String, StoreError> {
        match step {
            Step::Pass(seconds) => self.now = self.now.saturating_add(*seconds),
            Step::Ask(caller, binding, lives) => return self.ask(*caller, *binding, *lives),
            Step::Approve(number) => return self.answer(*number, &yes(self.now)),
            Step::Deny(number) => return self.answer(*number, &no(self.now)),
            Step::Claim(binding) => return self.claim(*binding),
            Step::Grant(who, lives) => {
                let grant = grant(
                    &format!("g-{who}"),
                    self.now,
                    Some(self.now.saturating_add(*lives)),
                );
                return told(self.store.add_grant(&grant));
            }
            Step::Revoke(who) => return told(self.store.revoke(&GrantId(format!("g-{who}")), self.now())),
            Step::Use(who) => return told(self.store.use_grant(&GrantId(format!("g-{who}")), self.now())),
            Step::Put(key, stale) => return self.put(*key, *stale),
            Step::Remove(key) => {
                let seen = self.last(*key, false).unwrap_or(Revision(0));
                return told(self.store.remove(Kind::Session, &key.to_string(), seen));
            }
            Step::Advance(seq) => {
                let hash = format!("{seq:x}");
                return told(self.store.advance("calls", &Head { seq: *seq, hash }));
            }
            Step::Reopen => self.store = (self.open)(),
        }
        Ok(String::new())
    }

    fn ask(&mut self, caller: Who, binding: Who, lives: u64) -> Result<String, StoreError> {
        let new = NewRequest {
            // A binding holds its caller, as those of calls do.
            binding: format!("{caller} {binding}"),
            caller: caller.to_string(),
            shown: json!({"binding": binding}),
            lives: Duration::from_secs(lives),
        };
        let caps = Caps {
            per_caller: 2,
            all: 3,
        };
        Ok(match self.store.ask(&new, caps, self.now())? {
            Asked::Waits(request) => {
                if !self.asked.contains(&request.id) {
                    self.asked.push(request.id.clone());
                }
                format!("waits {}", self.shown(request))
            }
            Asked::Full(_) => "full".to_owned(),
        })
    }

    fn answer(&self, number: usize, ruling: &super::super::Ruling) -> Result<String, StoreError> {
        let unknown = RequestId("unknown".to_owned());
        let id = self.asked.get(number).unwrap_or(&unknown);
        match self.store.answer(id, ruling, self.now()) {
            Ok(Answer::Taken(request)) => Ok(format!("taken {}", self.shown(request))),
            Ok(Answer::TooLate(request)) => Ok(format!("too late {}", self.shown(request))),
            Err(error) => told::<()>(Err(error)),
        }
    }

    fn claim(&self, binding: Who) -> Result<String, StoreError> {
        // The callers of the steps are 0 to 2.
        let mut text = String::new();
        for caller in 0..3 {
            let claim = self.store.claim(&format!("{caller} {binding}"), self.now())?;
            text += &match claim {
                Claim::Approved(request) => format!("approved {}", self.shown(request)),
                Claim::Denied(request) => format!("denied {}", self.shown(request)),
                Claim::Expired(request) => format!("expired {}", self.shown(request)),
                Claim::Pending(request) => format!("pending {}", self.shown(request)),
                Claim::Nothing => "nothing".to_owned(),
            };
        }
        Ok(text)
    }

    fn put(&mut self, key: Who, stale: bool) -> Result<String, StoreError> {
        let seen = self.last(key, stale);
        let body = json!([self.now, seen.is_some()]);
        match self
            .store
            .put(Kind::Session, &key.to_string(), seen, &body, self.now())
        {
            Ok(revision) => {
                self.seen.push((key, revision));
                Ok("put".to_owned())
            }
            Err(error) => told::<()>(Err(error)),
        }
    }

    /// The revision that was last given for a key, or the one before.
    fn last(&self, key: Who, stale: bool) -> Option<Revision> {
        let given = self.seen.iter().rev().filter(|(of, _)| *of == key);
        given.map(|(_, revision)| *revision).nth(usize::from(stale))
    }

    /// Everything that can be read.
    fn all(&self) -> Result<String, StoreError> {
        let now = self.now();
        let mut text = String::new();
        for id in &self.asked {
            let found = self.store.request(id, now)?;
            text += &found.map_or("forgotten".to_owned(), |found| self.shown(found));
        }
        for request in self.store.pending(now)? {
            text += &self.shown(request);
        }
        for document in self.store.all(Kind::Session)? {
            text += &format!("{} {} {}", document.key, document.written, document.body);
        }
        let of_tools = self.store.grants_of(&["git", "*", "git"], now)?;
        text += &format!(
            "{of_tools:?} {:?} {:?}",
            self.store.grants()?,
            self.store.head("calls")?
        );
        Ok(text)
    }

    /// A question with its number for its name.
    fn shown(&self, mut request: Request) -> String {
        let number = self.asked.iter().position(|id| *id == request.id);
        request.id = RequestId(format!("{number:?}"));
        format!("{request:?}\n")
    }
}

/// What was told, where a refusal is an answer too.
fn told<T: std::fmt::Debug>(done: Result<T, StoreError>) -> Result<String, StoreError> {
    match done {
        Ok(value) => Ok(format!("{value:?}")),
        Err(error @ (StoreError::Conflict { .. } | StoreError::NotFound { .. })) => Ok(error.to_string()),
        Err(error) => Err(error),
    }
}
