//! The server: one connection after the other is read, answered, noted and closed.

use super::answer::{Answer, Ids, Stream};
use super::question::{Api, Question};
use super::script::Script;
use crate::http::Request;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a client may take to ask.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often somebody who waits for the client looks whether the server is over.
const LOOK: Duration = Duration::from_millis(50);
/// Connections at one time.
const CONNECTIONS: usize = 64;
/// Requests that are remembered.
const NOTED: usize = 10_000;
/// Characters of a text that are remembered.
const TEXT: usize = 2_000;

/// A model, until it is dropped.
#[derive(Debug)]
pub struct Model {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    script: Script,
    ids: Ids,
    state: Mutex<State>,
    /// Told when the server is over.
    over: Condvar,
}

#[derive(Debug, Default)]
struct State {
    asked: Vec<Noted>,
    log: Option<File>,
    connections: usize,
    over: bool,
}

/// One request, as it is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// Whose words were spoken: `openai-chat`, `openai-responses`, `anthropic`, `gemini`; nothing for another path.
    pub api: &'static str,
    /// The path.
    pub path: String,
    /// What the client calls the server.
    pub host: String,
    /// The key that came with it.
    pub key: String,
    /// The newest prompt, its end if it is long.
    pub prompt: String,
    /// The tools that could be called.
    pub tools: Vec<String>,
    /// What tools gave back in this turn.
    pub results: Vec<String>,
    /// `text`, `call`, `no-tool`, `unscripted`, `aside` (a title or the like), or `other`.
    pub answer: &'static str,
}

impl Model {
    /// Starts a model.
    pub fn new(script: Script) -> Self {
        Self::start(script, None).expect("a port is free")
    }

    /// Starts a model that also writes down what it is asked, one JSON object a line.
    ///
    /// # Errors
    ///
    /// When the file cannot be made, or no port is free.
    pub fn logging(script: Script, log: &Path) -> io::Result<Self> {
        Self::start(script, Some(File::create(log)?))
    }

    fn start(script: Script, log: Option<File>) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            script,
            ids: Ids::default(),
            state: Mutex::new(State {
                log,
                ..State::default()
            }),
            over: Condvar::new(),
        });
        let of_thread = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                match of_thread.enter() {
                    Entered::Over => return,
                    Entered::Full => continue,
                    Entered::In => {}
                }
                let shared = Arc::clone(&of_thread);
                thread::spawn(move || {
                    if let Ok(stream) = stream {
                        let _ = answer(&stream, &shared);
                    }
                    shared.lock().connections -= 1;
                });
            }
        });
        Ok(Self { address, shared })
    }

    /// Returns where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns its address as the base of what an agent is told.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns every request so far.
    pub fn asked(&self) -> Vec<Noted> {
        self.shared.lock().asked.clone()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.shared.lock().over = true;
        self.shared.over.notify_all();
        // Wakes the thread that waits for somebody.
        let _ = TcpStream::connect(self.address);
    }
}

/// Whether one more connection is served.
enum Entered {
    In,
    Full,
    Over,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self) -> Entered {
        let mut state = self.lock();
        if state.over {
            return Entered::Over;
        }
        if state.connections == CONNECTIONS {
            return Entered::Full;
        }
        state.connections += 1;
        Entered::In
    }

    fn note(&self, noted: Noted) {
        let mut state = self.lock();
        if state.asked.len() == NOTED {
            return;
        }
        if let Some(log) = &mut state.log {
            // Whoever reads the file sees that a line is missing.
            let _ = writeln!(log, "{}", noted.line());
        }
        state.asked.push(noted);
    }

    /// Waits so long, or until the server is over.
    fn pause(&self, pause: Duration) {
        if !pause.is_zero() {
            let _ = self
                .over
                .wait_timeout_while(self.lock(), pause, |state| !state.over);
        }
    }
}

impl Noted {
    fn line(&self) -> Value {
        json!({
            "api": self.api, "path": self.path, "host": self.host, "key": self.key, "prompt": self.prompt,
            "tools": self.tools, "results": self.results, "answer": self.answer,
        })
    }
}

/// Answers one request. A client that goes away is its own business.
fn answer(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let Some(request) = Request::read(stream) else {
        return Ok(());
    };
    let header = |name: &str| request.headers.get(name).cloned().unwrap_or_default();
    let keys = [
        header("authorization"),
        header("x-api-key"),
        header("x-goog-api-key"),
    ];
    let mut noted = Noted {
        api: "",
        path: request.path.clone(),
        host: header("host"),
        key: keys.concat(),
        prompt: String::new(),
        tools: Vec::new(),
        results: Vec::new(),
        answer: "other",
    };
    let api = Api::of(&request.path).filter(|_| request.method == "POST");
    let question = api.and_then(|api| Question::read(api, &request));
    let Some(question) = question else {
        shared.note(noted);
        return whole(stream, &other(&request));
    };
    let turn = question.turn(|prompt| shared.script.find(prompt));
    let results = turn.map(|(_, results)| results).unwrap_or_default();
    let answer = Answer::to(&question, &shared.script);
    noted.api = question.api.name();
    noted.prompt = end_of(question.prompt());
    noted.results = results.into_iter().map(end_of).collect();
    noted.tools.clone_from(&question.tools);
    noted.answer = answer.kind;
    shared.note(noted);
    if question.streamed {
        streamed(stream, answer.stream(&question, &shared.ids), &answer, shared)
    } else {
        if answer.stall {
            until_gone(stream, shared)?;
        }
        whole(stream, &answer.whole(&question, &shared.ids))
    }
}

/// What every agent asks for besides: lists of models, and how many tokens something has.
fn other(request: &Request) -> Value {
    if request.path.contains("ount_tokens") || request.path.contains(":countTokens") {
        return json!({"input_tokens": 3, "totalTokens": 3});
    }
    json!({
        "object": "list",
        "data": [{"id": "fake", "object": "model", "type": "model", "display_name": "Fake", "created": 1, "owned_by": "test"}],
        "models": [{"name": "models/fake", "displayName": "Fake", "supportedGenerationMethods": ["generateContent"]}],
        "has_more": false,
    })
}

fn whole(mut stream: &TcpStream, body: &Value) -> io::Result<()> {
    let body = body.to_string();
    let length = body.len();
    let head = format!(
        "HTTP/1.1 200 Told\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes())
}

fn streamed(mut stream: &TcpStream, pieces: Stream, answer: &Answer, shared: &Shared) -> io::Result<()> {
    let head = "HTTP/1.1 200 Told\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\nconnection: close\r\n\r\n";
    stream.write_all(format!("{head}{}", pieces.opening.concat()).as_bytes())?;
    for piece in pieces.middle {
        shared.pause(answer.pause);
        stream.write_all(piece.as_bytes())?;
    }
    if answer.stall {
        until_gone(stream, shared)?;
    }
    stream.write_all(pieces.closing.concat().as_bytes())
}

/// Waits until the client closes the connection, or the server is over.
fn until_gone(mut stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_read_timeout(Some(LOOK))?;
    while !shared.lock().over {
        match stream.read(&mut [0; 64]) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The end of a long text: what a person wrote stands behind what the agent put before it.
fn end_of(text: &str) -> String {
    let before = text.chars().count().saturating_sub(TEXT);
    text.chars().skip(before).collect()
}
