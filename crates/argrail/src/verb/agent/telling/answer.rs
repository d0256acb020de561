//! `--json`: the last message of a turn, the tools that were used, and what it cost, in one envelope at the end.
//!
//! What is kept is bounded, whatever the agent says.

use std::io;

use argrail_agents::{Event, EventKind, Usage};
use serde_json::{Map, Value, json};

use super::Teller;
use crate::out;

/// The most bytes of a message that are kept.
const MESSAGE: usize = 4 << 20;
/// The most uses of tools that are listed.
const CALLS: usize = 1000;

/// Gathers a turn.
#[derive(Debug, Default)]
pub(in crate::verb::agent) struct Answered {
    message: String,
    truncated: bool,
    /// A tool was used after the last word: the next one begins another message.
    over: bool,
    calls: Vec<Call>,
    more_calls: usize,
    turn: u64,
    reason: Option<String>,
    usage: Option<Usage>,
    warnings: Vec<String>,
}

#[derive(Debug)]
struct Call {
    id: String,
    name: String,
    kind: Option<String>,
    is_error: Option<bool>,
}

impl Answered {
    /// Returns what is not as the agent's manifest has it.
    pub(in crate::verb::agent) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns what there is to tell.
    pub(in crate::verb::agent) fn data(self, session: &str) -> Value {
        let mut data = Map::new();
        data.insert("text".to_owned(), self.message.into());
        if self.truncated {
            data.insert("truncated".to_owned(), true.into());
        }
        data.insert("session".to_owned(), session.into());
        data.insert("turn".to_owned(), self.turn.into());
        data.insert("reason".to_owned(), self.reason.into());
        if let Some(usage) = self.usage {
            data.insert("usage".to_owned(), json!(usage));
        }
        let count = self.calls.len() + self.more_calls;
        let calls = self.calls.into_iter().map(Call::shown);
        data.insert("toolCalls".to_owned(), calls.collect());
        if self.more_calls > 0 {
            data.insert("toolCallCount".to_owned(), count.into());
        }
        Value::Object(data)
    }

    fn heard(&mut self, text: &str) {
        if std::mem::take(&mut self.over) {
            self.message.clear();
            self.truncated = false;
        }
        for c in text.chars() {
            if self.message.len() + c.len_utf8() > MESSAGE {
                self.truncated = true;
                return;
            }
            self.message.push(c);
        }
    }
}

impl Call {
    fn shown(self) -> Value {
        let mut shown = Map::new();
        shown.insert("id".to_owned(), self.id.into());
        shown.insert("name".to_owned(), self.name.into());
        shown.extend(self.kind.map(|kind| ("kind".to_owned(), kind.into())));
        shown.extend(self.is_error.map(|failed| ("isError".to_owned(), failed.into())));
        Value::Object(shown)
    }
}

impl Teller for Answered {
    fn tell(&mut self, event: &Event) -> io::Result<()> {
        self.turn = event.turn;
        match &event.kind {
            EventKind::TextDelta { text } => self.heard(text),
            EventKind::ToolCall { id, name, kind, .. } => {
                self.over = true;
                if self.calls.len() == CALLS {
                    self.more_calls += 1;
                    return Ok(());
                }
                self.calls.push(Call {
                    id: id.clone(),
                    name: name.clone(),
                    kind: kind.clone(),
                    is_error: None,
                });
            }
            EventKind::ToolResult { id, is_error, .. } => {
                self.over = true;
                let call = self.calls.iter_mut().find(|call| call.id == *id);
                call.into_iter().for_each(|call| call.is_error = Some(*is_error));
            }
            EventKind::TurnEnd { reason, usage } => {
                self.reason = Some(reason.clone());
                self.usage = *usage;
            }
            EventKind::Thought { .. } | EventKind::AgentPrompt(_) | EventKind::Error { .. } => {}
        }
        Ok(())
    }

    fn note(&mut self, text: &str) {
        out::say(text);
    }

    fn warn(&mut self, text: &str) {
        self.warnings.push(text.to_owned());
        self.note(text);
    }

    fn finish(&mut self) {}
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn told(kinds: Vec<EventKind>) -> Value {
        let mut answered = Answered::default();
        for kind in kinds {
            let event = Event {
                kind,
                session: "s".to_owned(),
                turn: 1,
                seq: 1,
                ts: Timestamp::UNIX_EPOCH,
            };
            answered.tell(&event).unwrap();
        }
        answered.data("s")
    }

    fn text(text: &str) -> EventKind {
        EventKind::TextDelta {
            text: text.to_owned(),
        }
    }

    fn call(id: &str) -> EventKind {
        EventKind::ToolCall {
            id: id.to_owned(),
            name: "look".to_owned(),
            kind: Some("read".to_owned()),
            input: json!({}),
        }
    }

    #[test]
    fn the_last_message_is_what_came_after_the_last_tool() {
        let end = EventKind::TurnEnd {
            reason: "end_turn".to_owned(),
            usage: None,
        };
        let result = EventKind::ToolResult {
            id: "1".to_owned(),
            output: json!("x"),
            is_error: true,
        };
        let data = told(vec![
            text("I "),
            text("look."),
            call("1"),
            result,
            text("Do"),
            text("ne."),
            end,
        ]);
        assert_eq!(
            data,
            json!({"text": "Done.", "session": "s", "turn": 1, "reason": "end_turn",
                "toolCalls": [{"id": "1", "name": "look", "kind": "read", "isError": true}]})
        );
        // Who says nothing afterwards has said it before.
        assert_eq!(told(vec![text("Done."), call("1")])["text"], "Done.");
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let long = "ä".repeat(MESSAGE);
        let data = told(vec![text(&long), text("x")]);
        assert!(data["text"].as_str().unwrap().len() <= MESSAGE && data["truncated"] == true);
        let data = told((0..CALLS + 5).map(|id| call(&id.to_string())).collect());
        assert_eq!(data["toolCalls"].as_array().unwrap().len(), CALLS);
        assert_eq!(data["toolCallCount"], CALLS + 5);
    }
}
