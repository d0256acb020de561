//! What stands in a model's context: the tool definition, and the way to a leaf's help. In tokens (o200k).
//!
//! Floor: the same definition without a list of names, which is what the draft's §3.1 says word for word.

use std::io;
use std::sync::Arc;

use argrail_acli::{Caller, Cli, Command, Request, TokioHost, mcp};
use serde_json::{Value, json};
use tiktoken_rs::CoreBPE;

use super::Row;
use crate::names;
use crate::server::Programs;
use crate::table::Line;
use crate::{poll, tree};

pub(super) const ROW: Row = Row {
    name: "context",
    about: "tokens of the tool definition and of the way to a leaf's help",
    measure,
};

/// Tokens that the definition may cost.
const DEFINITION: usize = 300;

/// Tokens from nothing to a leaf's help.
const WAY: usize = 500;

fn measure(_: &Programs) -> io::Result<Vec<Line>> {
    let counter = Counter(tiktoken_rs::o200k_base().map_err(io::Error::other)?);
    let floor = counter.definition(&with_commands(&[])?);
    let mut lines = Vec::new();
    for (kind, names) in names::kinds() {
        let cli = with_commands(&names)?;
        let listed = names.len() - hidden(&cli);
        lines.push(Line {
            row: format!("{}: definition, 200 × {kind}", ROW.name),
            ours: format!("{} tokens, {listed} listed", counter.definition(&cli)),
            floor: format!("{floor} tokens"),
            target: "≤ 300",
            ok: Some(counter.definition(&cli) <= DEFINITION),
            ..Line::default()
        });
    }
    let cli = tree::cli(None).map_err(io::Error::other)?;
    // The definition lists the groups, so nobody has to ask for them; some will.
    let direct: &[&str] = &["help mail", "help mail search"];
    let asking: &[&str] = &["help", "help mail", "help mail search"];
    for (name, calls, judged) in [
        ("to a leaf's help", direct, true),
        ("the same by way of 'help'", asking, false),
    ] {
        let steps = counter.way(&cli, calls)?;
        let total: usize = steps.iter().sum();
        let parts: Vec<String> = steps.iter().map(usize::to_string).collect();
        lines.push(Line {
            row: format!("{}: {name}", ROW.name),
            ours: format!("{total} tokens ({})", parts.join(" + ")),
            floor: format!("{floor} tokens"),
            target: if judged { "≤ 500" } else { "" },
            ok: judged.then_some(total <= WAY),
            ..Line::default()
        });
    }
    Ok(lines)
}

/// Counts tokens.
struct Counter(CoreBPE);

impl Counter {
    fn text(&self, text: &str) -> usize {
        self.0.encode_ordinary(text).len()
    }

    fn definition(&self, cli: &Cli) -> usize {
        self.text(&mcp::tool(cli).to_string())
    }

    /// The definition, then each call with its answer: what the model writes and the text that it reads.
    fn way(&self, cli: &Cli, commands: &[&str]) -> io::Result<Vec<usize>> {
        let mut steps = vec![self.definition(cli)];
        for command in commands {
            let envelope = poll::once(cli.answer(Request::new(*command, Caller::default())));
            let envelope = envelope.filter(|envelope| envelope.success());
            let result = envelope.map(|envelope| mcp::result(envelope));
            let text = result
                .as_ref()
                .and_then(|result| result.pointer("/content/0/text"));
            let Some(answer) = text.and_then(Value::as_str) else {
                return Err(io::Error::other(format!("'{command}' fails")));
            };
            steps.push(self.text(&json!({"command": command}).to_string()) + self.text(answer));
        }
        Ok(steps)
    }
}

fn with_commands(names: &[String]) -> io::Result<Cli> {
    let handler = |_| async { Ok(Value::Null) };
    let commands = names
        .iter()
        .map(|name| Command::new(name, "A tool").handler(handler));
    let host = Arc::new(TokioHost::default());
    let builder = Cli::builder("bench", "1.0.0", "Tools", host).commands(commands);
    builder.build().map_err(io::Error::other)
}

/// How many commands the description only counts.
fn hidden(cli: &Cli) -> usize {
    let definition = mcp::tool(cli);
    let description = definition
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let count = description
        .strip_suffix(" more: help")
        .and_then(|rest| rest.rsplit(' ').next());
    count.and_then(|count| count.parse().ok()).unwrap_or(0)
}
