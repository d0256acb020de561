//! What one run of a program showed, and how a snapshot prints it.
//!
//! The printed form holds all that the user sees and nothing that differs between two runs: keys are
//! sorted, durations masked, and the temporary home is written `[root]`.

use serde_json::Value;
use std::fmt;

/// Keys whose values differ from run to run.
const MASKED: &[&str] = &["duration_ms"];

/// A program's exit and everything it wrote.
#[derive(Debug, Clone)]
pub struct Run {
    /// The exit code, unless a signal ended the program.
    pub exit: Option<i32>,
    /// The signal that ended the program, if one did.
    pub signal: Option<i32>,
    /// Standard output. What is not UTF-8 reads as U+FFFD.
    pub stdout: String,
    /// Standard error. What is not UTF-8 reads as U+FFFD.
    pub stderr: String,
    /// The home's own directory, which `Display` replaces.
    pub(crate) root: String,
}

impl Run {
    /// Returns standard output as one JSON value.
    ///
    /// # Panics
    ///
    /// If it is anything else. The message shows the whole run.
    pub fn json(&self) -> Value {
        match serde_json::from_str(&self.stdout) {
            Ok(value) => value,
            Err(error) => panic!("stdout is not one JSON value ({error}):\n{self}"),
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.exit, self.signal) {
            (Some(code), _) => writeln!(f, "exit: {code}")?,
            (None, Some(signal)) => writeln!(f, "exit: signal {signal}")?,
            (None, None) => writeln!(f, "exit: unknown")?,
        }
        writeln!(f, "--- stdout")?;
        f.write_str(&stable(&pretty(&self.stdout), &self.root))?;
        writeln!(f, "--- stderr")?;
        f.write_str(&stable(&self.stderr, &self.root))
    }
}

/// Pretty-prints JSON, one value or one a line; other text stays as it is.
fn pretty(text: &str) -> String {
    let whole = serde_json::from_str::<Value>(text).map(|value| vec![value]);
    let values = whole.or_else(|_| text.lines().map(serde_json::from_str).collect());
    match values {
        Ok(values) if !values.is_empty() => values
            .into_iter()
            .map(|value| format!("{:#}\n", tame(value)))
            .collect(),
        Ok(_) | Err(_) => text.to_owned(),
    }
}

/// Sorts the keys of every object and masks what differs between runs.
fn tame(mut value: Value) -> Value {
    value.sort_all_objects();
    mask(&mut value);
    value
}

fn mask(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                if MASKED.contains(&key.as_str()) {
                    *field = Value::from("[masked]");
                } else {
                    mask(field);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Hides the temporary directory and ends the text with a newline, so that sections stay apart.
fn stable(text: &str, root: &str) -> String {
    let mut text = if root.is_empty() {
        text.to_owned()
    } else {
        text.replace(root, "[root]")
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stdout: &str, shown: &str) {
        let run = Run {
            exit: Some(0),
            signal: None,
            stdout: stdout.into(),
            stderr: String::new(),
            root: "/tmp/argrail-x".into(),
        };
        assert_eq!(
            run.to_string(),
            format!("exit: 0\n--- stdout\n{shown}--- stderr\n"),
            "of {stdout:?}"
        );
    }

    #[test]
    fn output_is_shown_whole_and_stable() {
        check("", "");
        check("plain", "plain\n");
        check("two\nlines\n", "two\nlines\n");
        check("at /tmp/argrail-x/work/a\n", "at [root]/work/a\n");
        check(
            r#"{"b":1,"a":{"d":2,"c":3}}"#,
            "{\n  \"a\": {\n    \"c\": 3,\n    \"d\": 2\n  },\n  \"b\": 1\n}\n",
        );
        check(
            r#"{"_meta":[{"duration_ms":12}]}"#,
            "{\n  \"_meta\": [\n    {\n      \"duration_ms\": \"[masked]\"\n    }\n  ]\n}\n",
        );
        check("{\"n\":1}\n{\"n\":2}\n", "{\n  \"n\": 1\n}\n{\n  \"n\": 2\n}\n"); // one value a line
        check("{\"n\":1}\nnot json\n", "{\"n\":1}\nnot json\n");
    }

    #[test]
    fn a_signal_is_not_an_exit_code() {
        let run = Run {
            exit: None,
            signal: Some(15),
            stdout: String::new(),
            stderr: "bye".into(),
            root: String::new(),
        };
        assert_eq!(run.to_string(), "exit: signal 15\n--- stdout\n--- stderr\nbye\n");
    }

    #[test]
    #[should_panic(expected = "stdout is not one JSON value")]
    fn json_refuses_text() {
        let run = Run {
            exit: Some(0),
            signal: None,
            stdout: "hello".into(),
            stderr: String::new(),
            root: String::new(),
        };
        run.json();
    }
}
