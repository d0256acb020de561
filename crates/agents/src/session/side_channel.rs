//! The rest of a protocol, for whoever looks into a session afterwards: a file that only its owner can read, one JSON
//! value a line, bounded. Values that the agent was given do not stand in it.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use argrail_engine::output::{Redactor, Secrets};
use jiff::Timestamp;
use serde_json::{Value, json};

/// The most bytes of one line.
const LINE: usize = 64 << 10;

/// Where notes go.
#[derive(Debug)]
pub(super) struct SideChannel {
    file: Option<File>,
    left: usize,
    secrets: Secrets,
}

impl SideChannel {
    /// Opens the file, if one is wanted. What is in it stays.
    pub(super) fn open(path: Option<&Path>, most: usize, secrets: Secrets) -> io::Result<Self> {
        let open = |path| {
            OpenOptions::new()
                .append(true)
                .create(true)
                .mode(0o600)
                .open(path)
        };
        Ok(Self {
            file: path.map(open).transpose()?,
            left: most,
            secrets,
        })
    }

    /// Writes a note. It is a service to people: what does not fit or cannot be written is left out.
    pub(super) fn note(&mut self, turn: u64, note: &Value) {
        let Some(file) = &mut self.file else { return };
        let ts = Timestamp::now().to_string();
        let mut line = json!({"ts": ts, "turn": turn, "note": note}).to_string();
        if line.len() > LINE {
            line = json!({"ts": ts, "turn": turn, "bytes": line.len()}).to_string();
        }
        let mut line = Redactor::whole(&self.secrets, line.as_bytes());
        line.push(b'\n');
        if line.len() > self.left || file.write_all(&line).is_err() {
            self.file = None;
            return;
        }
        self.left -= line.len();
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn notes_are_private_bounded_and_without_secrets() {
        let home = Home::new();
        let path = home.work().join("side.jsonl");
        let mut side = SideChannel::open(Some(&path), 300_000, Secrets::new(["s3cret-value"])).unwrap();
        side.note(1, &json!({"key": "s3cret-value"}));
        side.note(2, &json!({"long": "x".repeat(LINE)}));
        for _ in 0..10_000 {
            side.note(3, &json!({"flood": "x".repeat(1000)}));
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(text.len() <= 300_000 && !text.contains("s3cret-value"));
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines[0]["turn"], 1);
        assert!(lines[1]["bytes"].as_u64().unwrap() > LINE as u64, "{}", lines[1]);
        SideChannel::open(None, 0, Secrets::none())
            .unwrap()
            .note(1, &json!({}));
        assert!(SideChannel::open(Some(&home.work()), 0, Secrets::none()).is_err());
    }
}
