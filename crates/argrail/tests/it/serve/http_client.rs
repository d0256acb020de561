//! An HTTP client that says exactly what the test wants said, Host and all.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};

use argrail_testkit::{Signal, signal};
use serde_json::{Value, json};

use super::process::{self, PATIENCE, Program, Scratch};
use super::talk::{initialize_params, inline_meta};

/// A server with its address and token.
pub(super) struct Server {
    child: Option<Program>,
    stderr: Receiver<String>,
    pub(super) place: Place,
    pub(super) token: String,
    pub(super) home: Scratch,
}

/// Where a server listens.
#[derive(Debug, Clone)]
pub(super) enum Place {
    Port(u16),
    Socket(PathBuf),
}

impl Server {
    pub(super) fn start() -> Self {
        Self::with(&["--http", "127.0.0.1:0"], Scratch::new())
    }

    pub(super) fn with(args: &[&str], home: Scratch) -> Self {
        let args: Vec<&str> = ["serve"].iter().chain(args).copied().collect();
        let mut child = process::argrail(&args, home.path(), Stdio::null(), Stdio::null(), Stdio::piped());
        let stderr = lines_of(child.stderr.take().unwrap());
        let line = || stderr.recv_timeout(PATIENCE).expect("a line on stderr");
        let first = line();
        let Some(url) = first.strip_prefix("listening on ") else {
            panic!("{first}")
        };
        let (place, token) = match url.strip_prefix("unix:") {
            Some(rest) => (
                Place::Socket(PathBuf::from(rest.strip_suffix(":/mcp").unwrap())),
                String::new(),
            ),
            None => {
                let port = url
                    .trim_end_matches("/mcp")
                    .rsplit(':')
                    .next()
                    .unwrap()
                    .parse()
                    .unwrap();
                let file = line()
                    .strip_prefix("token file ")
                    .expect("the token file")
                    .to_owned();
                (
                    Place::Port(port),
                    std::fs::read_to_string(file).unwrap().trim().to_owned(),
                )
            }
        };
        Self {
            child: Some(child),
            stderr,
            place,
            token,
            home,
        }
    }

    /// Starts a server that must refuse to start, and returns what it says.
    pub(super) fn refused(args: &[&str], home: &Path) -> String {
        let args: Vec<&str> = ["serve"].iter().chain(args).copied().collect();
        let mut child = process::argrail(&args, home, Stdio::null(), Stdio::null(), Stdio::piped());
        let mut said = String::new();
        let mut stderr = child.stderr.take().unwrap();
        let status = process::wait(child);
        stderr.read_to_string(&mut said).unwrap();
        assert!(!status.success(), "{args:?} started");
        said
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// Waits for the end.
    pub(super) fn ended(mut self) -> ExitStatus {
        process::wait(self.child.take().unwrap())
    }

    /// Ends the server and returns what else it said, and its home.
    pub(super) fn stopped(mut self) -> (Vec<String>, Scratch) {
        signal(self.pid(), Signal::TERM);
        assert!(process::wait(self.child.take().unwrap()).success());
        let said = self.stderr.iter().collect();
        (said, std::mem::replace(&mut self.home, Scratch::new()))
    }

    /// A request that the server answers, to be spoilt by the test.
    pub(super) fn post(&self, body: &Value) -> Request {
        Request::to(self.place.clone(), &self.token).body(body)
    }

    /// Begins a session and returns its id.
    pub(super) fn initialize(&self) -> String {
        let params = initialize_params("2025-11-25", json!({}));
        let answer = self.post(&rpc("init", "initialize", &params)).send();
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.message("init")["result"]["protocolVersion"], "2025-11-25");
        let session = answer.header("mcp-session-id").expect("a session id").to_owned();
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.post(&initialized).session(&session).send().status, 202);
        session
    }

    /// A call of `cli` in a session.
    pub(super) fn call(&self, session: &str, id: &str, command: &str) -> Request {
        self.post(&rpc(id, "tools/call", &call_params(id, command)))
            .session(session)
    }

    /// A call of `cli` without a session.
    pub(super) fn call_inline(&self, id: &str, command: &str) -> Request {
        let mut params = call_params(id, command);
        let mut meta = inline_meta(json!({}));
        meta["progressToken"] = json!(id);
        params["_meta"] = meta;
        self.post(&rpc(id, "tools/call", &params))
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "cli")
    }
}

