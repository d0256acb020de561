//! The rules of the store over plain lists: the model that other backends are compared with, itself held to the
//! contract. Keeps nothing beyond its process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::super::request::latest_start;
use super::super::{
    Answer, Asked, Caps, Claim, Damaged, Document, Head, Kind, NewRequest, Request, Revision, Ruling, State,
    Store, StoreError,
};
use crate::policy::RequestId;
use crate::policy::{Grant, GrantId};

/// A store in memory. Its clones are the same place.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore(Arc<Mutex<Memory>>);

#[derive(Debug, Default)]
struct Memory {
    questions: Vec<Question>,
    grants: Vec<Grant>,
    documents: BTreeMap<(Kind, String), Document>,
    revisions: u64,
    heads: BTreeMap<String, Head>,
}

/// A question as it was last written, and whether somebody was told that it expired.
#[derive(Debug)]
struct Question {
    request: Request,
    told: bool,
}

impl Question {
    fn now(&self, now: Timestamp) -> Request {
        let mut request = self.request.clone();
        let over = !request.is_in_time(now) || self.told;
        if over && matches!(request.state, State::Pending | State::Approved(_)) {
            request.state = State::Expired;
        }
        request
    }
}

impl Memory {
    /// Ends what was asked, or given for a time, while the clock was ahead.
    fn end_what_is_ahead(&mut self, now: Timestamp) {
        let start = latest_start(now);
        let ahead = |question: &&mut Question| question.request.created > start;
        for question in self.questions.iter_mut().filter(ahead) {
            question.told |= matches!(question.request.state, State::Pending | State::Approved(_));
        }
        let timed = |grant: &&mut Grant| grant.created_at > start && grant.expires_at.is_some();
        for grant in self.grants.iter_mut().filter(timed) {
            grant.revoked_at = grant.revoked_at.or(Some(now));
        }
    }
}

impl MemoryStore {
    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn missing(what: &'static str, id: &str) -> StoreError {
    StoreError::NotFound {
        what,
        id: id.to_owned(),
    }
}

fn conflict(key: &str) -> StoreError {
    StoreError::Conflict { key: key.to_owned() }
}

impl Store for MemoryStore {
    fn ask(&self, new: &NewRequest, caps: Caps, now: Timestamp) -> Result<Asked, StoreError> {
        let mut memory = self.lock();
        memory.end_what_is_ahead(now);
        let same = |question: &&mut Question| {
            question.request.binding == new.binding
                && question.request.caller == new.caller
                && question.request.is_in_time(now)
                && !question.told
                && !matches!(question.request.state, State::Used(_))
        };
        if let Some(question) = memory.questions.iter_mut().rev().find(same) {
            question.request.times += 1;
            return Ok(Asked::Waits(question.now(now)));
        }
        let waiting = memory.questions.iter().map(|question| question.now(now));
        let waiting: Vec<_> = waiting
            .filter(|request| request.state == State::Pending)
            .collect();
        let own = waiting
            .iter()
            .filter(|request| request.caller == new.caller)
            .count();
        if waiting.len() >= caps.all || own >= caps.per_caller {
            return Ok(Asked::Full(caps));
        }
        let lives = SignedDuration::try_from(new.lives).unwrap_or(SignedDuration::MAX);
        let request = Request {
            id: RequestId::random()?,
            binding: new.binding.clone(),
            caller: new.caller.clone(),
            shown: new.shown.clone(),
            created: now,
            expires: now.checked_add(lives).unwrap_or(Timestamp::MAX),
            times: 1,
            state: State::Pending,
        };
        let question = Question { request, told: false };
        let asked = question.now(now);
        memory.questions.push(question);
        Ok(Asked::Waits(asked))
    }

    fn request(&self, id: &RequestId, now: Timestamp) -> Result<Option<Request>, StoreError> {
        let memory = self.lock();
        let found = memory
            .questions
            .iter()
            .find(|question| question.request.id == *id);
        Ok(found.map(|question| question.now(now)))
    }

    fn pending(&self, now: Timestamp) -> Result<Vec<Request>, StoreError> {
        let memory = self.lock();
        let all = memory.questions.iter().map(|question| question.now(now));
        Ok(all.filter(|request| request.state == State::Pending).collect())
    }

    fn answer(&self, id: &RequestId, ruling: &Ruling, now: Timestamp) -> Result<Answer, StoreError> {
        let mut memory = self.lock();
        let found = memory
            .questions
            .iter_mut()
            .find(|question| question.request.id == *id);
        let question = found.ok_or_else(|| missing("request", &id.0))?;
        if question.now(now).state != State::Pending {
            return Ok(Answer::TooLate(question.now(now)));
        }
        question.request.state = match ruling {
            Ruling::Approve(approver) => State::Approved(approver.clone()),
            Ruling::Deny(approver, reason) => State::Denied(approver.clone(), reason.clone()),
        };
        Ok(Answer::Taken(question.now(now)))
    }

