//! An MCP client over pipes that costs as little as it can: requests are written beforehand, answers are
//! only counted while the clock runs and read afterwards.
//!
//! One thread is enough to keep the window full: each read tells how many answers came, and one write sends
//! as many requests. Since a window is far smaller than a pipe's buffer, neither side can block the other.

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The revision that is asked for.
const REVISION: &str = "2025-11-25";

/// How much is read at once: what a pipe holds.
const CHUNK: usize = 64 * 1024;

/// The client's end of the pipes.
#[derive(Debug)]
pub(crate) struct Client {
    input: ChildStdin,
    output: ChildStdout,
    chunk: Vec<u8>,
    /// The next request's id.
    next: usize,
}

impl Client {
    pub(crate) fn new(input: ChildStdin, output: ChildStdout) -> Self {
        Self {
            input,
            output,
            chunk: vec![0; CHUNK],
            next: 0,
        }
    }

    /// Shakes hands and asks for the tools, as every client does first. Returns the answer.
    pub(crate) fn open(&mut self) -> io::Result<Value> {
        let params = json!({
            "protocolVersion": REVISION,
            "capabilities": {},
            "clientInfo": {"name": "argrail-bench", "version": "1"},
        });
        self.ask("initialize", &params)?;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.input.write_all(format!("{ready}\n").as_bytes())?;
        let tools = self.ask("tools/list", &json!({}))?;
        match tools.pointer("/result/tools/0/name") {
            Some(_) => Ok(tools),
            None => Err(io::Error::other(format!("tools/list lists no tool: {tools}"))),
        }
    }

    fn ask(&mut self, method: &str, params: &Value) -> io::Result<Value> {
        let request = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.next += 1;
        self.input.write_all(format!("{request}\n").as_bytes())?;
        let mut answer = Vec::new();
        while self.read(&mut answer)? == 0 {}
        Ok(serde_json::from_slice(&answer)?)
    }

    /// Calls the tool once. Returns how long it took, and the envelope.
    pub(crate) fn command(&mut self, command: &str) -> io::Result<(Duration, Value)> {
        let request = request(self.next, command);
        self.next += 1;
        let mut answer = Vec::new();

        let started = Instant::now();
        self.input.write_all(request.as_bytes())?;
        while self.read(&mut answer)? == 0 {}
        let took = started.elapsed();

        let answer: Value = serde_json::from_slice(&answer)?;
        let envelope = envelope(&answer).ok_or_else(|| io::Error::other(format!("no envelope: {answer}")))?;
        Ok((took, envelope))
    }

    /// Calls the tool `count` times with never more than `window` calls in flight. Returns how long it took.
    pub(crate) fn call(&mut self, count: usize, window: usize) -> io::Result<Duration> {
        self.commands(count, window, |_| "version".to_owned(), |_, _| true)
    }

    /// Calls the tool with a command for each id, and fails unless `is_right` says so of each answer.
    pub(crate) fn commands(
        &mut self,
        count: usize,
        window: usize,
        command: impl Fn(usize) -> String,
        is_right: impl Fn(usize, &Value) -> bool,
    ) -> io::Result<Duration> {
        let ids = self.next..self.next + count;
        self.next = ids.end;
        let requests = Requests::new(ids.clone(), command);
        let mut answers = Vec::with_capacity(count * 512);
        let (mut sent, mut received) = (0, 0);

        let started = Instant::now();
        while received < count {
            let may = (received + window).min(count);
            self.input.write_all(requests.between(sent, may))?;
            sent = may;
            received += self.read(&mut answers)?;
        }
        let took = started.elapsed();

        check(&answers, ids, is_right)?;
        Ok(took)
    }

    /// Reads what is there, waiting for something. Returns how many lines ended in it.
    fn read(&mut self, into: &mut Vec<u8>) -> io::Result<usize> {
        let count = self.output.read(&mut self.chunk)?;
        let fresh = self.chunk.get(..count).unwrap_or_default();
        if fresh.is_empty() {
            return Err(io::Error::other("the server closed its output"));
        }
        into.extend_from_slice(fresh);
        Ok(fresh.iter().filter(|byte| **byte == b'\n').count())
    }
}

/// Requests as bytes, one after the other.
struct Requests {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Requests {
    fn new(ids: Range<usize>, command: impl Fn(usize) -> String) -> Self {
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for id in ids {
            bytes.extend_from_slice(request(id, &command(id)).as_bytes());
            ends.push(bytes.len());
        }
        Self { bytes, ends }
    }

    /// The requests from number `from` up to number `to`.
    fn between(&self, from: usize, to: usize) -> &[u8] {
        let at = |number: usize| {
            let before = number.checked_sub(1);
            before.and_then(|last| self.ends.get(last)).copied().unwrap_or(0)
        };
        self.bytes.get(at(from)..at(to)).unwrap_or_default()
    }
}

/// A call as a line.
fn request(id: usize, command: &str) -> String {
    let params = json!({"name": "cli", "arguments": {"command": command}});
    let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
    format!("{request}\n")
}

/// The envelope in an answer.
fn envelope(answer: &Value) -> Option<Value> {
    let text = answer.pointer("/result/content/0/text")?.as_str()?;
    serde_json::from_str(text).ok()
}

/// Fails unless each id was answered once, with success and rightly: a figure for refusals would be worth nothing.
fn check(answers: &[u8], ids: Range<usize>, is_right: impl Fn(usize, &Value) -> bool) -> io::Result<()> {
    let mut open: HashSet<usize> = ids.collect();
    for line in answers
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let answer: Value = serde_json::from_slice(line)?;
        let id = answer.get("id").and_then(Value::as_u64);
        let id = id.and_then(|id| usize::try_from(id).ok());
        let known = id.filter(|id| open.remove(id));
        let failed = answer.pointer("/result/isError") == Some(&Value::Bool(true));
        let told = answer.pointer("/result/content/0/text").is_some();
        if failed || !told || !known.is_some_and(|id| is_right(id, &answer)) {
            return Err(io::Error::other(format!("a wrong answer: {answer}")));
        }
    }
    match open.len() {
        0 => Ok(()),
        missing => Err(io::Error::other(format!("{missing} calls were not answered"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_cut_where_they_end() {
        let requests = Requests::new(7..10, |_| "version".to_owned());
        let text = |from, to| String::from_utf8(requests.between(from, to).to_vec()).unwrap();
        assert_eq!(text(0, 3), text(0, 1) + &text(1, 3));
        assert!(text(1, 2).contains("\"id\":8,") && text(1, 2).ends_with('\n'));
        assert_eq!(text(2, 2), "");
    }

    #[test]
    fn answers_that_are_wrong_missing_or_doubled_are_found() {
        let answer = |id: u64, failed: bool| {
            let result = json!({"content": [{"type": "text", "text": "x"}], "isError": failed});
            format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "result": result}))
        };
        let passes = |text: String| check(text.as_bytes(), 0..2, |_, _| true).is_ok();
        assert!(passes(answer(1, false) + &answer(0, false)));
        assert!(!passes(answer(0, false)));
        assert!(!passes(answer(0, false) + &answer(0, false)));
        assert!(!passes(answer(0, false) + &answer(1, true)));
        assert!(!passes(answer(0, false) + &answer(1, false) + &answer(2, false)));
        let both = answer(0, false) + &answer(1, false);
        assert!(check(both.as_bytes(), 0..2, |id, _| id == 0).is_err());
    }
}
