//! An agent for tests that speaks no protocol: it tells what it was given and what it can reach, one line each.
//!
//! Its words say what to try: `env`, `read PATH`, `write PATH`, `get URL` (through the proxy that it was told of),
//! `connect ADDRESS` (past every proxy), `run PROGRAM`, `stay` (until somebody ends it).

use std::fs;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--version") {
        return ended(tell("probe 1.2.3"));
    }
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let mut next = || words.next().unwrap_or_default();
        let told = match word.as_str() {
            "env" => std::env::vars_os().try_for_each(|(name, value)| {
                tell(&format!(
                    "env {}={}",
                    name.to_string_lossy(),
                    value.to_string_lossy()
                ))
            }),
            "read" => {
                let path = next();
                tell(&format!("read {path}: {}", outcome(fs::read_to_string(&path))))
            }
            "write" => {
                let path = next();
                let done = fs::write(&path, "written").map(|()| String::new());
                tell(&format!("write {path}: {}", outcome(done)))
            }
            "get" => {
                let url = next();
                tell(&format!("get {url}: {}", outcome(get(&url))))
            }
            "connect" => {
                let address = next();
                let done = TcpStream::connect(&address).map(|_| String::new());
                tell(&format!("connect {address}: {}", outcome(done)))
            }
            "stay" => stay(),
            other => tell(&format!("word {other}")),
        };
        if told.is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn tell(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

fn ended(told: io::Result<()>) -> ExitCode {
    told.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}

fn outcome(done: io::Result<String>) -> String {
    match done {
        Ok(text) => format!("ok {}", text.trim()),
        Err(error) => format!("failed ({:?})", error.kind()),
    }
}

/// Asks the proxy for a page, and returns the first line of its answer and the last.
fn get(url: &str) -> io::Result<String> {
    let proxy = std::env::var("http_proxy").map_err(io::Error::other)?;
    let mut stream = TcpStream::connect(proxy.trim_start_matches("http://").trim_end_matches('/'))?;
    let host = url
        .trim_start_matches("http://")
        .split('/')
        .next()
        .unwrap_or_default();
    write!(
        stream,
        "GET {url} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let mut lines = answer.lines();
    let first = lines.next().unwrap_or_default();
    Ok(format!("{first} | {}", lines.next_back().unwrap_or_default()))
}

/// Tells where it is, and waits. Only a signal ends it.
fn stay() -> io::Result<()> {
    let child = Path::new("/proc/self/status").exists();
    tell(&format!("stays {child}"))?;
    loop {
        std::thread::park();
    }
}
