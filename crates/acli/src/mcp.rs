//! The mapping to MCP (ACLI §3.1, §5.3), as plain JSON, so that any MCP SDK fits.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::bind::scan;
use crate::cli::{Cli, Request};
use crate::envelope::{Envelope, compact};
use crate::error::Error;
use crate::host::{Caller, ProgressSink};
use crate::model::Context;
use crate::text::Text;
use crate::tokenize::{Limits, tokenize};

/// The one tool there is.
pub const TOOL_NAME: &str = "cli";

/// How many tokens the list of commands in the description may cost by our estimate. The rest of the
/// definition costs about 60, the whole may cost 300, and no name that was tried cost more than a third above
/// the estimate.
const NAME_TOKENS: usize = 180;

/// Returns the tool definition of §3.1. Its description also lists what can be reached now.
pub fn tool(cli: &Cli) -> Value {
    tool_among(cli, |_| true)
}

/// The same for somebody who may reach only some of the top-level commands: the others are not listed.
pub fn tool_among(cli: &Cli, is_reachable: impl Fn(&str) -> bool) -> Value {
    json!({
        "name": TOOL_NAME,
        "description": description(cli, is_reachable),
        "inputSchema": {
            "type": "object",
            "properties": {
                "command": {
                    "type": "string",
                    "description": "CLI command string (e.g., 'calendar events --today')",
                },
            },
            "required": ["command"],
        },
    })
}

/// How long the text of an envelope may be for `structuredContent` to repeat it. Clients hand both to the model.
const REPEATED_BYTES: usize = 16 * 1024;

/// Returns the `CallToolResult` of an envelope. A large one stands in the text alone, where §5.3 wants it.
pub fn result(envelope: Envelope) -> Value {
    let is_error = !envelope.success();
    let json = envelope.into_json();
    let text = compact(&json);
    let is_repeated = text.len() <= REPEATED_BYTES;
    let mut out = Map::new();
    out.insert("content".into(), json!([{"type": "text", "text": text}]));
    if is_repeated {
        // Moved in by hand: the macro would copy it value by value.
        out.insert("structuredContent".into(), json);
    }
    out.insert("isError".into(), is_error.into());
    Value::Object(out)
}

impl Cli {
    /// Answers an MCP `tools/call` of `cli`. A missing or mistyped `command` is answered by an envelope too.
    pub async fn call_tool(
        &self,
        arguments: Option<&Map<String, Value>>,
        caller: impl Into<Arc<Caller>>,
        progress: Option<ProgressSink>,
    ) -> Envelope {
        self.call_tool_in(arguments, caller, progress, None).await
    }

    /// The same; `context` is what the handler of the command gets to see besides.
    pub async fn call_tool_in(
        &self,
        arguments: Option<&Map<String, Value>>,
        caller: impl Into<Arc<Caller>>,
        progress: Option<ProgressSink>,
        context: Option<Context>,
    ) -> Envelope {
        let caller = caller.into();
        match command_of(arguments) {
            Ok(command) => {
                self.answer(Request {
                    progress,
                    context,
                    ..Request::new(command, caller)
                })
                .await
            }
            Err(error) => self.refuse(&caller, error),
        }
    }
}

impl Cli {
    /// Whether a call with these arguments looks at the caller's roots, so that a server need not ask its
    /// client for them otherwise.
    pub fn needs_roots(&self, arguments: Option<&Map<String, Value>>) -> bool {
        let Ok(words) = command_of(arguments).and_then(|command| Ok(tokenize(command, &Limits::default())?))
        else {
            return false;
        };
        let path = scan(self.root(), &words).path;
        let takes_path = path
            .iter()
            .any(|command| command.args().iter().any(|arg| arg.kind().is_path()));
        takes_path || path.last().is_some_and(|command| command.inside().reads_roots)
    }
}

fn command_of(arguments: Option<&Map<String, Value>>) -> Result<&str, Error> {
    let given = arguments.and_then(|arguments| arguments.get("command"));
    let wrong = match given {
        Some(Value::String(command)) => return Ok(command),
        None => "missing",
        Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "a boolean",
        Some(Value::Number(_)) => "a number",
        Some(Value::Array(_)) => "an array",
        Some(Value::Object(_)) => "an object",
    };
    let what = Text::new("'command' is {}, a string is wanted").word(wrong);
    let hint = Text::new("Call the tool with {\"command\": \"help\"}");
    Err(Error::invalid(what, hint).examples(["help"]))
}

fn description(cli: &Cli, is_reachable: impl Fn(&str) -> bool) -> String {
    let mut out = String::from("Execute CLI command. Run 'help' for available commands.");
    let mut names = crate::cli::discovery::names(crate::cli::discovery::View::of_anybody(cli))
        .filter(|name| is_reachable(name));
    let (mut spent, mut listed) = (0, 0);
    for name in names.by_ref() {
        spent += tokens_at_most(name);
        if spent > NAME_TOKENS {
            let left = 1 + names.count();
            out.push_str(&format!(" and {left} more: help"));
            return out;
        }
        out.push_str(if listed == 0 { " Commands: " } else { ", " });
        out.push_str(name);
        listed += 1;
    }
    out
}

/// A bound on the tokens of a name and its comma. Vocabularies have most pairs of small letters, so a token
/// of them is rarely one character; everything else may be, and a digit does not even take the blank before it.
fn tokens_at_most(name: &str) -> usize {
    let blank = usize::from(name.starts_with(|first: char| !first.is_ascii_alphabetic()));
    let (mut tokens, mut run) = (1 + blank, 0usize);
    for c in name.chars() {
        if c.is_ascii_lowercase() {
            run += 1;
        } else {
            tokens += run.div_ceil(2) + 1;
            run = 0;
        }
    }
    tokens + run.div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::Answer;

    #[test]
    fn a_large_envelope_stands_in_the_text_alone() {
        let check = |data: &str, is_repeated: bool| {
            let result = result(Envelope::new("x", Ok(Answer::new(data)), None));
            let text = result["content"][0]["text"].as_str().unwrap();
            let envelope: Value = serde_json::from_str(text).unwrap();
            assert_eq!(envelope["data"], data);
            assert_eq!(result.get("structuredContent"), is_repeated.then_some(&envelope));
            assert_eq!(result["isError"], false);
        };
        check("short", true);
        check(&"x".repeat(4_000), true);
        check(&"x".repeat(16_384), false);
        check(&"x".repeat(60_000), false);
    }
}
