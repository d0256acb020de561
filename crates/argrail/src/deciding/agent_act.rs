//! What an act of an agent is beside its words: who carries it out, and the text that it is about.

use serde_json::Value;

use crate::foreign::{Part, Row};

/// An act of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentAct {
    /// The agent.
    agent: Option<String>,
    /// Whether argrail does it, or the agent itself.
    by_host: bool,
    /// The tool of the agent.
    tool: Option<String>,
    /// The word by which the agent is told to ask nobody.
    asks_nobody: Option<String>,
    /// What is written, or what the tool is given.
    text: Option<ActText>,
}

/// A text, as far as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ActText {
    title: &'static str,
    bytes: Option<u64>,
    sha256: Option<String>,
    lines: Vec<String>,
    left: u64,
}

impl AgentAct {
    /// Reads it from what the store keeps. What cannot be shown cannot be approved: nothing is returned.
    pub(super) fn read(act: &Value) -> Option<Self> {
        act.as_object()?;
        let text = |key: &str| act.get(key).and_then(Value::as_str).map(str::to_owned);
        let (written, given) = (
            "what the file changes, from - to +",
            "what the agent's tool is given, by its word",
        );
        let shown = match (act.get("content"), act.get("input")) {
            (Some(content), _) => Some(ActText::read(written, content, "diff")?),
            (None, Some(input)) => Some(ActText::read(given, input, "lines")?),
            (None, None) => None,
        };
        Some(Self {
            agent: text("agent"),
            by_host: text("by").as_deref() == Some("host"),
            tool: text("tool"),
            asks_nobody: text("asksNobody"),
            text: shown,
        })
    }

    /// Returns who does it, and in whose words.
    pub(super) fn head(&self) -> Vec<Part> {
        let agent = || Part::Quoted(self.agent.clone().unwrap_or_default());
        if let Some(word) = &self.asks_nobody {
            return vec![
                Part::ours("starts the agent "),
                agent(),
                Part::ours(" so that it asks nobody, by "),
                Part::Quoted(word.clone()),
            ];
        }
        let mut parts = match self.by_host {
            true => vec![Part::ours("argrail does it for the agent "), agent()],
            false => vec![
                Part::ours("the agent "),
                agent(),
                Part::ours(" does it itself, in its sandbox"),
            ],
        };
        if let Some(tool) = &self.tool {
            parts.push(Part::ours(", with its tool "));
            parts.push(Part::Quoted(tool.clone()));
        }
        parts
    }

    /// Returns the text that it is about.
    pub(super) fn rows(&self) -> Vec<Row> {
        self.text.as_ref().map(ActText::rows).unwrap_or_default()
    }
}

impl ActText {
    /// Bytes that are no text have no lines, and are known by their digest.
    fn read(title: &'static str, value: &Value, key: &str) -> Option<Self> {
        let sha256 = value.get("sha256").and_then(Value::as_str).map(str::to_owned);
        let (lines, left) = match value.get(key) {
            Some(lines) => (lines.as_array()?.as_slice(), value.get("left")?.as_u64()?),
            None => (&[][..], sha256.as_ref().map(|_| 0)?),
        };
        let lines = lines.iter().map(|line| line.as_str().map(str::to_owned));
        Some(Self {
            title,
            bytes: value.get("bytes").and_then(Value::as_u64),
            sha256,
            lines: lines.collect::<Option<_>>()?,
            left,
        })
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![Row::Blank, Row::Heading(self.title.to_owned())];
        let item = |mark: &str, part| Row::Item {
            mark: mark.to_owned(),
            parts: vec![part],
        };
        for line in &self.lines {
            let line = line.strip_suffix('\n').unwrap_or(line);
            rows.push(item("│", Part::Foreign(line.to_owned())));
        }
        let bytes = self.bytes.map(|bytes| format!(", {bytes} bytes in all"));
        let bytes = bytes.unwrap_or_default();
        match (self.lines.is_empty(), self.left) {
            (true, 0) => rows.push(item("-", Part::Ours(format!("nothing that can be shown{bytes}")))),
            (false, 0) => {}
            (_, left) => rows.push(item("-", Part::Ours(format!("and {left} lines more{bytes}")))),
        }
        if let Some(digest) = &self.sha256 {
            rows.push(Row::Item {
                mark: "-".to_owned(),
                parts: vec![
                    Part::ours("all of it has the sha256 "),
                    Part::Quoted(digest.clone()),
                    Part::ours(", by which it stands among the snapshots"),
                ],
            });
        }
        rows
    }
}
