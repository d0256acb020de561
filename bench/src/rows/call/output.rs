//! 200 MB of output of one call: how much of it the server ever has in memory.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use serde_json::{Value, json};

use super::ground::Ground;
use crate::process::memory;
use crate::server::Programs;
use crate::table::Line;

const MEGABYTE: f64 = 1e6;
/// What may be resident.
const TARGET: f64 = 60.0 * MEGABYTE;

const LINE: &str = "0123456789 abcdefghijklmnopqrstuvw\n";
/// A little more than 200 MB of lines.
const LINES: usize = 5_800_000;

pub(super) fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let ground = Ground::new(programs, "call-output")?;
    let file = File::create(ground.work.join("large.txt"))?;
    let mut file = BufWriter::new(file);
    for _ in 0..LINES {
        file.write_all(LINE.as_bytes())?;
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)?;
    File::create(ground.work.join("small.txt"))?.write_all(LINE.as_bytes())?;

    let mut server = ground.server().start()?;
    server.client.open()?;
    server.client.command("cat small.txt")?;
    let before = memory(server.id())?;
    let (took, envelope) = server.client.command("cat large.txt")?;
    let after = memory(server.id())?;
    is_right(&envelope)?;
    Ok(vec![Line {
        row: "call: memory after 203 MB of output, floor after one line".to_owned(),
        ours: format!(
            "peak {:.1} MB, in {:.2} s",
            after.peak / MEGABYTE,
            took.as_secs_f64()
        ),
        floor: format!("peak {:.1} MB", before.peak / MEGABYTE),
        ratio: format!("{:.2}", after.peak / before.peak),
        target: "< 60 MB",
        ok: Some(after.peak < TARGET),
    }])
}

/// All of it was read, and the beginning of it is shown.
fn is_right(envelope: &Value) -> io::Result<()> {
    let data = |name: &str| envelope.pointer(&format!("/data/{name}"));
    let shown = data("preview").and_then(Value::as_str);
    let right = data("bytes") == Some(&json!(LINES * LINE.len()))
        && data("truncated") == Some(&json!(true))
        && shown.is_some_and(|shown| shown.starts_with(LINE));
    if right {
        return Ok(());
    }
    let mut envelope = envelope.to_string();
    envelope.truncate(envelope.floor_char_boundary(500));
    Err(io::Error::other(format!("a wrong answer: {envelope}")))
}
