//! `argrail scan` as a person runs it, and what it says it found.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

/// A home of its own, in which everything is new or everything is known.
pub(super) struct Scanner {
    argrail: PathBuf,
    home: PathBuf,
    path: OsString,
}

/// How long it took, and what it said.
pub(super) struct Scanned {
    pub(super) seconds: f64,
    pub(super) data: Value,
}

impl Scanner {
    pub(super) fn new(argrail: &Path, home: PathBuf, path: OsString) -> Self {
        Self {
            argrail: argrail.to_owned(),
            home,
            path,
        }
    }

    /// Forgets everything.
    pub(super) fn forget(&self) -> io::Result<()> {
        let _ = fs::remove_dir_all(&self.home);
        fs::create_dir_all(&self.home)
    }

    #[expect(clippy::disallowed_methods, reason = "argrail itself is what is measured")]
    pub(super) fn scan(&self, words: &[&str]) -> io::Result<Scanned> {
        let begun = Instant::now();
        let output = Command::new(&self.argrail)
            .args(["scan", "--json"])
            .args(words)
            .env_clear()
            .env("HOME", &self.home)
            .env("PATH", &self.path)
            .current_dir(&self.home)
            .stdin(Stdio::null())
            .output()?;
        let seconds = begun.elapsed().as_secs_f64();
        let envelope: Value = serde_json::from_slice(&output.stdout)?;
        match envelope.get("data") {
            Some(data) if output.status.success() => Ok(Scanned {
                seconds,
                data: data.clone(),
            }),
            _ => Err(io::Error::other(format!("the scan failed: {envelope}"))),
        }
    }
}

impl Scanned {
    /// How many there are in a list.
    pub(super) fn count(&self, list: &str) -> usize {
        let list = self.data.get(list).and_then(Value::as_array);
        list.map_or(0, Vec::len)
    }

    pub(super) fn number(&self, name: &str) -> u64 {
        self.data.get(name).and_then(Value::as_u64).unwrap_or_default()
    }
}
