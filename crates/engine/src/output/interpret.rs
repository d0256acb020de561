//! What a run means: an answer, or an error with a code that agents branch on.
//!
//! Messages and hints are ours. What the tool said stands in `data`, or in the detail `output` of an error.

use std::time::Duration;

use argrail_acli::{Answer, Code, Error, Text};
use argrail_sandbox::Ended;
use argrail_spec::atip::{ExitMeaning, Invoked, OutputFormat};
use serde_json::{Value, json};

use super::collector::Collected;
use super::end::{End, Stop};
use super::masked::mask;
use super::parse::{Unparsed, parse};
use super::shown::show;

/// How much of what is not the declared format an error shows, in characters.
const SEEN: usize = 200;

/// What `timeout` and many others end with when the time is up.
const TIMED_OUT: i32 = 124;

/// What a shell, and whoever starts programs as shells do, ends with when what it started was killed.
const KILLED: i32 = 128 + 9;

/// Makes the answer of a run.
///
/// # Errors
/// When the run failed, or its output is not what was declared.
pub fn interpret(invoked: &Invoked, end: End, output: Collected) -> Result<Answer, Error> {
    match end.stop {
        Stop::Time(limit) => return Err(with_output(timed_out(invoked, limit), end, &output)),
        Stop::Ceiling => {
            let message = "Execution failed: the command printed more than it may, and was ended";
            let hint = "Check input and retry: ask for less, with a filter or a limit of the command's own";
            let error = Error::new(Code::ExecutionError, message).hint(hint);
            return Err(with_output(error, end, &output));
        }
        Stop::Cancelled => {
            let error = Error::new(Code::ExecutionError, "Execution failed: the call was cancelled");
            return Err(with_output(error.hint("Check input and retry"), end, &output));
        }
        Stop::Itself => {}
    }
    match end.ended {
        Ended::Signal(signal) => Err(with_output(killed(signal), end, &output)),
        Ended::Exit(code) => match failure(invoked, code) {
            Some(error) => Err(with_output(error, end, &output)),
            None => answer(invoked.output.format, code, end, &output),
        },
    }
}

/// The answer of a run that went well.
fn answer(format: OutputFormat, code: i32, end: End, output: &Collected) -> Result<Answer, Error> {
    // No more values fit into what is shown.
    let results = output.results();
    let parsed = match results.is_whole() {
        true if is_blank(format, &results.head) => Err(Unparsed::NotData),
        true => parse(format, &results.head, output.cap),
        false => Err(Unparsed::TooMuch),
    };
    match parsed {
        Ok(mut value) => {
            mask(&mut value, &output.secrets);
            if serde_json::to_vec(&value).is_ok_and(|text| text.len() <= output.cap) {
                let answer = Answer::new(value).untrusted();
                return Ok(match code {
                    0 => answer,
                    code => answer.message(Text::new("the command ended with exit code {}").number(code)),
                });
            }
            Ok(plain(end, output))
        }
        Err(Unparsed::Wrong(why)) => Err(not_parsed(format, &why, code, output)),
        Err(Unparsed::TooMuch | Unparsed::NotData) => Ok(plain(end, output)),
    }
}

/// A command that has nothing to say says nothing, whatever its format. No line of JSON is an empty list, though.
fn is_blank(format: OutputFormat, text: &[u8]) -> bool {
    let blank = text.trim_ascii().is_empty();
    match format {
        OutputFormat::Json | OutputFormat::Yaml => blank,
        OutputFormat::Ndjson | OutputFormat::Text | OutputFormat::Binary => false,
    }
}

fn plain(end: End, output: &Collected) -> Answer {
    let shown = show(end.ended, output);
    let answer = Answer::new(Value::Object(shown.data)).untrusted();
    match shown.rest {
        Some(rest) => answer.message(rest),
        None => answer,
    }
}

/// Adds what the tool said, which is nobody's instruction.
fn with_output(error: Error, end: End, output: &Collected) -> Error {
    let mut shown = show(end.ended, output).data;
    shown.insert("untrusted".into(), json!(true));
    error.detail("output", Value::Object(shown))
}

