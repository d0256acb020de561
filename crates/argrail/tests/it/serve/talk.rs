//! A stdio client of lines: what is sent is what the test says, byte by byte.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};

use serde_json::{Value, json};

use super::process::{self, PATIENCE, Program, Scratch};

/// How the two sides are connected.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wire {
    /// As shells and most programs do.
    Pipes,
    /// As Node does.
    TwoSockets,
    /// As inetd did.
    OneSocket,
}

/// A running server and our end of its stdin and stdout.
pub(super) struct Talk {
    child: Program,
    input: Option<Box<dyn Write + Send>>,
    lines: Receiver<Value>,
    early: VecDeque<Value>,
    home: Scratch,
}

impl Talk {
    pub(super) fn start() -> Self {
        Self::over(Wire::Pipes)
    }

    /// The directory in which the server was started.
    pub(super) fn home(&self) -> std::path::PathBuf {
        self.home.path().to_owned()
    }

    pub(super) fn over(wire: Wire) -> Self {
        let home = Scratch::new();
        let start = |stdin: Stdio, stdout: Stdio| {
            process::argrail(&["serve"], home.path(), stdin, stdout, Stdio::inherit())
        };
        let give = |end: UnixStream| Stdio::from(OwnedFd::from(end));
        let (child, input, output): (Program, Box<dyn Write + Send>, Box<dyn Read + Send>) = match wire {
            Wire::Pipes => {
                let mut child = start(Stdio::piped(), Stdio::piped());
                let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
                (child, Box::new(input), Box::new(output))
            }
            Wire::TwoSockets => {
                let (input, stdin) = UnixStream::pair().unwrap();
                let (output, stdout) = UnixStream::pair().unwrap();
                (
                    start(give(stdin), give(stdout)),
                    Box::new(input),
                    Box::new(output),
                )
            }
            Wire::OneSocket => {
                let (ours, theirs) = UnixStream::pair().unwrap();
                let child = start(give(theirs.try_clone().unwrap()), give(theirs));
                (
                    child,
                    Box::new(HalfClose(ours.try_clone().unwrap())),
                    Box::new(ours),
                )
            }
        };
        Self {
            child,
            input: Some(input),
            lines: reading(output),
            early: VecDeque::new(),
            home,
        }
    }

    /// Starts a server and shakes hands in revision 2025-11-25.
    pub(super) fn ready() -> Self {
        let mut talk = Self::start();
        talk.initialize(json!({}));
        talk
    }

    pub(super) fn initialize(&mut self, capabilities: Value) -> Value {
        let answer = self.request(
            "init",
            "initialize",
            &initialize_params("2025-11-25", capabilities),
        );
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub(super) fn send(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes());
    }

    /// Sends a request without waiting for the answer.
    pub(super) fn begin(&mut self, id: &str, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    /// Sends a call of `cli` without waiting for the answer. The id is its progress token too.
    pub(super) fn call(&mut self, id: &str, command: &str) {
        let meta = json!({"progressToken": id});
        let params = json!({"name": "cli", "arguments": {"command": command}, "_meta": meta});
        self.begin(id, "tools/call", &params);
    }

    pub(super) fn cancel(&mut self, id: &str) {
        let params = json!({"requestId": id});
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    }

    pub(super) fn request(&mut self, id: &str, method: &str, params: &Value) -> Value {
        self.begin(id, method, params);
        self.answer(id)
    }

    /// Calls `help`, to see that the server still answers.
    pub(super) fn is_alive(&mut self) {
        self.call("alive", "help");
        assert_eq!(self.answer("alive")["result"]["isError"], false);
    }

    /// Waits for the next message, whichever it is.
    pub(super) fn next(&mut self) -> Value {
        match self.early.pop_front() {
            Some(message) => message,
            None => self.lines.recv_timeout(PATIENCE).expect("a message"),
        }
    }

    /// Waits for a message that `wanted` wants; others are kept for later.
    pub(super) fn find(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.early.iter().position(&wanted) {
            return self.early.remove(at).unwrap();
        }
        loop {
            let message = self.lines.recv_timeout(PATIENCE).expect("a message");
            if wanted(&message) {
                return message;
            }
            self.early.push_back(message);
        }
    }

    pub(super) fn answer(&mut self, id: &str) -> Value {
        self.find(|message| message["id"] == id && message.get("method").is_none())
    }

    pub(super) fn progress(&mut self, token: &str) -> Value {
        self.find(|message| message["params"]["progressToken"] == token)
    }

    /// Closes the server's input.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Takes our input end, for a thread that writes while this one reads.
    pub(super) fn take_input(&mut self) -> Box<dyn Write + Send> {
        self.input.take().unwrap()
    }

    /// Closes the input, and returns what still came and how the server ended.
    pub(super) fn end(mut self) -> (Vec<Value>, ExitStatus) {
        self.hang_up();
        self.ended()
    }

    /// Returns what still comes and how the server ends by itself.
    pub(super) fn ended(self) -> (Vec<Value>, ExitStatus) {
        let mut rest = Vec::from(self.early);
        while let Ok(message) = self.lines.recv_timeout(PATIENCE) {
            rest.push(message);
        }
        let status = process::wait(self.child);
        drop(self.input);
        (rest, status)
    }
}

/// Reads lines until the end. A line that is no JSON ends the test: stdout is for protocol only.
fn reading(output: impl Read + Send + 'static) -> Receiver<Value> {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let message = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not protocol: {line:?}"));
            if tell.send(message).is_err() {
                return;
            }
        }
    });
    told
}

/// A socket that is shut down for writing when it is dropped, while its other half reads on.
struct HalfClose(UnixStream);

impl Write for HalfClose {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

impl Drop for HalfClose {
    fn drop(&mut self) {
        let _ = self.0.shutdown(std::net::Shutdown::Write);
    }
}

pub(super) fn initialize_params(version: &str, capabilities: Value) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "clientInfo": {"name": "it", "version": "1"},
    })
}

/// The `_meta` that every request of revision 2026-07-28 carries.
pub(super) fn inline_meta(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "it", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}
