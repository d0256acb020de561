//! Asking through the client that the agent runs in, while the store is asked as well.
//!
//! A client is a program of whoever asks: what comes back through it is its own word. It counts only where the person who
//! runs argrail said that this client speaks for them ([`Through::answering`]). Anybody else is told, and nothing more.

use std::sync::Arc;

use argrail_acli::BoxFuture;

use crate::policy::RequestId;

/// What a person is asked or told through a client.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The question's name.
    pub id: RequestId,
    /// What is asked, in our own words, with the words of the call one on each line, made visible.
    pub message: String,
    /// What an answer is worth.
    pub worth: Worth,
}

/// What an answer through a client is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// As much as any other.
    Answer,
    /// Nothing, be it a yes or a no: only `argrail approve` and `argrail deny` count.
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
pub struct Through {
    pub(super) client: Arc<dyn Client>,
    pub(super) standing: Standing,
}

/// Whether a client speaks for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The person who runs argrail said so.
    SpeaksForAPerson,
    /// It shows questions; answers come by another way, or not at all.
    Shows,
}

impl Through {
    /// A client that is told. Nothing that it says counts.
    pub fn telling(client: Arc<dyn Client>) -> Self {
        Self {
            client,
            standing: Standing::Shows,
        }
    }

    /// A client whose answers count as a person's, because that person switched it on.
    pub fn answering(client: Arc<dyn Client>) -> Self {
        Self {
            client,
            standing: Standing::SpeaksForAPerson,
        }
    }
}