    fn claim(&self, binding: &str, now: Timestamp) -> Result<Claim, StoreError> {
        let mut memory = self.lock();
        let last = memory
            .questions
            .iter_mut()
            .rev()
            .find(|question| question.request.binding == binding);
        let Some(question) = last.filter(|question| !question.told) else {
            return Ok(Claim::Nothing);
        };
        let request = question.now(now);
        Ok(match request.state.clone() {
            State::Pending => Claim::Pending(request),
            State::Approved(approver) => {
                question.request.state = State::Used(approver);
                Claim::Approved(question.now(now))
            }
            State::Denied(..) if request.is_in_time(now) => Claim::Denied(request),
            State::Denied(..) | State::Used(_) => Claim::Nothing,
            State::Expired => {
                question.told = true;
                Claim::Expired(request)
            }
        })
    }

    fn add_grant(&self, grant: &Grant) -> Result<(), StoreError> {
        let mut memory = self.lock();
        if memory.grants.iter().any(|known| known.id == grant.id) {
            return Err(conflict(&grant.id.0));
        }
        memory.grants.push(grant.clone());
        Ok(())
    }

    fn grants(&self) -> Result<Vec<Grant>, StoreError> {
        let mut grants = self.lock().grants.clone();
        grants.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        Ok(grants)
    }

    fn grants_of(&self, tools: &[&str], now: Timestamp) -> Result<Vec<Grant>, StoreError> {
        let mut grants = self.grants()?;
        grants.retain(|grant| tools.contains(&grant.pattern.tool.as_str()) && grant.holds(now));
        Ok(grants)
    }

    /// What is in memory is what was put there.
    fn damaged(&self, _now: Timestamp) -> Result<Vec<Damaged>, StoreError> {
        Ok(Vec::new())
    }

    fn discard(&self, _id: &str, _now: Timestamp) -> Result<bool, StoreError> {
        Ok(false)
    }

    fn revoke(&self, id: &GrantId, now: Timestamp) -> Result<Grant, StoreError> {
        let mut memory = self.lock();
        let found = memory.grants.iter_mut().find(|grant| grant.id == *id);
        let grant = found.ok_or_else(|| missing("grant", &id.0))?;
        grant.revoked_at = grant.revoked_at.or(Some(now));
        Ok(grant.clone())
    }

    fn use_grant(&self, id: &GrantId, now: Timestamp) -> Result<bool, StoreError> {
        let mut memory = self.lock();
        let found = memory.grants.iter_mut().find(|grant| grant.id == *id);
        let Some(grant) = found.filter(|grant| grant.holds(now)) else {
            return Ok(false);
        };
        grant.uses += 1;
        grant.last_used_at = grant.last_used_at.max(Some(now));
        Ok(true)
    }

    fn get(&self, kind: Kind, key: &str) -> Result<Option<Document>, StoreError> {
        Ok(self.lock().documents.get(&(kind, key.to_owned())).cloned())
    }

    fn all(&self, kind: Kind) -> Result<Vec<Document>, StoreError> {
        let memory = self.lock();
        let all = memory.documents.iter().filter(|((of, _), _)| *of == kind);
        Ok(all.map(|(_, document)| document.clone()).collect())
    }

    fn put(
        &self,
        kind: Kind,
        key: &str,
        seen: Option<Revision>,
        body: &Value,
        now: Timestamp,
    ) -> Result<Revision, StoreError> {
        let mut memory = self.lock();
        let at = (kind, key.to_owned());
        if memory.documents.get(&at).map(|document| document.revision) != seen {
            return Err(conflict(key));
        }
        memory.revisions += 1;
        let revision = Revision(memory.revisions);
        let document = Document {
            key: key.to_owned(),
            revision,
            written: now,
            body: body.clone(),
        };
        memory.documents.insert(at, document);
        Ok(revision)
    }

    fn remove(&self, kind: Kind, key: &str, seen: Revision) -> Result<(), StoreError> {
        let mut memory = self.lock();
        let at = (kind, key.to_owned());
        if memory.documents.get(&at).map(|document| document.revision) != Some(seen) {
            return Err(conflict(key));
        }
        memory.documents.remove(&at);
        Ok(())
    }

    fn head(&self, chain: &str) -> Result<Option<Head>, StoreError> {
        Ok(self.lock().heads.get(chain).cloned())
    }

    fn advance(&self, chain: &str, head: &Head) -> Result<(), StoreError> {
        let mut memory = self.lock();
        if memory.heads.get(chain).is_none_or(|known| known.seq < head.seq) {
            memory.heads.insert(chain.to_owned(), head.clone());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::keeps;
    use super::*;

    #[test]
    fn the_model_keeps_the_contract() {
        keeps(|| {
            let place = MemoryStore::default();
            move || Box::new(place.clone()) as Box<dyn Store>
        });
    }
}
