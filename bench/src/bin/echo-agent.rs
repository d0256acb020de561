//! The smallest agent that speaks ACP: says what it is told, and ends its turn.
//!
//! Reads lines, finds method and id, and writes a fixed answer; a prompt's text comes back as one message. It is what
//! the rows about agents drive, so it costs as little as it can.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    if std::env::args().nth(1).as_deref() == Some("--version") {
        return writeln!(output, "echo-agent 1.0.0");
    }
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let Some(id) = request.get("id") else {
            continue;
        };
        let result = match request["method"].as_str() {
            Some("initialize") => json!({"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []}),
            Some("session/new") => json!({"sessionId": "echo-1"}),
            Some("session/prompt") => {
                let content = &request["params"]["prompt"][0];
                let update = json!({"sessionUpdate": "agent_message_chunk", "content": content});
                let params = json!({"sessionId": "echo-1", "update": update});
                let said = json!({"jsonrpc": "2.0", "method": "session/update", "params": params});
                writeln!(output, "{said}")?;
                json!({"stopReason": "end_turn"})
            }
            _ => Value::Null,
        };
        writeln!(
            output,
            "{}",
            json!({"jsonrpc": "2.0", "id": id, "result": result})
        )?;
        output.flush()?;
    }
    Ok(())
}
