//! What is remembered between calls and shared by processes: questions and their answers, grants, decisions about
//! trust, what was set up, who is signed in, sessions, and where the record ends.
//!
//! [`Store`] is the seam: everything above it works with any backend that passes the contract in its tests. A backend
//! loses no update, lets many processes in at once, and never mends what it cannot read.

#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod damaged;
mod document;
mod error;
mod head;
mod id;
mod request;
mod sqlite;

pub use damaged::{Damaged, DamagedKind};
pub use document::{Document, Kind, Revision};
pub use error::StoreError;
pub use head::Head;
pub use id::random_grant_id;
pub use request::{Answer, Asked, Caps, Claim, NewRequest, Request, Ruling, State};
pub use sqlite::SqliteStore;

use std::fmt;

use jiff::Timestamp;
use serde_json::Value;

use crate::policy::{Grant, GrantId, RequestId};

/// A place that remembers. Every method is one transaction: it happens whole or not at all.
pub trait Store: fmt::Debug + Send + Sync {
    /// Asks: makes a question, or finds the one of the same caller for the same binding whose time is not over and
    /// whose yes is not used. That one is then asked once more; it does not live longer for it.
    ///
    /// # Errors
    /// When the place cannot be used. A caller with too many open questions is told in [`Asked`].
    fn ask(&self, new: &NewRequest, caps: Caps, now: Timestamp) -> Result<Asked, StoreError>;

    /// Returns a question, whatever became of it.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn request(&self, id: &RequestId, now: Timestamp) -> Result<Option<Request>, StoreError>;

    /// Returns the questions that wait for an answer now, the oldest first. One that is [damaged](Self::damaged) is not
    /// among them.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn pending(&self, now: Timestamp) -> Result<Vec<Request>, StoreError>;

    /// Answers a question that waits. One that does not wait any more keeps its answer, which is returned.
    ///
    /// # Errors
    /// When there is no such question, or the place cannot be used.
    fn answer(&self, id: &RequestId, ruling: &Ruling, now: Timestamp) -> Result<Answer, StoreError>;

    /// Takes the answer to a binding: that of the question which was asked last. A yes is taken once, by one process,
    /// whatever happens then; that a question expired is told once; a no is over when its question is.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn claim(&self, binding: &str, now: Timestamp) -> Result<Claim, StoreError>;

    /// Keeps a grant.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when its name is taken, or the place cannot be used.
    fn add_grant(&self, grant: &Grant) -> Result<(), StoreError>;

    /// Returns the grants that were made, also those that were over not long ago, the oldest first. One that is
    /// [damaged](Self::damaged) is not among them, and allows nothing.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn grants(&self) -> Result<Vec<Grant>, StoreError>;

    /// Returns the grants for one of these tools that hold at `now`, the oldest first.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn grants_of(&self, tools: &[&str], now: Timestamp) -> Result<Vec<Grant>, StoreError>;

    /// Returns the grants, and the questions whose time is not over, that cannot be read.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn damaged(&self, now: Timestamp) -> Result<Vec<Damaged>, StoreError>;

    /// Forgets an entry that is [damaged](Self::damaged). Returns whether there was one of this name.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn discard(&self, id: &str, now: Timestamp) -> Result<bool, StoreError>;

    /// Ends a grant. Returns it as it is now; one that was ended before keeps that moment.
    ///
    /// # Errors
    /// When there is no such grant, or the place cannot be used.
    fn revoke(&self, id: &GrantId, now: Timestamp) -> Result<Grant, StoreError>;

    /// Takes a use of a grant that holds now. Returns whether it still held.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn use_grant(&self, id: &GrantId, now: Timestamp) -> Result<bool, StoreError>;

    /// Returns a document.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn get(&self, kind: Kind, key: &str) -> Result<Option<Document>, StoreError>;

    /// Returns all documents of a kind, by key.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn all(&self, kind: Kind) -> Result<Vec<Document>, StoreError>;

    /// Keeps a document if it is still at the revision that the writer saw.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody else was faster, or the place cannot be used.
    fn put(
        &self,
        kind: Kind,
        key: &str,
        seen: Option<Revision>,
        body: &Value,
        now: Timestamp,
    ) -> Result<Revision, StoreError>;

    /// Forgets a document if it is still at the revision that the writer saw.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody else was faster, or the place cannot be used.
    fn remove(&self, kind: Kind, key: &str, seen: Revision) -> Result<(), StoreError>;

    /// Returns where a chain of records ends, as far as it was told.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn head(&self, chain: &str) -> Result<Option<Head>, StoreError>;

    /// Tells where a chain of records ends. An earlier end than the known one changes nothing.
    ///
    /// # Errors
    /// When the place cannot be used.
    fn advance(&self, chain: &str, head: &Head) -> Result<(), StoreError>;
}
