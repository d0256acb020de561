//! What comes of recorded bytes: the arm and its reading of lines without a process, for tests and the fuzzer.

use serde_json::json;

use super::arm::Acp;
use super::hello::Wishes;
use crate::arm::{Answered, Arm, Step};
use crate::event::EventKind;
use crate::governor::Ruling;
use crate::session_options::{Carryover, Serves};

/// Opens a session, begins a turn, hears each line of `bytes` in it, refuses whatever is asked, and ends what has not
/// ended. Returns the events; exactly one of them ends the turn, and it is the last.
pub fn replay(bytes: &[u8]) -> Vec<EventKind> {
    let mut heard = Heard {
        arm: Acp::new(wishes()),
        events: Vec::new(),
    };
    let opening = [
        json!({"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": 1}}),
        json!({"jsonrpc": "2.0", "id": 2, "result": {"sessionId": "s"}}),
    ];
    let steps = heard.arm.open();
    heard.take(steps);
    for answer in opening {
        let steps = heard.arm.hear(answer.to_string().as_bytes());
        heard.take(steps);
    }
    let steps = heard.arm.prompt("prompt");
    heard.take(steps);
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if heard.is_over() {
            break;
        }
        // A turn may be cancelled at any time.
        if number == 1_000 {
            let steps = heard.arm.cancel();
            heard.take(steps);
        }
        let steps = heard.arm.hear(line);
        heard.take(steps);
    }
    if !heard.is_over() {
        heard.events.push(error("the end of the recording"));
    }
    heard.events
}

struct Heard {
    arm: Acp,
    events: Vec<EventKind>,
}

impl Heard {
    fn is_over(&self) -> bool {
        self.events.last().is_some_and(EventKind::is_last)
    }

    fn take(&mut self, steps: Vec<Step>) {
        for step in steps {
            match step {
                Step::Text(text) => self.events.push(EventKind::TextDelta { text }),
                Step::Thought(text) => self.events.push(EventKind::Thought { text }),
                Step::Used(tool) => self.events.push(EventKind::ToolCall {
                    id: tool.id,
                    name: tool.name,
                    kind: tool.kind.map(|kind| kind.as_str().to_owned()),
                    input: tool.input,
                }),
                Step::UsedUp { id, output, is_error } => {
                    self.events.push(EventKind::ToolResult { id, output, is_error })
                }
                Step::Prompt(prompted) => self.events.push(EventKind::AgentPrompt(prompted)),
                Step::Ask(id, _) => {
                    let steps = self.arm.answered(id, Answered::Ruled(Ruling::Refused));
                    self.take(steps);
                }
                Step::TurnEnd(event) => self.events.push(event),
                Step::Failed(failure) => self.events.push(error(&failure.message.to_string())),
                Step::Say(_) | Step::Ready { .. } | Step::Withdraw | Step::Closed | Step::Note(_) => {}
            }
        }
    }
}

fn error(message: &str) -> EventKind {
    EventKind::Error {
        code: "EXECUTION_ERROR".to_owned(),
        message: message.to_owned(),
        retryable: false,
    }
}

fn wishes() -> Wishes {
    Wishes {
        agent: "recorded@1".to_owned(),
        directory: "/".into(),
        servers: Vec::new(),
        mode: None,
        config: Vec::new(),
        model: None,
        sign_in: None,
        resume: None,
        serves: Serves::everything(),
        carryover: Carryover::Kept,
    }
}
