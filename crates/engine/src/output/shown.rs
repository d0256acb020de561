//! What was printed, as JSON: all of it, or a beginning and where the rest is.

use argrail_acli::Text;
use argrail_sandbox::Ended;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

use super::collector::Collected;
use super::intake::Taken;
use super::keep::OutputId;
use super::stream::Stream;

/// What is shown of one run.
pub(crate) struct Shown {
    pub(crate) data: Map<String, Value>,
    /// Where the rest is, in our own words.
    pub(crate) rest: Option<Text>,
}

/// Returns both streams as text when all of it is that, and without loss in any case.
pub fn streams(stdout: &[u8], stderr: &[u8]) -> Vec<(&'static str, String)> {
    match (str::from_utf8(stdout), str::from_utf8(stderr)) {
        (Ok(out), Ok(err)) => vec![("stdout", out.to_owned()), ("stderr", err.to_owned())],
        (Ok(_) | Err(_), Ok(_) | Err(_)) => vec![
            ("encoding", "base64".to_owned()),
            ("stdout", BASE64_STANDARD.encode(stdout)),
            ("stderr", BASE64_STANDARD.encode(stderr)),
        ],
    }
}

/// Shows what was printed: as it is below the cap, else its beginning, and the whole is kept.
pub(crate) fn show(ended: Ended, output: &Collected) -> Shown {
    let mut data = Map::new();
    data.insert("exitCode".into(), json!(ended.code()));
    if let Some(signal) = ended.signal() {
        data.insert("signal".into(), json!(signal));
    }
    let Collected {
        stdout, stderr, cap, ..
    } = output;
    let fits = stdout.is_whole() && stderr.is_whole() && stdout.head.len() + stderr.head.len() <= *cap;
    if fits {
        for (name, text) in streams(&stdout.head, &stderr.head) {
            data.insert(name.into(), json!(text));
        }
        return Shown { data, rest: None };
    }
    let kept = keep(output);
    let rest = Some(preview(&mut data, output, kept.as_ref()));
    Shown { data, rest }
}

/// Puts on disk what is only in memory, and makes the whole readable.
fn keep(output: &Collected) -> Option<OutputId> {
    for (stream, taken) in [(Stream::Stdout, &output.stdout), (Stream::Stderr, &output.stderr)] {
        if taken.is_whole() && !taken.head.is_empty() && taken.kept.is_none() {
            let mut file = output.draft.open(stream)?;
            file.write(&taken.head);
            file.close();
        }
    }
    output.draft.publish(output.stdout.bytes, output.stderr.bytes)
}

fn preview(data: &mut Map<String, Value>, output: &Collected, id: Option<&OutputId>) -> Text {
    let Collected {
        stdout, stderr, cap, ..
    } = output;
    // Standard error gets what the other leaves, and a quarter in any case.
    let for_stderr = cap.saturating_sub(stdout.head.len()).max(cap / 4);
    let is_text = is_text(stdout) && is_text(stderr);
    let stderr_shown = beginning(stderr, for_stderr, is_text);
    let stdout_shown = beginning(stdout, cap.saturating_sub(stderr_shown.len()), is_text);
    let coded = |bytes: &[u8]| match str::from_utf8(bytes) {
        Ok(text) if is_text => text.to_owned(),
        Ok(_) | Err(_) => BASE64_STANDARD.encode(bytes),
    };
    data.insert("truncated".into(), json!(true));
    if !is_text {
        data.insert("encoding".into(), json!("base64"));
    }
    data.insert("preview".into(), json!(coded(stdout_shown)));
    data.insert("bytes".into(), json!(stdout.bytes));
    if stderr.bytes > 0 {
        data.insert("stderr".into(), json!(coded(stderr_shown)));
        data.insert("stderrBytes".into(), json!(stderr.bytes));
    }
    let Some(id) = id else {
        return Text::new("the output is too long to show, and the rest of it could not be kept");
    };
    data.insert("output".into(), json!(id.as_str()));
    let lost = [stdout, stderr]
        .into_iter()
        .any(|taken| taken.kept.is_some_and(|kept| kept < taken.bytes));
    let (stream, next) = if (stdout_shown.len() as u64) < stdout.bytes {
        ("", stdout_shown.len())
    } else {
        (" --stream stderr", stderr_shown.len())
    };
    data.insert("next".into(), json!(next));
    let text = Text::new("the output is too long to show at once; for the rest: x-output {}{} --offset {}")
        .value(id.as_str())
        .word(stream)
        .number(next);
    if lost {
        return text.then("; ", Text::new("its end was too long to be kept"));
    }
    text
}

/// Whether the beginning of a stream is text; a character may be cut at its end.
fn is_text(taken: &Taken) -> bool {
    match str::from_utf8(&taken.head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && !taken.is_whole(),
    }
}

/// Returns as much of the beginning as may be shown: whole characters, or what Base64 makes no longer than that.
fn beginning(taken: &Taken, most: usize, is_text: bool) -> &[u8] {
    let most = if is_text { most } else { most / 4 * 3 };
    let bytes = taken.head.get(..most).unwrap_or(&taken.head);
    match str::from_utf8(bytes) {
        Err(error) if is_text => bytes.get(..error.valid_up_to()).unwrap_or_default(),
        Ok(_) | Err(_) => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_that_is_no_text_is_not_changed() {
        let owned = |fields: &[(&'static str, &str)]| -> Vec<(&'static str, String)> {
            fields
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned()))
                .collect()
        };
        assert_eq!(streams(b"a", b"b"), owned(&[("stdout", "a"), ("stderr", "b")]));
        let coded = [("encoding", "base64"), ("stdout", "/wA="), ("stderr", "Yg==")];
        assert_eq!(streams(b"\xff\0", b"b"), owned(&coded));
    }
}
