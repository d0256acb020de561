//! The seven kinds of event, closed (AIP-45, stream event taxonomy). Whoever listens to an agent sees these and nothing
//! of its protocol.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// One event of a session, in order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
    /// The session, by our own id.
    pub session: String,
    /// The turn, from 1.
    pub turn: u64,
    /// The number of the event in its session, from 1, without gaps.
    pub seq: u64,
    /// When.
    pub ts: Timestamp,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum EventKind {
    /// A piece of the agent's message.
    TextDelta {
        /// The piece; never empty.
        text: String,
    },
    /// A piece of its reasoning.
    Thought {
        /// The piece; never empty.
        text: String,
    },
    /// The agent uses a tool.
    ToolCall {
        /// The call, unique in the session.
        id: String,
        /// What the tool is called, or what it does.
        name: String,
        /// Which kind of act that is: `read`, `edit`, `execute`, …
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
        /// What the tool is given.
        input: Value,
    },
    /// The tool has answered. At most once for each call.
    ToolResult {
        /// The call.
        id: String,
        /// What it answered.
        output: Value,
        /// Whether it failed.
        is_error: bool,
    },
    /// The agent asks its host for something.
    AgentPrompt(Prompted),
    /// The turn is over. One of this or `error` ends each turn.
    TurnEnd {
        /// Why: `end_turn`, `cancelled`, `max_tokens`, `max_turn_requests`, `refusal`, or a word of the agent's.
        reason: String,
        /// What it cost, if the agent says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// The turn failed.
    Error {
        /// One of our codes: `TIMEOUT`, `EXECUTION_ERROR`, `AUTH_REQUIRED`, ….
        code: String,
        /// What is wrong, in our words, with the agent's quoted.
        message: String,
        /// Whether the same again may work.
        retryable: bool,
    },
}

/// What an agent asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prompted {
    /// The question.
    pub id: String,
    /// What it asks, in its words: untrusted.
    pub prompt: String,
    /// What can be answered.
    pub options: Vec<PromptOption>,
}

/// One answer to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromptOption {
    /// The answer.
    pub id: String,
    /// How the agent calls it.
    pub label: String,
    /// `allow_once`, `allow_always`, `reject_once`, `reject_always`, or a word of the agent's.
    pub kind: String,
}

/// What a turn cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens that the model read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens that it wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// All of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
}

impl EventKind {
    /// Whether a turn is over with it.
    pub fn is_last(&self) -> bool {
        match self {
            Self::TurnEnd { .. } | Self::Error { .. } => true,
            Self::TextDelta { .. }
            | Self::Thought { .. }
            | Self::ToolCall { .. }
            | Self::ToolResult { .. }
            | Self::AgentPrompt(_) => false,
        }
    }
}
