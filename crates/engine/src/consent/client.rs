//! Asking through the client that the agent runs in, while the store is asked as well.

use std::sync::Arc;

use argrail_acli::BoxFuture;

use crate::store::RequestId;

/// What a person is asked through a client.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The question's name.
    pub id: RequestId,
    /// What is asked, in our own words, with the words of the call one on each line, made visible.
    pub message: String,
    /// What a yes is worth.
    pub worth: Worth,
}

/// What a yes through a client is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// As much as any other.
    Approval,
    /// Nothing: it destroys, costs or is not shown in full, and only `argrail approve` counts.
    Notice,
}

/// What came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// Yes, once.
    Approve,
    /// No.
    Deny,
    /// Neither: the question stays open.
    Nothing,
}

/// A client that can show a question to a person.
pub trait Client: Send + Sync {
    /// Asks. Dropping the future takes the question back.
    fn ask(&self, question: Question) -> BoxFuture<'static, Said>;
}

/// Hands a client to a call as its context.
#[derive(Clone)]
pub struct Through(pub Arc<dyn Client>);
