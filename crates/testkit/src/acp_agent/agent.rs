//! The protocol's side: messages in and out, the handshake, turns.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use serde_json::{Value, json};

use super::hostile::Behaviour;
use super::orders;

/// How a program ends that was asked to die.
pub(super) const DIED: u8 = 7;

/// What a turn came to.
pub(super) enum Turn {
    /// The reason to stop.
    Stop(String),
    /// An error of JSON-RPC.
    Fail(String),
}

/// An agent in a conversation.
pub(super) struct Agent {
    behaviour: Behaviour,
    asked: u64,
    /// Whether the turn was cancelled.
    pub(super) cancelled: bool,
    signed_in: bool,
    /// Everything that was set, in order.
    pub(super) settings: Vec<String>,
    /// How many sessions were opened.
    sessions: u64,
    /// The prompts of the session.
    pub(super) remembered: Vec<String>,
    /// What `session/new` was asked with.
    pub(super) opened_with: Value,
}

/// Runs the agent with its arguments, until its input ends.
///
/// # Panics
/// If it is called wrongly.
pub fn run(arguments: impl IntoIterator<Item = String>) -> ExitCode {
    let mut arguments = arguments.into_iter();
    let behaviour = Behaviour::parse(&arguments.next().unwrap_or_default(), arguments.next());
    let mut agent = Agent {
        behaviour,
        asked: 0,
        cancelled: false,
        signed_in: false,
        settings: Vec::new(),
        sessions: 0,
        remembered: Vec::new(),
        opened_with: Value::Null,
    };
    if let Behaviour::Banner = agent.behaviour {
        agent.line("Welcome to the agent!");
        agent.line("{not json");
        agent.line("");
    }
    while let Some(message) = agent.hear() {
        if let Some(code) = agent.answer(&message) {
            return code;
        }
    }
    match agent.behaviour {
        // Real agents do that.
        Behaviour::IgnoreEnd => loop {
            std::thread::park();
        },
        _ => ExitCode::SUCCESS,
    }
}

