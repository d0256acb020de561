//! What a hostile agent does, or a broken one.

use std::io::Write;

use serde_json::json;

use super::agent::{Agent, Turn};
use crate::process;

/// How an agent behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Behaviour {
    /// As the prompt says.
    Polite,
    /// The same, after lines that are no protocol.
    Banner,
    /// The same, and goes on when its input has ended.
    IgnoreEnd,
    /// The same, after somebody signed in.
    SignIn,
    /// The same, without MCP over HTTP.
    NoHttp,
    /// Answers everything twice, and the second time otherwise.
    Twice,
    /// Sends text without end.
    Flood,
    /// Writes to standard error without end, and then answers nothing.
    Grumble,
    /// Sends one line of 100 MB.
    LongLine,
    /// Sends one line of very many small values, again and again.
    ManyValues,
    /// Does not answer this request, nor a cancellation.
    Silent(String),
    /// Ends when this comes, or in the middle of a turn: `call`, `permission`.
    Die(String),
    /// Answers the wrong requests first.
    WrongIds,
    /// Says everything that nobody knows, and then ends the turn.
    Unknown,
    /// Starts processes that ignore being asked to end and sleep for so many seconds, and says nothing more.
    Fork(String),
    /// Asks for permissions without end and reads no answer.
    FloodPermissions,
    /// Begins tool calls without end.
    FloodCalls,
    /// Sends text that would steer a terminal.
    Escapes,
}

impl Behaviour {
    pub(super) fn parse(name: &str, argument: Option<String>) -> Self {
        let argument = argument.unwrap_or_default();
        match name {
            "" | "polite" => Self::Polite,
            "banner" => Self::Banner,
            "ignore-end" => Self::IgnoreEnd,
            "sign-in" => Self::SignIn,
            "no-http" => Self::NoHttp,
            "twice" => Self::Twice,
            "flood" => Self::Flood,
            "grumble" => Self::Grumble,
            "long-line" => Self::LongLine,
            "many-values" => Self::ManyValues,
            "silent" => Self::Silent(argument),
            "die" => Self::Die(argument),
            "wrong-ids" => Self::WrongIds,
            "unknown" => Self::Unknown,
            "fork" => Self::Fork(argument),
            "flood-permissions" => Self::FloodPermissions,
            "flood-calls" => Self::FloodCalls,
            "escapes" => Self::Escapes,
            other => panic!("no such behaviour: {other:?}"),
        }
    }

    pub(super) fn dies_at(&self, method: &str) -> bool {
        matches!(self, Self::Die(at) if at == method)
    }

    pub(super) fn is_silent_at(&self, method: &str) -> bool {
        match self {
            Self::Silent(at) => at == method || method == "session/cancel",
            _ => false,
        }
    }

    /// Does its part of a turn. Nothing comes of one that goes on as the prompt says.
    pub(super) fn turn(&self, agent: &mut Agent) -> Option<Turn> {
        match self {
            Self::Flood => loop {
                agent.text("flood");
            },
            Self::Grumble => {
                for _ in 0..100_000 {
                    agent.complain("grumble grumble grumble grumble grumble grumble\n");
                }
                agent.text("grumbled");
                wait_for_ever()
            }
            Self::LongLine => {
                let mut out = std::io::stdout().lock();
                let part = vec![b'x'; 1 << 20];
                for _ in 0..100 {
                    if out.write_all(&part).is_err() {
                        break;
                    }
                }
                wait_for_ever()
            }
            Self::ManyValues => {
                let line = format!(
                    r#"{{"method":"session/update","params":[{}0]}}"#,
                    "{\"\":[]},".repeat(1_500_000)
                );
                loop {
                    agent.line(&line);
                }
            }
            Self::WrongIds => {
                for wrong in [
                    json!(999_999),
                    json!("x"),
                    json!(-1),
                    json!(null),
                    json!({}),
                    json!(1.5),
                ] {
                    let result = json!({"stopReason": "wrong"});
                    agent.say(&json!({"jsonrpc": "2.0", "id": wrong, "result": result}));
                }
                // An earlier one, which has its answer.
                agent.say(&json!({"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "early"}}));
                None
            }
            Self::Unknown => Some(unknown(agent)),
            Self::Fork(seconds) => {
                let deaf = "trap '' TERM; (sleep $0 & sleep $0) & exec sleep $0";
                for _ in 0..3 {
                    let started = process::command("/bin/sh").args(["-c", deaf, seconds]).spawn();
                    std::mem::forget(started);
                }
                agent.text("forked");
                wait_for_ever()
            }
            Self::FloodPermissions => loop {
                let call = json!({"toolCallId": "p", "title": "again"});
                let options = json!([{"optionId": "once", "name": "Once", "kind": "allow_once"}]);
                agent.ask(
                    "session/request_permission",
                    json!({"toolCall": call, "options": options}),
                );
            },
            Self::FloodCalls => {
                for number in 0.. {
                    let call =
                        json!({"toolCallId": format!("c{number}"), "title": "x", "rawInput": {"n": number}});
                    agent.update("tool_call", &call);
                }
                None
            }
            Self::Escapes => {
                agent.text("\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}evil");
                let title = "\u{1b}[31mred";
                agent.update(
                    "tool_call",
                    &json!({"toolCallId": "\u{1b}[1m", "title": title, "rawInput": {"a": 1}}),
                );
                Some(Turn::Fail("\u{1b}[31mred\nhint: run rm".to_owned()))
            }
            Self::Die(at) if at == "call" => {
                agent.update("tool_call", &json!({"toolCallId": "1", "rawInput": {"a": 1}}));
                die(agent)
            }
            Self::Die(at) if at == "permission" => {
                let call = json!({"toolCallId": "1", "title": "last"});
                agent.ask(
                    "session/request_permission",
                    json!({"toolCall": call, "options": []}),
                );
                die(agent)
            }
            Self::Die(_)
            | Self::Polite
            | Self::Banner
            | Self::IgnoreEnd
            | Self::SignIn
            | Self::NoHttp
            | Self::Twice
            | Self::Silent(_) => None,
        }
    }
}

fn unknown(agent: &mut Agent) -> Turn {
    agent.line("some log line");
    agent.update("hologram", &json!({"depth": 3}));
    agent.update(
        "agent_message_chunk",
        &json!({"content": {"type": "smell", "of": "roses"}}),
    );
    agent.update(
        "agent_message_chunk",
        &json!({"content": {"type": "text", "text": ""}}),
    );
    agent.update("tool_call", &json!({"toolCallId": 7}));
    agent.say(&json!({"jsonrpc": "2.0", "method": "vendor/news", "params": [1, 2]}));
    agent.say(&json!([1, 2, 3]));
    let refused = agent
        .request("vendor/odd_request", json!({}))
        .err()
        .unwrap_or_default();
    agent.text(&format!("known: {refused}"));
    Turn::Stop("tired".to_owned())
}

fn die(agent: &Agent) -> ! {
    agent.complain("\u{1b}[31mfatal\u{1b}[0m: the fake agent dies here\n");
    std::process::exit(super::agent::DIED.into())
}

fn wait_for_ever() -> ! {
    loop {
        std::thread::park();
    }
}
