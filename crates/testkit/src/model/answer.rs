//! What is answered, before it is put into a provider's words.

use super::question::{Api, Question};
use super::script::Script;
use super::{anthropic, gemini, harmless, openai_chat, openai_responses};
use serde_json::{Map, Value};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What the model has to say.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content {
    /// Text, in pieces.
    Text(Vec<String>),
    /// A call of a tool, by the name that the agent gave it.
    Call {
        name: String,
        arguments: Map<String, Value>,
    },
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) content: Content,
    /// What is waited before each piece.
    pub(super) pause: Duration,
    /// Whether the end never comes.
    pub(super) stall: bool,
    /// In a word, for the list of requests.
    pub(super) kind: &'static str,
}

/// Pieces of a stream. Each is one event with all its lines.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pub(super) opening: Vec<String>,
    /// One by one, with a pause before each.
    pub(super) middle: Vec<String>,
    pub(super) closing: Vec<String>,
}

/// Numbers that no two answers share.
#[derive(Debug, Default)]
pub(super) struct Ids(AtomicU64);

impl Ids {
    /// Returns a new name.
    pub(super) fn next(&self, kind: &str) -> String {
        format!("{kind}{}", self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

impl Answer {
    /// Decides what to say. A request without tools is no turn of the conversation, but a title or the like.
    pub(super) fn to(question: &Question, script: &Script) -> Self {
        let aside = question.tools.is_empty();
        let scripted = question.turn(|prompt| script.find(prompt)).filter(|_| !aside);
        let Some((turn, results)) = scripted else {
            let text = match &question.schema {
                Some(schema) => harmless::value(schema).to_string(),
                None => "All is well".to_owned(),
            };
            return Self::plain(text, if aside { "aside" } else { "unscripted" });
        };
        let Some(call) = turn.calls.get(results.len()) else {
            return Self {
                content: Content::Text(turn.words()),
                pause: Duration::from_millis(turn.pause_ms),
                stall: turn.stall,
                kind: "text",
            };
        };
        match question.tool(&call.tool) {
            Some(name) => Self {
                content: Content::Call {
                    name: name.to_owned(),
                    arguments: call.arguments.clone(),
                },
                pause: Duration::ZERO,
                stall: false,
                kind: "call",
            },
            None => Self::plain(format!("there is no tool {}", call.tool), "no-tool"),
        }
    }

    fn plain(text: String, kind: &'static str) -> Self {
        Self {
            content: Content::Text(vec![text]),
            pause: Duration::ZERO,
            stall: false,
            kind,
        }
    }

    /// The answer as one document.
    pub(super) fn whole(&self, question: &Question, ids: &Ids) -> Value {
        let whole = match question.api {
            Api::OpenaiChat => openai_chat::whole,
            Api::OpenaiResponses => openai_responses::whole,
            Api::Anthropic => anthropic::whole,
            Api::Gemini => gemini::whole,
        };
        whole(&self.content, &question.model, ids)
    }

    /// The answer in pieces.
    pub(super) fn stream(&self, question: &Question, ids: &Ids) -> Stream {
        let stream = match question.api {
            Api::OpenaiChat => openai_chat::stream,
            Api::OpenaiResponses => openai_responses::stream,
            Api::Anthropic => anthropic::stream,
            Api::Gemini => gemini::stream,
        };
        stream(&self.content, &question.model, ids)
    }
}

/// An event that has only data.
pub(super) fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// An event with a name, which its data repeats as `type`.
pub(super) fn named(value: &Value) -> String {
    let name = value["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {value}\n\n")
}