impl Agent {
    /// Waits for a message; nothing at the end of the input.
    pub(super) fn hear(&mut self) -> Option<Value> {
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(serde_json::from_str(&line).unwrap_or(Value::Null)),
        }
    }

    /// Writes a line, whatever it is. A host that is gone ends the program.
    pub(super) fn line(&self, line: &str) {
        let mut out = std::io::stdout().lock();
        let written = out
            .write_all(line.as_bytes())
            .and_then(|()| out.write_all(b"\n"))
            .and_then(|()| out.flush());
        if written.is_err() {
            std::process::exit(0);
        }
    }

    pub(super) fn say(&self, message: &Value) {
        self.line(&message.to_string());
    }

    pub(super) fn complain(&self, words: &str) {
        let _ = std::io::stderr().lock().write_all(words.as_bytes());
    }

    fn result(&self, id: &Value, result: Value) {
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
        self.say(&answer);
        if let Behaviour::Twice = self.behaviour {
            self.say(&answer);
            self.say(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": -1, "message": "the other way"}}));
        }
    }

    fn refuse(&self, id: &Value, code: i64, message: &str) {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}));
    }

    /// The session that is open.
    fn name(&self) -> String {
        format!("fake-{}", self.sessions.max(1))
    }

    /// Sends an update of the session.
    pub(super) fn update(&self, kind: &str, fields: &Value) {
        let mut update = fields.clone();
        update["sessionUpdate"] = kind.into();
        self.say(&json!({
            "jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": self.name(), "update": update},
        }));
    }

    pub(super) fn text(&self, text: &str) {
        self.update(
            "agent_message_chunk",
            &json!({"content": {"type": "text", "text": text}}),
        );
    }

    /// Sends a request and returns its id.
    pub(super) fn ask(&mut self, method: &str, mut params: Value) -> u64 {
        self.asked += 1;
        params["sessionId"] = self.name().into();
        self.say(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}));
        self.asked
    }

    /// Sends a request and waits for its answer: the result, or the words of a refusal. Ends with the input.
    pub(super) fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.ask(method, params);
        loop {
            let Some(mut message) = self.hear() else {
                std::process::exit(0);
            };
            match (message["method"].as_str(), message["id"].as_u64()) {
                (Some("session/cancel"), _) => self.take_cancellation(),
                (None, Some(answered)) if answered == id => {
                    return match message["error"]["message"].as_str() {
                        Some(said) => Err(said.to_owned()),
                        None => Ok(message["result"].take()),
                    };
                }
                _ => {}
            }
        }
    }

    /// Hears that the turn is cancelled.
    pub(super) fn take_cancellation(&mut self) {
        if self.behaviour.dies_at("session/cancel") {
            std::process::exit(DIED.into());
        }
        self.cancelled = true;
    }

    /// Answers one message; a code ends the program.
    fn answer(&mut self, message: &Value) -> Option<ExitCode> {
        let (id, params) = (&message["id"], &message["params"]);
        let method = message["method"].as_str().unwrap_or_default();
        if self.behaviour.dies_at(method) {
            self.complain("fatal: the fake agent dies here\n");
            return Some(ExitCode::from(DIED));
        }
        if self.behaviour.is_silent_at(method) {
            return None;
        }
        match method {
            "initialize" => self.result(id, self.hello()),
            "authenticate" => match params["methodId"].as_str() {
                Some("fake-key") => {
                    self.signed_in = true;
                    self.result(id, json!({}));
                }
                _ => self.refuse(id, -32602, "no such way to sign in"),
            },
            "session/new" if self.behaviour == Behaviour::SignIn && !self.signed_in => {
                self.refuse(id, -32000, "Authentication required");
            }
            "session/new" => {
                self.opened_with = params.clone();
                self.sessions += 1;
                self.remembered.clear();
                self.result(id, self.session(json!({"sessionId": self.name()})));
            }
            "session/load" => {
                self.opened_with = params.clone();
                self.history("before");
                self.result(id, self.session(json!({})));
                self.history("straggler");
            }
            "session/set_mode" => self.set(id, "mode", &params["modeId"]),
            "session/set_model" => self.set(id, "model", &params["modelId"]),
            "session/set_config_option" => {
                let name = params["configId"].as_str().unwrap_or_default().to_owned();
                self.set(id, &name, &params["value"]);
            }
            "session/prompt" => {
                let id = id.clone();
                let prompt = params["prompt"][0]["text"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                self.cancelled = false;
                self.remembered.push(prompt.replace('\n', "; "));
                self.turn(&id, &prompt);
            }
            "session/close" => {
                self.result(id, json!({}));
            }
            _ if !id.is_null() => self.refuse(id, -32601, "no such method"),
            _ => {}
        }
        None
    }

    fn turn(&mut self, id: &Value, prompt: &str) {
        let behaviour = self.behaviour.clone();
        let came = behaviour.turn(self).or_else(|| orders::obey(self, prompt));
        match came {
            Some(Turn::Stop(reason)) => {
                let usage =
                    json!({"inputTokens": prompt.len(), "outputTokens": 2, "totalTokens": prompt.len() + 2});
                self.result(id, json!({"stopReason": reason, "usage": usage}));
            }
            Some(Turn::Fail(why)) => self.refuse(id, -32603, &why),
            None => {}
        }
    }

    fn hello(&self) -> Value {
        json!({
            "protocolVersion": 1,
            "agentInfo": {"name": "fake", "version": "1.0"},
            "agentCapabilities": {
                "loadSession": true,
                "mcpCapabilities": {"http": self.behaviour != Behaviour::NoHttp},
                "sessionCapabilities": {"close": {}},
            },
            "authMethods": [{"id": "fake-key", "name": "A key"}, {"id": "fake-browser", "name": "A browser"}],
        })
    }

    fn session(&self, mut answer: Value) -> Value {
        answer["modes"] = json!({"currentModeId": "ask", "availableModes": [
            {"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code"}]});
        answer["models"] = json!({"currentModelId": "small", "availableModels": [
            {"modelId": "small", "name": "Small"}, {"modelId": "large", "name": "Large"}]});
        answer["configOptions"] = json!([{"id": "effort", "name": "Effort", "type": "select", "currentValue": "low",
            "options": [{"value": "low", "name": "Low"}, {"value": "high", "name": "High"}]}]);
        answer
    }

    fn set(&mut self, id: &Value, name: &str, value: &Value) {
        if value == "refused" {
            return self.refuse(id, -32602, "this value is refused");
        }
        self.settings
            .push(format!("{name}={}", value.as_str().unwrap_or("?")));
        self.result(id, json!({}));
    }

    /// What an earlier session looked like.
    fn history(&self, word: &str) {
        self.update(
            "user_message_chunk",
            &json!({"content": {"type": "text", "text": word}}),
        );
        self.text(word);
        self.update(
            "tool_call",
            &json!({"toolCallId": format!("old-{word}"), "rawInput": {"a": 1}}),
        );
        let end = json!({"toolCallId": format!("old-{word}"), "status": "completed"});
        self.update("tool_call_update", &end);
    }
}
