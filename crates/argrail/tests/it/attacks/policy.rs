//! A policy as a test writes it, and the file it becomes.

use std::fmt;

use serde_json::{Map, Value};

/// A sandbox block. It starts with nothing granted.
#[derive(Debug, Clone, Default)]
pub(super) struct Policy {
    read: Vec<String>,
    write: Vec<String>,
    deny: Vec<String>,
    egress: Vec<String>,
    ingress: Vec<String>,
    spawn: Option<Vec<String>>,
    pass: Vec<String>,
    set: Map<String, Value>,
    tty: bool,
}

impl Policy {
    /// Grants nothing.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds a pattern to `fs.read`.
    pub(super) fn read(mut self, pattern: &str) -> Self {
        self.read.push(pattern.to_owned());
        self
    }

    /// Adds a pattern to `fs.write`.
    pub(super) fn write(mut self, pattern: &str) -> Self {
        self.write.push(pattern.to_owned());
        self
    }

    /// Adds a pattern to `fs.deny`.
    pub(super) fn deny(mut self, pattern: &str) -> Self {
        self.deny.push(pattern.to_owned());
        self
    }

    /// Adds a host to `network.egress`.
    pub(super) fn egress(mut self, host: &str) -> Self {
        self.egress.push(host.to_owned());
        self
    }

    /// Adds a URL to `network.ingress`.
    pub(super) fn ingress(mut self, url: &str) -> Self {
        self.ingress.push(url.to_owned());
        self
    }

    /// Lets the child start these programs: `exec.allow: true` and the list. Never called, it may start nothing.
    pub(super) fn spawn(mut self, programs: &[&str]) -> Self {
        self.spawn = Some(programs.iter().map(|program| (*program).to_owned()).collect());
        self
    }

    /// Adds a name to `env.pass`.
    pub(super) fn pass(mut self, name: &str) -> Self {
        self.pass.push(name.to_owned());
        self
    }

    /// Adds a variable to `env.set`.
    pub(super) fn set(mut self, name: &str, value: &str) -> Self {
        self.set.insert(name.to_owned(), value.into());
        self
    }

    /// Asks for a terminal.
    pub(super) fn tty(mut self) -> Self {
        self.tty = true;
        self
    }
}

/// The block as YAML. Lists and strings are written as JSON writes them, which YAML reads.
impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |items: &[String]| Value::from(items.to_vec());
        writeln!(f, "network:")?;
        writeln!(f, "  egress: {}", list(&self.egress))?;
        writeln!(f, "  ingress: {}", list(&self.ingress))?;
        writeln!(f, "fs:")?;
        writeln!(f, "  read: {}", list(&self.read))?;
        writeln!(f, "  write: {}", list(&self.write))?;
        writeln!(f, "  deny: {}", list(&self.deny))?;
        writeln!(f, "exec:")?;
        writeln!(f, "  allow: {}", self.spawn.is_some())?;
        writeln!(f, "  spawn: {}", list(self.spawn.as_deref().unwrap_or_default()))?;
        writeln!(f, "env:")?;
        writeln!(f, "  pass: {}", list(&self.pass))?;
        writeln!(f, "  set: {}", Value::Object(self.set.clone()))?;
        writeln!(f, "tty:")?;
        writeln!(f, "  required: {}", self.tty)
    }
}
