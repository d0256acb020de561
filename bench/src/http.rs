//! An argrail that serves HTTP, and a client that has one connection for each request: several sessions of one server.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::server::Program;

/// A server that runs. It is ended when dropped.
#[derive(Debug)]
pub(crate) struct HttpServer {
    child: Child,
    port: u16,
    token: String,
    /// The next request's id: no two of a session may have the same.
    next: AtomicUsize,
}

impl HttpServer {
    /// Starts one on a port that is free.
    pub(crate) fn start(program: &Program) -> io::Result<Self> {
        let mut child = program
            .command(&["--http", "127.0.0.1:0"])?
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let said = child.stderr.take().map(BufReader::new);
        let mut server = Self {
            child,
            port: 0,
            token: String::new(),
            next: AtomicUsize::new(1),
        };
        let missing = || io::Error::other("the server does not say where it listens");
        let mut said = said.ok_or_else(missing)?.lines();
        let mut next = |start: &str| -> io::Result<String> {
            let line = said.next().ok_or_else(missing)??;
            let rest = line.strip_prefix(start).ok_or_else(missing)?;
            Ok(rest.to_owned())
        };
        let address = next("listening on ")?;
        let port = address.trim_end_matches("/mcp").rsplit(':').next();
        server.port = port.and_then(|port| port.parse().ok()).ok_or_else(missing)?;
        fs::read_to_string(next("token file ")?)?
            .trim()
            .clone_into(&mut server.token);
        Ok(server)
    }

    /// Begins a session, and returns its id.
    pub(crate) fn session(&self) -> io::Result<String> {
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "argrail-bench", "version": "1"},
        });
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let answer = self.post(None, &hello)?;
        let id = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("mcp-session-id")
                .then(|| value.trim().to_owned())
        });
        let id = id.ok_or_else(|| io::Error::other(format!("no session: {answer}")))?;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.post(Some(&id), &ready)?;
        Ok(id)
    }

    /// Calls the tool in a session. Fails unless it succeeded and `wanted` stands in the answer.
    pub(crate) fn call(&self, session: &str, command: &str, wanted: &str) -> io::Result<()> {
        let params = json!({"name": "cli", "arguments": {"command": command}});
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        let answer = self.post(Some(session), &call)?;
        match answer.contains("\"isError\":false") && answer.contains(wanted) {
            true => Ok(()),
            false => Err(io::Error::other(format!("a wrong answer: {answer}"))),
        }
    }

    /// Sends one request and returns everything that came back, head and all.
    fn post(&self, session: Option<&str>, body: &Value) -> io::Result<String> {
        let body = body.to_string();
        let session = session.map_or_else(String::new, |id| {
            format!("mcp-session-id: {id}\r\nmcp-protocol-version: 2025-11-25\r\n")
        });
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{}\r\naccept: application/json, text/event-stream\r\n\
             content-type: application/json\r\nconnection: close\r\nauthorization: Bearer {}\r\n{session}\
             content-length: {}\r\n\r\n",
            self.port,
            self.token,
            body.len()
        );
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.write_all((head + &body).as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        // Whatever state it is in, the next one must not share the machine with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
