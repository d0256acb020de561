//! A question in words, for a client that shows it: our own text, and the words of the call one on each line.
//!
//! Every foreign character that could be mistaken is written as an escape, and nothing is left out without saying so.

use std::fmt::Write;

use serde_json::Value;

use super::client::Worth;
use crate::store::Request;

/// The most words, and the most characters of one, that a client is given. A person sees all of it with `argrail
/// approve`.
const WORDS: usize = 64;
const CHARACTERS: usize = 400;

/// Whether a client is given all words of a question: nobody says yes to what they have not seen.
pub(super) fn is_whole(request: &Request) -> bool {
    let argv = request.shown.get("argv").and_then(Value::as_array);
    // Texts of an act are not among its words, and a client is not given them.
    let texts = ["/act/content", "/act/input"];
    let without_texts = texts.iter().all(|text| request.shown.pointer(text).is_none());
    without_texts
        && argv.is_some_and(|argv| {
            let fits = |word: &Value| {
                word.as_str()
                    .is_some_and(|word| word.chars().count() <= CHARACTERS)
            };
            argv.len() <= WORDS && argv.iter().all(fits)
        })
}

/// Returns the text of a question.
pub(super) fn message(request: &Request, worth: Worth) -> String {
    let texts = |key: &str| -> Vec<&str> {
        let list = request.shown.get(key).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let act = request.shown.get("act").is_some();
    let mut text = String::from(match act {
        true => "An agent asks to do this, one word on each line:\n",
        false => "An agent asks to run this command, one word on each line:\n",
    });
    let argv = texts("argv");
    for word in argv.iter().take(WORDS) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {}", visible(word));
    }
    if argv.len() > WORDS {
        let _ = writeln!(text, "  … and {} more words", argv.len() - WORDS);
    }
    let directory = request
        .shown
        .get("cwd")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let _ = writeln!(text, "in: {}", visible(directory));
    let effects: Vec<String> = texts("effects").into_iter().map(visible).collect();
    let _ = writeln!(text, "it: {}", effects.join(", "));
    for file in texts("instructions") {
        let _ = writeln!(
            text,
            "changes instructions that agents will follow: {}",
            visible(file)
        );
    }
    let id = &request.id;
    let _ = match worth {
        Worth::Answer => writeln!(text, "More about it: argrail approvals {id}"),
        Worth::Notice => writeln!(
            text,
            "This only tells that it waits: neither a yes nor a no that is given here counts. A person has to run: argrail approve {id}, or: argrail deny {id}"
        ),
    };
    text
}

/// A foreign text in ASCII, whatever it holds; a word is quoted where its end could be mistaken.
fn visible(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(CHARACTERS) {
        match c {
            '\\' => out.push_str("\\\\"),
            ' '..='~' => out.push(c),
            other => out.extend(other.escape_default()),
        }
    }
    let left = text.chars().count().saturating_sub(CHARACTERS);
    if left > 0 {
        let _ = write!(out, "… and {left} more characters");
    }
    match out.is_empty() || out.starts_with(' ') || out.ends_with(' ') || out.contains("  ") {
        true => format!("'{out}'"),
        false => out,
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::json;

    use super::*;
    use crate::policy::RequestId;
    use crate::store::State;

    #[test]
    fn what_is_cut_is_not_whole() {
        let check = |argv: Value, want: bool| {
            let request = Request {
                id: RequestId("a".to_owned()),
                binding: String::new(),
                caller: String::new(),
                shown: json!({"argv": argv}),
                created: Timestamp::UNIX_EPOCH,
                expires: Timestamp::UNIX_EPOCH,
                times: 1,
                state: State::Pending,
            };
            assert_eq!(is_whole(&request), want);
            assert_eq!(!message(&request, Worth::Answer).contains(" more "), want);
        };
        check(json!(["sh", "-c", "x".repeat(CHARACTERS)]), true);
        check(json!(["sh", "-c", "x".repeat(CHARACTERS + 1)]), false);
        check(json!(vec!["x"; WORDS]), true);
        check(json!(vec!["x"; WORDS + 1]), false);
    }

    #[test]
    fn nothing_foreign_can_be_mistaken() {
        let check = |text: &str, want: &str| assert_eq!(visible(text), want);
        check("push", "push");
        check("a b", "a b");
        check("", "''");
        check(" x", "' x'");
        check("a\u{1b}[2J", r"a\u{1b}[2J");
        check("оrigin", r"\u{43e}rigin");
        check("a\nb\r", r"a\nb\r");
        check(r"a\n", r"a\\n");
        assert!(visible(&"x".repeat(500)).ends_with("x… and 100 more characters"));
    }
}
