//! A person's yes to one call: who said it, how, and to which question.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::grant::GrantId;

/// A short name for a question, to be typed: `k7m2qd`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(pub String);

impl fmt::Display for RequestId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Who answered, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approver {
    /// The user, by name or number.
    pub who: String,
    /// How they said it.
    pub means: ApprovalMeans,
    /// When.
    pub at: Timestamp,
    /// The grant that was made with the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<GrantId>,
}

/// How an answer was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalMeans {
    /// At a terminal.
    Terminal,
    /// With a token file that was made at a terminal.
    Token,
    /// Through the client that the agent runs in (MCP elicitation).
    Elicitation,
}

/// A yes that was taken from the store, where it is used up now. `policy` makes an approved call of it.
#[derive(Debug)]
pub struct HumanApproval {
    request: RequestId,
    approver: Approver,
    binding: String,
}

impl HumanApproval {
    /// Takes down what the store handed out. For `consent`, which uses the answer up there.
    pub(crate) fn new(request: RequestId, approver: Approver, binding: String) -> Self {
        Self {
            request,
            approver,
            binding,
        }
    }

    /// Returns which question was answered, and by whom.
    pub(crate) fn into_parts(self) -> (RequestId, Approver) {
        (self.request, self.approver)
    }

    /// Returns the hash of everything that it is a yes to.
    pub(crate) fn binding(&self) -> &str {
        &self.binding
    }
}