pub(super) fn rpc(id: &str, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn call_params(id: &str, command: &str) -> Value {
    json!({"name": "cli", "arguments": {"command": command}, "_meta": {"progressToken": id}})
}

/// Passes on what a server says, line by line.
fn lines_of(stderr: impl Read + Send + 'static) -> Receiver<String> {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    told
}

/// A request in the making.
#[derive(Debug, Clone)]
pub(super) struct Request {
    place: Place,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    pub(super) fn to(place: Place, token: &str) -> Self {
        let host = match &place {
            Place::Port(port) => format!("127.0.0.1:{port}"),
            Place::Socket(_) => "localhost".to_owned(),
        };
        let request = Self {
            place,
            method: "POST".into(),
            path: "/mcp".into(),
            headers: vec![],
            body: vec![],
        };
        let request = request
            .header("host", &host)
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .header("connection", "close");
        if token.is_empty() {
            request
        } else {
            request.header("authorization", &format!("Bearer {token}"))
        }
    }

    pub(super) fn body(mut self, body: &Value) -> Self {
        self.body = body.to_string().into_bytes();
        self
    }

    pub(super) fn raw_body(mut self, body: &[u8]) -> Self {
        self.body = body.to_vec();
        self
    }

    pub(super) fn method(mut self, method: &str) -> Self {
        self.method = method.into();
        self
    }

    pub(super) fn path(mut self, path: &str) -> Self {
        self.path = path.into();
        self
    }

    /// Sets a header in place of what was there.
    pub(super) fn header(self, name: &str, value: &str) -> Self {
        let mut request = self.without(name);
        request.headers.push((name.into(), value.into()));
        request
    }

    /// Adds a header beside what was there.
    pub(super) fn and_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(super) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub(super) fn session(self, id: &str) -> Self {
        self.header("mcp-session-id", id)
            .header("mcp-protocol-version", "2025-11-25")
    }

    /// Sends it and reads the answer to its end.
    pub(super) fn send(self) -> Answer {
        self.open().rest()
    }

    /// Sends it and reads the head of the answer.
    pub(super) fn open(self) -> Open {
        let mut stream: Box<dyn Stream> = match &self.place {
            Place::Port(port) => Box::new(TcpStream::connect(("127.0.0.1", *port)).unwrap()),
            Place::Socket(path) => Box::new(UnixStream::connect(path).unwrap()),
        };
        stream.be_patient();
        let mut text = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            text += &format!("{name}: {value}\r\n");
        }
        if !self.headers.iter().any(|(name, _)| name == "content-length") {
            text += &format!("content-length: {}\r\n", self.body.len());
        }
        text += "\r\n";
        stream.write_all(text.as_bytes()).unwrap();
        // A server that refuses the head may well have hung up by now.
        let _ = stream.write_all(&self.body);
        Open::read(stream)
    }
}

/// Either kind of stream.
trait Stream: Read + Write + Send {
    fn be_patient(&self);
}

impl Stream for TcpStream {
    fn be_patient(&self) {
        self.set_read_timeout(Some(PATIENCE)).unwrap();
    }
}

impl Stream for UnixStream {
    fn be_patient(&self) {
        self.set_read_timeout(Some(PATIENCE)).unwrap();
    }
}

/// An answer that is still coming.
pub(super) struct Open {
    pub(super) status: u16,
    headers: Vec<(String, String)>,
    stream: BufReader<Box<dyn Stream>>,
}

impl Open {
    fn read(stream: Box<dyn Stream>) -> Self {
        let mut stream = BufReader::new(stream);
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        let status = line
            .split(' ')
            .nth(1)
            .unwrap_or_else(|| panic!("no status in {line:?}"))
            .parse()
            .unwrap();
        let mut headers = Vec::new();
        loop {
            line.clear();
            stream.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        Self {
            status,
            headers,
            stream,
        }
    }

    /// Returns the next message of an event stream, or `None` at its end.
    ///
    /// An event is written as one chunk, so its lines are whole and the chunk sizes between them no harm.
    pub(super) fn event(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if let Some(data) = line
                .strip_prefix("data: ")
                .map(str::trim)
                .filter(|data| !data.is_empty())
            {
                return Some(serde_json::from_str(data).unwrap());
            }
        }
    }

    pub(super) fn rest(mut self) -> Answer {
        let mut body = String::new();
        let _ = self.stream.read_to_string(&mut body);
        Answer {
            status: self.status,
            headers: self.headers,
            body,
        }
    }
}

/// A whole answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// Returns the message with an id, from a plain or a streamed answer.
    pub(super) fn message(&self, id: &str) -> Value {
        let lines = self
            .body
            .lines()
            .map(|line| line.strip_prefix("data: ").unwrap_or(line));
        let mut messages = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        messages
            .find(|message| message["id"] == id)
            .unwrap_or_else(|| panic!("no {id} in {self:?}"))
    }
}
