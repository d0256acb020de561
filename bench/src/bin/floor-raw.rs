//! A floor: the cheapest MCP server over stdio that still answers what it is asked.
//!
//! Reads lines, finds method and id, writes a fixed answer with that id. Knows one tool, checks nothing,
//! and flushes when nothing more is waiting, as any server has to.

use std::io::{self, BufRead, BufReader, Write};

use serde::Deserialize;
use serde_json::value::RawValue;

/// As much of a request as an answer needs.
#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: &'a str,
}

const INITIALIZE: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"floor-raw","version":"1"}}"#;
const LIST: &str = r#"{"tools":[{"name":"cli","description":"Execute CLI command","inputSchema":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}]}"#;
const CALL: &str = r#"{"content":[{"type":"text","text":"{\"success\":true,\"data\":{\"acli_version\":\"0.1.0\",\"implementation\":{\"name\":\"floor\",\"version\":\"1\"}}}"}],"isError":false}"#;

fn main() -> io::Result<()> {
    let mut input = BufReader::with_capacity(64 * 1024, io::stdin().lock());
    let mut output = io::BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let request: Request<'_> = serde_json::from_slice(&line)?;
        if let Some(id) = request.id {
            let result = match request.method {
                "initialize" => INITIALIZE,
                "tools/list" => LIST,
                _ => CALL,
            };
            writeln!(output, r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)?;
        }
        line.clear();
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    Ok(())
}
