//! A record of a test's own, and a store that remembers one head.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use argrail_testkit::Home;
use jiff::Timestamp;
use serde_json::Value;

use crate::audit::verify::{Known, Problem, Verified, verify};
use crate::audit::{Action, Chain, Durability, Event, Filter, entries};
use crate::policy::RequestId;
use crate::policy::{Grant, GrantId};
use crate::store::{
    Answer, Asked, Caps, Claim, Damaged, Document, Head, Kind, NewRequest, Request, Revision, Ruling, Store,
    StoreError,
};

pub(super) struct Ground {
    pub(super) home: Home,
    pub(super) heads: Arc<Heads>,
}

impl Ground {
    pub(super) fn new() -> Self {
        Self {
            home: Home::new(),
            heads: Arc::new(Heads::default()),
        }
    }

    /// One with `count` records, settled.
    pub(super) fn with(count: usize) -> Self {
        let ground = Self::new();
        let chain = ground.chain();
        for number in 0..count {
            chain.append(&event(number), Durability::Soon).unwrap();
        }
        ground
    }

    pub(super) fn directory(&self) -> PathBuf {
        self.home.state().join("audit")
    }

    pub(super) fn log(&self) -> PathBuf {
        self.directory().join("audit-log.jsonl")
    }

    pub(super) fn chain(&self) -> Chain {
        Chain::open(&self.directory(), Some(Arc::clone(&self.heads) as _)).unwrap()
    }

    /// With files that are full very soon.
    pub(super) fn small(&self) -> Chain {
        Chain::with_limit(&self.directory(), Some(Arc::clone(&self.heads) as _), 2000).unwrap()
    }

    pub(super) fn lines(&self) -> Vec<String> {
        fs::read_to_string(self.log())
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    pub(super) fn write(&self, lines: &[String]) {
        fs::write(
            self.log(),
            lines.iter().map(|line| format!("{line}\n")).collect::<String>(),
        )
        .unwrap();
    }

    pub(super) fn verify(&self) -> Verified {
        let head = self.heads.head("audit").unwrap();
        verify(
            &self.directory(),
            Known {
                head: head.as_ref(),
                checkpoint: None,
            },
        )
        .unwrap()
    }

    pub(super) fn entries(&self) -> Vec<Value> {
        entries(&self.directory(), &Filter::default(), usize::MAX).unwrap()
    }

    /// Sees that nothing is wrong, and how many records there are.
    #[track_caller]
    pub(super) fn is_whole(&self, count: u64) {
        let verified = self.verify();
        assert_eq!((verified.first_bad, verified.entries), (None, count));
    }

    /// Sees what is wrong first.
    #[track_caller]
    pub(super) fn is_bad(&self, problem: Problem, seq: u64, line: u64) {
        let bad = self.verify().first_bad.expect("something is wrong");
        assert_eq!((bad.problem, bad.seq, bad.line), (problem, seq, line), "{bad:?}");
    }
}

pub(super) fn event(number: usize) -> Event {
    Event::new(Action::CliInvoked, "test", "cli", Some("git log")).with("number", number)
}

/// A store of heads, and of nothing else.
#[derive(Debug, Default)]
pub(super) struct Heads(Mutex<Option<Head>>);

fn nothing<T>() -> Result<T, StoreError> {
    Err(StoreError::Busy {
        path: "/srv/store.db".into(),
    })
}

impl Store for Heads {
    fn head(&self, _: &str) -> Result<Option<Head>, StoreError> {
        Ok(self.0.lock().unwrap().clone())
    }

    fn advance(&self, _: &str, head: &Head) -> Result<(), StoreError> {
        let mut known = self.0.lock().unwrap();
        if known.as_ref().is_none_or(|known| known.seq < head.seq) {
            *known = Some(head.clone());
        }
        Ok(())
    }

    fn ask(&self, _: &NewRequest, _: Caps, _: Timestamp) -> Result<Asked, StoreError> {
        nothing()
    }

    fn request(&self, _: &RequestId, _: Timestamp) -> Result<Option<Request>, StoreError> {
        nothing()
    }

    fn pending(&self, _: Timestamp) -> Result<Vec<Request>, StoreError> {
        nothing()
    }

    fn answer(&self, _: &RequestId, _: &Ruling, _: Timestamp) -> Result<Answer, StoreError> {
        nothing()
    }

    fn claim(&self, _: &str, _: Timestamp) -> Result<Claim, StoreError> {
        nothing()
    }

    fn add_grant(&self, _: &Grant) -> Result<(), StoreError> {
        nothing()
    }

    fn grants(&self) -> Result<Vec<Grant>, StoreError> {
        nothing()
    }

    fn grants_of(&self, _: &[&str], _: Timestamp) -> Result<Vec<Grant>, StoreError> {
        nothing()
    }

    fn damaged(&self, _: Timestamp) -> Result<Vec<Damaged>, StoreError> {
        nothing()
    }

    fn discard(&self, _: &str, _: Timestamp) -> Result<bool, StoreError> {
        nothing()
    }

    fn revoke(&self, _: &GrantId, _: Timestamp) -> Result<Grant, StoreError> {
        nothing()
    }

    fn use_grant(&self, _: &GrantId, _: Timestamp) -> Result<bool, StoreError> {
        nothing()
    }

    fn get(&self, _: Kind, _: &str) -> Result<Option<Document>, StoreError> {
        nothing()
    }

    fn all(&self, _: Kind) -> Result<Vec<Document>, StoreError> {
        nothing()
    }

    fn put(
        &self,
        _: Kind,
        _: &str,
        _: Option<Revision>,
        _: &Value,
        _: Timestamp,
    ) -> Result<Revision, StoreError> {
        nothing()
    }

    fn remove(&self, _: Kind, _: &str, _: Revision) -> Result<(), StoreError> {
        nothing()
    }
}
