//! What a well-mannered agent does: each line of the prompt is an order.
//!
//! - `say WORDS`, `think WORDS`: a piece of text, of reasoning; a line that is no order is said, too
//! - `tool NAME`: uses a tool inside itself; `ask NAME`: asks for permission first, and says what was chosen
//! - `read PATH`, `write PATH WORDS`, `run WORDS`: asks the host to do it, and says what came of it
//! - `hang`: says nothing until the turn is cancelled; `fail WORDS`: an error; `stop REASON`: ends for that reason
//! - `environment`, `directory`, `settings`, `servers`, `remember`: says what it was given, and what it was asked
//! - `open PATH`, `connect HOST:PORT`: does it by itself, and says how that ended
//! - `mark PATH`: makes an empty file by itself, and says nothing: who waits for it knows how far the agent is

use std::net::TcpStream;

use serde_json::{Value, json};

use super::agent::{Agent, Turn};

/// Does what the prompt says.
pub(super) fn obey(agent: &mut Agent, prompt: &str) -> Option<Turn> {
    for (number, order) in prompt.lines().enumerate() {
        let (word, rest) = order.split_once(' ').unwrap_or((order, ""));
        match word {
            "say" => agent.text(rest),
            "think" => agent.update(
                "agent_thought_chunk",
                &json!({"content": {"type": "text", "text": rest}}),
            ),
            "tool" => tool(agent, number, rest),
            "ask" => ask(agent, number, rest),
            "read" => {
                let came = agent.request("fs/read_text_file", json!({"path": rest}));
                tell(agent, came.map(|result| result["content"].clone()));
            }
            "write" => {
                let (path, content) = rest.split_once(' ').unwrap_or((rest, ""));
                let came = agent.request("fs/write_text_file", json!({"path": path, "content": content}));
                tell(agent, came.map(|_| "written".into()));
            }
            "run" => run(agent, rest),
            "hang" => while_not_cancelled(agent),
            "fail" => return Some(Turn::Fail(rest.to_owned())),
            "stop" => return Some(Turn::Stop(rest.to_owned())),
            "environment" => {
                let mut names: Vec<String> = std::env::vars_os()
                    .map(|(name, _)| name.to_string_lossy().into_owned())
                    .collect();
                names.sort();
                agent.text(&names.join(" "));
            }
            "directory" => agent.text(agent.opened_with["cwd"].as_str().unwrap_or_default()),
            "remember" => agent.text(&agent.remembered.join(" | ")),
            "settings" => agent.text(&agent.settings.join(" ")),
            "servers" => agent.text(&agent.opened_with["mcpServers"].to_string()),
            "open" => tell(
                agent,
                std::fs::read_to_string(rest)
                    .map(Into::into)
                    .map_err(|e| e.to_string()),
            ),
            "mark" => {
                if let Err(why) = std::fs::write(rest, "") {
                    agent.text(&format!("refused: {why}"));
                }
            }
            "connect" => tell(
                agent,
                TcpStream::connect(rest)
                    .map(|_| "connected".into())
                    .map_err(|e| e.to_string()),
            ),
            _ => agent.text(order),
        }
        if agent.cancelled {
            return Some(Turn::Stop("cancelled".to_owned()));
        }
    }
    Some(Turn::Stop("end_turn".to_owned()))
}

fn tell(agent: &Agent, came: Result<Value, String>) {
    match came {
        Ok(Value::String(text)) => agent.text(&text),
        Ok(value) => agent.text(&value.to_string()),
        Err(why) => agent.text(&format!("refused: {why}")),
    }
}

fn tool(agent: &Agent, number: usize, name: &str) {
    let id = format!("call-{number}");
    agent.update(
        "tool_call",
        &json!({"toolCallId": id, "title": name, "kind": "execute", "status": "pending", "rawInput": {"name": name}}),
    );
    let content = json!([{"type": "content", "content": {"type": "text", "text": format!("{name} done")}}]);
    agent.update(
        "tool_call_update",
        &json!({"toolCallId": id, "status": "completed", "content": content}),
    );
}

/// As gemini does: no call before the question.
fn ask(agent: &mut Agent, number: usize, name: &str) {
    let id = format!("call-{number}");
    let came = agent.request(
        "session/request_permission",
        json!({
            "toolCall": {"toolCallId": id, "title": name, "kind": "execute", "rawInput": {"command": name}},
            "options": [
                {"optionId": "always", "name": "Always", "kind": "allow_always"},
                {"optionId": "once", "name": "Once", "kind": "allow_once"},
                {"optionId": "no", "name": "No", "kind": "reject_once"},
            ],
        }),
    );
    let outcome = came.unwrap_or_default();
    let chosen = outcome["outcome"]["optionId"]
        .as_str()
        .unwrap_or("nothing")
        .to_owned();
    let status = if chosen == "once" { "completed" } else { "failed" };
    agent.update("tool_call_update", &json!({"toolCallId": id, "status": status}));
    agent.text(&format!("chosen: {chosen}"));
}

fn run(agent: &mut Agent, line: &str) {
    let mut words = line.split(' ');
    let command = words.next().unwrap_or_default().to_owned();
    let args: Vec<&str> = words.collect();
    let terminal = match agent.request("terminal/create", json!({"command": command, "args": args})) {
        Ok(created) => json!({"terminalId": created["terminalId"]}),
        Err(why) => return tell(agent, Err(why)),
    };
    let exit = agent
        .request("terminal/wait_for_exit", terminal.clone())
        .unwrap_or_default();
    let output = agent
        .request("terminal/output", terminal.clone())
        .unwrap_or_default();
    let _ = agent.request("terminal/kill", terminal.clone());
    let _ = agent.request("terminal/release", terminal);
    let text = output["output"].as_str().unwrap_or_default();
    agent.text(&format!("exit {}: {text}", exit["exitCode"]));
}

fn while_not_cancelled(agent: &mut Agent) {
    while !agent.cancelled {
        match agent.hear() {
            Some(message) if message["method"] == "session/cancel" => agent.take_cancellation(),
            Some(_) => {}
            None => std::process::exit(0),
        }
    }
}
