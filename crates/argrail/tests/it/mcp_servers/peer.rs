//! A server of HTTP that says exactly what the test wants said.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// A request that came.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) method: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Value,
}

impl Seen {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The method of the message in it.
    pub(super) fn asks(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }
}

/// A server and what it saw.
pub(super) struct Peer {
    pub(super) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Peer {
    /// Starts a server that lets `answer` write whatever it wants, on a connection of its own for each request. It ends
    /// with the test program.
    pub(super) fn start(answer: impl Fn(&Seen, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/mcp?key=k3y", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&seen), Arc::new(answer));
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                std::thread::spawn(move || {
                    if let Some(request) = read(&mut stream) {
                        log.lock().unwrap().push(request.clone());
                        answer(&request, &mut stream);
                    }
                });
            }
        });
        Self { url, seen }
    }

    /// Returns the requests that came so far.
    pub(super) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let method = line.split(' ').next()?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Seen {
        method,
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

/// Writes a whole answer.
pub(super) fn respond(stream: &mut TcpStream, status: &str, headers: &str, body: &str) {
    let length = body.len();
    let text =
        format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    let _ = stream.write_all(text.as_bytes());
}

/// Writes the head of an answer that ends with its connection.
pub(super) fn begin(stream: &mut TcpStream, kind: &str) {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(head.as_bytes());
}
