//! A minimal MCP client over a child's standard streams.
//!
//! It writes and reads raw JSON-RPC lines, so a test can send what no library would, and it holds the
//! server to the protocol: any other line on standard output fails the test.

use crate::{Child, Run};
use serde_json::{Value, json};
use std::io;

/// The revision that [`Client::initialize`] asks for.
pub const REVISION: &str = "2025-11-25";

/// One connection to a server.
pub struct Client {
    child: Child,
    last_id: i64,
    /// Answers that came before somebody asked for them.
    responses: Vec<Value>,
    notifications: Vec<Value>,
    requests: Vec<Value>,
}

impl Client {
    /// Talks to `child`, which has just been started.
    pub fn new(child: Child) -> Self {
        Self {
            child,
            last_id: 0,
            responses: Vec::new(),
            notifications: Vec::new(),
            requests: Vec::new(),
        }
    }

    /// Performs the handshake of 2025-11-25 and returns the server's `InitializeResult`.
    ///
    /// # Panics
    ///
    /// If the server refuses, or answers with another revision.
    pub fn initialize(&mut self) -> Value {
        self.initialize_with(&json!({}))
    }

    /// The same, as a client that can do more.
    ///
    /// # Panics
    ///
    /// As [`initialize`](Self::initialize) does.
    pub fn initialize_with(&mut self, capabilities: &Value) -> Value {
        let id = self.request(
            "initialize",
            json!({
                "protocolVersion": REVISION,
                "capabilities": capabilities,
                "clientInfo": { "name": "argrail-testkit", "version": "0" },
            }),
        );
        let result = self.result(id);
        assert_eq!(
            result.get("protocolVersion"),
            Some(&Value::from(REVISION)),
            "the revision agreed on"
        );
        self.notify("notifications/initialized", json!({}));
        result
    }

    /// Runs `command` through the tool `cli` and returns the `CallToolResult`.
    ///
    /// # Panics
    ///
    /// If the answer is a protocol error or does not come in time.
    pub fn call(&mut self, command: &str) -> Value {
        let id = self.start_call(command);
        self.result(id)
    }

    /// Sends a call of the tool `cli` without waiting, and returns the request's id.
    pub fn start_call(&mut self, command: &str) -> i64 {
        self.request(
            "tools/call",
            json!({ "name": "cli", "arguments": { "command": command } }),
        )
    }

    /// Sends a request and returns its id.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        self.last_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params }));
        self.last_id
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends one message on one line.
    ///
    /// # Panics
    ///
    /// If the server no longer reads. [`send_raw`](Self::send_raw) returns the error instead.
    pub fn send(&mut self, message: &Value) {
        if let Err(error) = self.send_raw(format!("{message}\n").as_bytes()) {
            panic!("the server does not read {message}: {error}");
        }
    }

    /// Sends bytes as they are: garbage, half a message, several at once.
    ///
    /// # Errors
    ///
    /// When the server no longer reads.
    pub fn send_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.child.write(bytes)
    }

    /// Waits for the whole response to request `id`, error or result. Others are kept for later.
    ///
    /// # Panics
    ///
    /// If the server ends, breaks the protocol, or takes longer than the watchdog allows.
    pub fn response(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        loop {
            if let Some(at) = self
                .responses
                .iter()
                .position(|response| response.get("id") == Some(&id))
            {
                return self.responses.remove(at);
            }
            self.receive(&id);
        }
    }

    /// Waits for the response to request `id` and returns its `result`.
    ///
    /// # Panics
    ///
    /// If it is an error, and as [`response`](Self::response) does.
    pub fn result(&mut self, id: impl Into<Value>) -> Value {
        let mut response = self.response(id);
        match response.get_mut("result") {
            Some(result) => result.take(),
            None => panic!("not a result: {response}"),
        }
    }

    /// Waits for the next notification of this method, or takes one that came before.
    ///
    /// # Panics
    ///
    /// As [`response`](Self::response) does.
    pub fn notification(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self
                .notifications
                .iter()
                .position(|message| names(message, method))
            {
                return self.notifications.remove(at);
            }
            self.receive(&Value::from(method));
        }
    }

    /// Returns the notifications that came so far and were not taken.
    pub fn notifications(&self) -> &[Value] {
        &self.notifications
    }

    /// Returns the requests that the server made of us so far. None is answered.
    pub fn requests(&self) -> &[Value] {
        &self.requests
    }

    /// Waits for the next request of this method that the server makes of us.
    ///
    /// # Panics
    ///
    /// As [`response`](Self::response) does.
    pub fn asked(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.requests.iter().position(|message| names(message, method)) {
                return self.requests.remove(at);
            }
            self.receive(&Value::from(method));
        }
    }

    /// Answers a request of the server's.
    pub fn answer(&mut self, request: &Value, result: &Value) {
        let id = request.get("id").cloned().unwrap_or_default();
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }

    /// Returns the server's process, for signals and measurements.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Closes the server's input and waits for it to end.
    ///
    /// # Panics
    ///
    /// If it does not end in time.
    pub fn finish(self) -> Run {
        self.child.finish()
    }

    /// Takes in one message while waiting for `wanted`.
    fn receive(&mut self, wanted: &Value) {
        let Some(line) = self.child.line() else {
            panic!(
                "the server closed its output before it sent {wanted}:\n{}",
                self.child.post_mortem()
            );
        };
        let message = match serde_json::from_slice::<Value>(&line) {
            Ok(message) if message.get("jsonrpc") == Some(&Value::from("2.0")) => message,
            Ok(_) | Err(_) => panic!(
                "not a JSON-RPC message on stdout: {}",
                String::from_utf8_lossy(&line)
            ),
        };
        match (message.get("method").is_some(), message.get("id").is_some()) {
            (true, true) => self.requests.push(message),
            (true, false) => self.notifications.push(message),
            (false, _) => self.responses.push(message),
        }
    }
}

fn names(message: &Value, method: &str) -> bool {
    message.get("method").and_then(Value::as_str) == Some(method)
}