/// Returns what an exit code says went wrong, if anything did.
fn failure(invoked: &Invoked, code: i32) -> Option<Error> {
    let meaning = invoked.exits.get(&code).cloned().unwrap_or(match code {
        0 => ExitMeaning::Ok,
        TIMED_OUT => ExitMeaning::Timeout,
        KILLED => ExitMeaning::Killed,
        _ => ExitMeaning::Error,
    });
    let retry = "Check input and retry: what the command said is in 'output'";
    let ended = |template: &'static str| Text::new(template).number(code);
    Some(match meaning {
        ExitMeaning::Ok => return None,
        ExitMeaning::UsageError => Error::invalid(
            ended("the command ended with exit code {}, which means that it was used wrongly"),
            Text::new("See how it is used: help {}").value(&invoked.tool),
        ),
        ExitMeaning::AuthRequired => {
            let message = ended("Authentication required: the command ended with exit code {}");
            let error = Error::new(Code::AuthRequired, message)
                .hint(Text::new("Ask a person to sign in to {}").value(&invoked.tool));
            match setup_command(invoked) {
                Some(command) => error.detail("setupCommand", command),
                None => error,
            }
        }
        ExitMeaning::NotFound => {
            let message = ended(
                "Execution failed: the command ended with exit code {}, which means that what was asked for is not there",
            );
            Error::new(Code::ExecutionError, message)
                .hint(retry)
                .detail("meaning", "not_found")
        }
        ExitMeaning::Timeout => {
            let message = ended("the command ended with exit code {}, which means that its time was up");
            Error::new(Code::Timeout, message).hint("Try a simpler query")
        }
        ExitMeaning::Killed => {
            let message = ended(
                "Execution failed: the command ended with exit code {}, which means that something of it was killed",
            );
            Error::new(Code::ExecutionError, message)
                .hint("Check input and retry: give it less to do at once, memory may have run out")
                .detail("meaning", "killed")
        }
        ExitMeaning::Other(word) => {
            let message =
                ended("Execution failed: the command ended with exit code {}, which means {}").value(&word);
            Error::new(Code::ExecutionError, message)
                .hint(retry)
                .detail("meaning", word)
        }
        ExitMeaning::Error => {
            let message = ended("Execution failed: the command ended with exit code {}");
            Error::new(Code::ExecutionError, message).hint(retry)
        }
    })
}

fn setup_command(invoked: &Invoked) -> Option<String> {
    let methods = &invoked.authentication.as_ref()?.methods;
    methods.iter().find_map(|method| method.setup_command.clone())
}

fn timed_out(invoked: &Invoked, limit: Duration) -> Error {
    let ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    let endless = invoked.options.iter().find(|option| is_endless(&option.name));
    let hint = match endless {
        Some(option) => Text::new("Try a simpler query: leave out {} if that makes it go on for ever")
            .value(&option.spelt),
        None => Text::new("Try a simpler query"),
    };
    Error::new(
        Code::Timeout,
        Text::new("Command timed out after {}ms").number(ms),
    )
    .hint(hint)
}

/// Whether an option of this name mostly means to wait for what comes next: `tail -f`, `kubectl get -w`.
fn is_endless(name: &str) -> bool {
    name == "watch" || name.starts_with("follow")
}

/// A signal that was not ours: which, and what that mostly means.
fn killed(signal: i32) -> Error {
    let means = match signal {
        4 => "an illegal instruction",
        6 => "it gave up on itself",
        7 | 11 => "a fault of its own",
        8 => "an arithmetic fault of its own",
        9 => "killed, as the system does when memory runs out",
        13 => "nobody read what it wrote",
        15 => "somebody asked it to end",
        24 => "it used more processor time than it may",
        25 => "it wrote a larger file than it may",
        31 => "it tried a system call that the sandbox refuses",
        _ => "no reason is known",
    };
    let message = Text::new("Execution failed: the command was ended by signal {} ({})")
        .number(signal)
        .word(means);
    Error::new(Code::ExecutionError, message)
        .hint("Check input and retry: give it less to do at once")
        .detail("signal", signal)
}

/// What a command printed, for whoever is told that it could not be used.
pub fn seen(code: i32, output: &Collected) -> Value {
    let results = output.results();
    let text = String::from_utf8_lossy(&results.head);
    let seen: String = text.chars().take(SEEN).collect();
    let stream = output.results.as_str();
    json!({"exitCode": code, stream: seen, "bytes": results.bytes, "untrusted": true})
}

/// It went well and its output is not what its description says. The run is not undone by that, so both are told.
fn not_parsed(format: OutputFormat, why: &str, code: i32, output: &Collected) -> Error {
    let name = match format {
        OutputFormat::Json => "JSON",
        OutputFormat::Ndjson => "lines of JSON",
        OutputFormat::Yaml => "YAML",
        OutputFormat::Text | OutputFormat::Binary => "data",
    };
    let mut why = Value::String(why.to_owned());
    mask(&mut why, &output.secrets);
    let mut seen = seen(code, output);
    seen["why"] = why;
    Error::new(
        Code::OutputParseFailed,
        Text::new("the command ended with exit code {}, and what it printed is not {}")
            .number(code)
            .word(name),
    )
    .hint("The command did run. For its text as it is, call it without what makes it print data")
    .detail("output", seen)
}
