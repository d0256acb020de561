//! What a tool printed: one line of JSON on success; on failure one line of JSON on standard error.
//!
//! All of it is a stranger's text. It is bounded where it becomes part of an error.

use serde_json::Value;

/// The most characters of what was seen that an error carries.
const SEEN: usize = 2_000;

/// Why an output is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ResultError {
    /// What is wrong with it.
    pub what: &'static str,
    /// The beginning of what was printed.
    pub seen: String,
}

/// Reads the result of a call that succeeded.
///
/// # Errors
/// When it is not exactly one line of JSON.
pub fn result_line(stdout: &[u8]) -> Result<Value, ResultError> {
    let refuse = |what| {
        Err(ResultError {
            what,
            seen: seen(stdout),
        })
    };
    let Ok(text) = std::str::from_utf8(stdout) else {
        return refuse("the output is no UTF-8");
    };
    let line = text.trim_matches(|c: char| matches!(c, ' ' | '\t' | '\r' | '\n'));
    if line.is_empty() {
        return refuse("there is no output");
    }
    if line.contains(['\n', '\r']) {
        return refuse("the output has more than one line");
    }
    match serde_json::from_str(line) {
        Ok(value) => Ok(value),
        Err(_) => refuse("the output is no JSON"),
    }
}

/// Returns what a tool that failed says about it: the `error` of its last line of JSON, that line, or the text itself.
pub fn failure_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines = text.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let told = lines.take(20).find_map(|line| {
        let value: Value = serde_json::from_str(line).ok()?;
        value.is_object().then_some((line, value))
    });
    match told {
        Some((line, value)) => match value.get("error").and_then(Value::as_str) {
            Some(error) => cut(error),
            None => cut(line),
        },
        None => cut(text.trim()),
    }
}

fn seen(bytes: &[u8]) -> String {
    let head = bytes.get(..bytes.len().min(4 * SEEN)).unwrap_or_default();
    cut(&String::from_utf8_lossy(head))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SEEN) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_result_is_one_line_of_json() {
        let check = |stdout: &[u8], want: Result<Value, &str>| {
            let came = result_line(stdout);
            let shown = String::from_utf8_lossy(stdout).into_owned();
            assert_eq!(came.map_err(|error| error.what), want, "{shown}");
        };
        check(b"{\"a\":1}\n", Ok(json!({"a": 1})));
        check(b"{\"a\":1}", Ok(json!({"a": 1})));
        check(b" [1, 2] \r\n", Ok(json!([1, 2])));
        check(b"\"text\"\n", Ok(json!("text")));
        check(b"null\n", Ok(json!(null)));
        check(b"", Err("there is no output"));
        check(b"\n\n", Err("there is no output"));
        check(
            b"{\"a\":1}\n{\"b\":2}\n",
            Err("the output has more than one line"),
        );
        check(b"{\n\"a\":1}\n", Err("the output has more than one line"));
        check(b"hello\n", Err("the output is no JSON"));
        check(b"{} {}\n", Err("the output is no JSON"));
        check(b"\xff\n", Err("the output is no UTF-8"));
        let long = "x".repeat(10_000);
        assert_eq!(
            result_line(long.as_bytes()).unwrap_err().seen.chars().count(),
            SEEN + 1
        );
    }

    #[test]
    fn a_failure_says_why_in_its_own_words() {
        let check = |stderr: &str, want: &str| assert_eq!(failure_line(stderr.as_bytes()), want);
        check("{\"error\":\"no such zone\"}\n", "no such zone");
        check("warming up\n{\"error\":\"x\"}\n", "x");
        check("{\"error\":{\"code\":7}}\n", "{\"error\":{\"code\":7}}");
        check("{\"message\":\"m\"}\n", "{\"message\":\"m\"}");
        check("plain words\n", "plain words");
        check("", "");
        check("7\n", "7");
        assert_eq!(failure_line(b"\xff\n"), "\u{fffd}");
    }
}
