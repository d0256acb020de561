//! One question to an entry and its answer: a JSON object each.
//!
//! The answer has exactly one of `result`, `unsupported`, `error`; our own half of a module also says `again` and
//! `untyped`, which never come from a program of the bundle in a way that matters.

use argrail_sandbox::Report;
use serde_json::{Value, json};

use super::error::EntryError;
use super::find::Entry;
use super::runtime::{Runtime, Types};
use super::sandbox::{MOST, run};

/// The most characters of an entry's own words that are kept.
const SAID: usize = 300;

/// What an entry says to a question.
#[derive(Debug, Clone, PartialEq)]
enum Answer {
    /// What the hook returned.
    Result(Value),
    /// There is no such hook.
    Unsupported,
    /// Node wants to be told to take types away.
    Again,
    /// Node cannot take types away.
    Untyped(String),
    /// The hook failed.
    Error(String),
}

/// Asks an entry: none if it has no such hook.
///
/// # Errors
/// When it cannot be asked or does not answer.
pub(super) fn ask(entry: &Entry, call: &str, args: &Value) -> Result<Option<Value>, EntryError> {
    let request = json!({"call": call, "args": args}).to_string().into_bytes();
    let first = once(entry, Types::AsItDoes, request.clone())?;
    let answer = match (&entry.runtime, first) {
        (Runtime::TypedNode(_), Answer::Again) => once(entry, Types::Stripped, request)?,
        (_, first) => first,
    };
    match answer {
        Answer::Result(value) => Ok(Some(value)),
        Answer::Unsupported => Ok(None),
        Answer::Untyped(node) => Err(EntryError::NoTypes {
            path: entry.file.clone(),
            node,
        }),
        Answer::Again => Err(EntryError::Unreadable {
            why: "it asks to be started again".to_owned(),
        }),
        Answer::Error(said) => Err(EntryError::Threw { said }),
    }
}

fn once(entry: &Entry, types: Types, request: Vec<u8>) -> Result<Answer, EntryError> {
    let report = run(entry, types, request)?;
    if report.cancelled {
        return Err(EntryError::Cancelled);
    }
    if report.timed_out {
        return Err(EntryError::TimedOut {
            allowed: entry.setting.timeout,
        });
    }
    if report.truncated {
        return Err(EntryError::TooMuch { limit: MOST });
    }
    let exit = report.ended.code();
    if exit != Some(0) {
        return Err(EntryError::Failed {
            exit,
            said: end_of(&report),
        });
    }
    read(&report.stdout)
}

/// The last line of what it said.
fn end_of(report: &Report) -> String {
    let said = String::from_utf8_lossy(&report.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    shortened(last.unwrap_or_default())
}

fn shortened(text: &str) -> String {
    text.chars().take(SAID).collect()
}

/// Reads an answer. The reader itself bounds depth; length was bounded before.
fn read(text: &[u8]) -> Result<Answer, EntryError> {
    let unreadable = |why: String| EntryError::Unreadable { why };
    let value: Value =
        serde_json::from_slice(text).map_err(|error| unreadable(shortened(&error.to_string())))?;
    let Value::Object(mut object) = value else {
        return Err(unreadable("it is no object".to_owned()));
    };
    let text = |value: Option<&Value>| shortened(value.and_then(Value::as_str).unwrap_or_default());
    let answer = match object.keys().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["result"] => Answer::Result(object.remove("result").unwrap_or_default()),
        ["unsupported"] => Answer::Unsupported,
        ["again"] => Answer::Again,
        ["untyped"] => Answer::Untyped(text(object.get("untyped"))),
        ["error"] => Answer::Error(text(object.get("error").and_then(|error| error.get("message")))),
        // A hook that returns undefined.
        [] => Answer::Result(Value::Null),
        _ => {
            return Err(unreadable(
                "expected one of result, unsupported, error".to_owned(),
            ));
        }
    };
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn answers_are_read_or_refused() {
        let check = |text: &str, want: Option<Answer>| {
            assert_eq!(read(text.as_bytes()).ok(), want, "{text}");
        };
        check(r#"{"result": [1]}"#, Some(Answer::Result(json!([1]))));
        check("{\"unsupported\": true}\n", Some(Answer::Unsupported));
        check(
            r#"{"error": {"message": "no"}}"#,
            Some(Answer::Error("no".into())),
        );
        check(r#"{"error": 7}"#, Some(Answer::Error(String::new())));
        check(r#"{"untyped": "20.1.0"}"#, Some(Answer::Untyped("20.1.0".into())));
        check("{}", Some(Answer::Result(Value::Null)));
        check(r#"{"result": 1, "error": 2}"#, None);
        check(r#"{"resut": 1}"#, None);
        check("[1]", None);
        check("{\"result\": 1} {\"result\": 2}", None);
        check("", None);
        check(&format!("{{\"result\": {}}}", "[".repeat(400)), None);
    }

    proptest! {
        #[test]
        fn no_answer_makes_the_reader_fail(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            drop(read(&bytes));
        }
    }
}
