//! What people see: data on stdout, everything else on stderr.
//!
//! A pipe gets compact JSON. A terminal gets it laid out and coloured (unless `NO_COLOR` is set), with
//! characters that could hide or reorder text written as JSON escapes: the envelope may quote an attacker.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use argrail_acli::{Envelope, Error};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;

use crate::foreign::hanging;
use crate::terminal::width_of_stderr;
use crate::verb_path;

const KEY: Style = AnsiColor::Blue.on_default();
const TEXT: Style = AnsiColor::Green.on_default();
const OTHER: Style = AnsiColor::Cyan.on_default();
const PLAIN: Style = Style::new();

/// How JSON is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// One line, for programs.
    Compact,
    /// Indented, for a terminal without colour.
    Plain,
    /// Indented and coloured.
    Colour,
}

/// What a verb says that is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Report {
    /// An envelope on stdout: `--json`.
    Envelope,
    /// Words on stderr.
    Text,
}

impl Layout {
    /// Chooses by what was asked for and what stdout is.
    pub(crate) fn of(report: Report) -> Self {
        match report {
            Report::Envelope => Self::Compact,
            Report::Text => Self::of_stdout(),
        }
    }

    /// Chooses by what stdout is.
    pub(crate) fn of_stdout() -> Self {
        Self::of_terminal(io::stdout().is_terminal())
    }

    /// Chooses by whether it is a terminal.
    pub(crate) fn of_terminal(terminal: bool) -> Self {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        match (terminal, no_colour || dumb) {
            (false, _) => Self::Compact,
            (true, true) => Self::Plain,
            (true, false) => Self::Colour,
        }
    }
}

/// Prints an envelope and returns the exit number: its own, or 1 when it could not be printed.
pub(crate) fn envelope(envelope: &Envelope, layout: Layout) -> u8 {
    let mut text = match layout {
        Layout::Compact => visible(&envelope.to_string()),
        Layout::Plain | Layout::Colour => laid_out(&envelope.to_json(), layout),
    };
    text.push('\n');
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => envelope.exit(),
        // A reader that went away has read what it wanted.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => envelope.exit(),
        Err(error) => {
            say(&format!("the answer could not be written: {error}"));
            1
        }
    }
}

/// Prints text on stdout; returns zero, or 1 when it could not be printed.
pub(crate) fn data(text: &str) -> u8 {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => 0,
        // A reader that went away has read what it wanted.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            say(&format!("the answer could not be written: {error}"));
            1
        }
    }
}

/// Prints JSON on stdout; returns zero, or 1 when it could not be printed.
pub(crate) fn json(value: &Value, layout: Layout) -> u8 {
    let mut text = match layout {
        Layout::Compact => visible(&value.to_string()),
        Layout::Plain | Layout::Colour => laid_out(value, layout),
    };
    text.push('\n');
    data(&text)
}

/// Prints JSON as one line of a stream.
///
/// # Errors
/// When nobody reads it any more, or it cannot be written.
pub(crate) fn stream(value: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(format!("{}\n", visible(&value.to_string())).as_bytes())?;
    out.flush()
}

/// Whether whoever read stdout has closed it. Nothing is written to find out.
pub(crate) fn nobody_reads() -> bool {
    let stdout = io::stdout();
    let mut looked = [PollFd::new(&stdout, PollFlags::empty())];
    let at_once = Timespec::default();
    let gone = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
    poll(&mut looked, Some(&at_once)).is_ok() && looked.iter().any(|stdout| stdout.revents().intersects(gone))
}

/// Says something to a person on stderr.
pub(crate) fn say(text: &str) {
    let text = hanging("argrail: ", text, width_of_stderr());
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Shows lines on stderr that a person or a script reads, as they are.
pub(crate) fn show(lines: &impl std::fmt::Display) {
    let _ = write!(io::stderr().lock(), "{lines}");
}

/// Tells why nothing was done, and what to do about it; returns the exit number. An envelope names the verb.
pub(crate) fn refuse(error: Error, report: Report) -> u8 {
    refuse_line(error, report, &verb_path::of_process())
}

/// The same for a verb that is about one command line: an envelope has that one, as it has on success.
pub(crate) fn refuse_line(error: Error, report: Report, line: &str) -> u8 {
    match report {
        Report::Envelope => envelope(&Envelope::new(line, Err(error), None), Layout::Compact),
        Report::Text => {
            say(&error.to_string());
            error.hint_text().iter().for_each(|hint| say(hint));
            error.exit()
        }
    }
}

/// Writes what could steer or mislead whoever looks at compact JSON as escapes. It stands in strings only, so the
/// JSON is the same.
fn visible(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    json.chars().for_each(|c| push_visible(&mut out, c));
    out
}

fn push_visible(out: &mut String, c: char) {
    if !is_unsafe_to_show(c) {
        out.push(c);
        return;
    }
    let mut units = [0; 2];
    for unit in c.encode_utf16(&mut units) {
        out.push_str(&format!("\\u{unit:04x}"));
    }
}

/// Returns JSON for a terminal.
fn laid_out(value: &Value, layout: Layout) -> String {
    let mut out = String::new();
    write_value(&mut out, value, 0, layout);
    out
}

fn write_value(out: &mut String, value: &Value, depth: usize, layout: Layout) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let fields = fields.iter().map(|(key, value)| (Some(key), value));
            write_block(out, ['{', '}'], fields, depth, layout);
        }
        Value::Array(items) if !items.is_empty() => {
            write_block(
                out,
                ['[', ']'],
                items.iter().map(|item| (None, item)),
                depth,
                layout,
            );
        }
        Value::String(_) => styled(out, TEXT, &value.to_string(), layout),
        Value::Null | Value::Bool(_) | Value::Number(_) => styled(out, OTHER, &value.to_string(), layout),
        Value::Object(_) | Value::Array(_) => styled(out, PLAIN, &value.to_string(), layout),
    }
}

fn write_block<'a>(
    out: &mut String,
    [open, close]: [char; 2],
    entries: impl Iterator<Item = (Option<&'a String>, &'a Value)>,
    depth: usize,
    layout: Layout,
) {
    out.push(open);
    for (index, (key, value)) in entries.enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(depth + 1));
        if let Some(key) = key {
            styled(out, KEY, &Value::from(key.as_str()).to_string(), layout);
            out.push_str(": ");
        }
        write_value(out, value, depth + 1, layout);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(close);
}

fn styled(out: &mut String, style: Style, json: &str, layout: Layout) {
    let style = if layout == Layout::Colour { style } else { PLAIN };
    out.push_str(&style.render().to_string());
    json.chars().for_each(|c| push_visible(out, c));
    out.push_str(&style.render_reset().to_string());
}

/// Whether a terminal could be steered, or a reader misled, by this character. JSON escapes the C0 ones.
fn is_unsafe_to_show(c: char) -> bool {
    c.is_control() || argrail_acli::is_invisible(c)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_terminal_gets_layout_and_no_hidden_characters() {
        let value = json!({"a": [1, "x\u{202e}y\u{9b}\u{1b}[2J", {}], "b": null});
        let text = laid_out(&value, Layout::Plain);
        assert_eq!(
            text,
            "{\n  \"a\": [\n    1,\n    \"x\\u202ey\\u009b\\u001b[2J\",\n    {}\n  ],\n  \"b\": null\n}"
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        let compact = visible(&value.to_string());
        assert!(!compact.chars().any(is_unsafe_to_show), "{compact:?}");
        assert_eq!(serde_json::from_str::<Value>(&compact).unwrap(), value);
        assert!(laid_out(&value, Layout::Colour).contains("\u{1b}[34m\"a\""));
    }
}
