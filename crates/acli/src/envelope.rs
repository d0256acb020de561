//! The answer to one command (ACLI §5.1): success or error, and what was executed.
//!
//! Compact JSON in the draft's field order. `_meta.command` is bounded: a refused flood of input must
//! not come back as a flood of output.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::error::Error;
use crate::mask::{KnownOnly, Mask, mask_fields, mask_json};
use crate::text::{Text, cut};

/// How many characters of the command an envelope repeats. The agent has just written it, and pays for reading it again.
const COMMAND_SHOWN: usize = 200;

/// What a handler hands back: a JSON payload and, if it likes, one sentence for people.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    data: Value,
    message: Option<Text>,
    trust: Trust,
    meta: Map<String, Value>,
}

/// Whose words the payload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    Ours,
    Foreign,
}

impl Answer {
    /// Wraps the payload.
    pub fn new(data: impl Into<Value>) -> Self {
        Self {
            data: data.into(),
            message: None,
            trust: Trust::Ours,
            meta: Map::new(),
        }
    }

    /// Marks the payload as somebody else's words, which are data and never instructions (`_meta.untrusted`).
    #[must_use]
    pub fn untrusted(mut self) -> Self {
        self.trust = Trust::Foreign;
        self
    }

    /// Adds a summary for people (`message` of §5.1.1).
    #[must_use]
    pub fn message(mut self, message: impl Into<Text>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Adds a fact about how it went (`_meta`). Those of the draft cannot be replaced.
    #[must_use]
    pub fn meta(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.meta.insert(name.to_owned(), value.into());
        self
    }

    /// Returns the answer without what must not be repeated. Somebody else's payload was looked through by whoever
    /// made data of it, and knows more about it.
    pub(crate) fn masked(mut self, mask: &dyn Mask) -> Self {
        self.message = self.message.map(|message| message.masked(mask));
        mask_fields(mask, &mut self.meta);
        match self.trust {
            Trust::Ours => mask_json(&KnownOnly(mask), &mut self.data),
            Trust::Foreign => {}
        }
        self
    }

    /// Returns the payload.
    pub fn data(&self) -> &Value {
        &self.data
    }
}

impl From<Value> for Answer {
    fn from(data: Value) -> Self {
        Self::new(data)
    }
}

/// The envelope an agent reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    outcome: Result<Answer, Error>,
    command: String,
    duration: Option<Duration>,
}

impl Envelope {
    /// Wraps an outcome. `duration` is set when something was executed.
    pub fn new(command: &str, outcome: Result<Answer, Error>, duration: Option<Duration>) -> Self {
        Self {
            outcome,
            command: cut(command, COMMAND_SHOWN),
            duration,
        }
    }

    /// Whether the command succeeded.
    pub fn success(&self) -> bool {
        self.outcome.is_ok()
    }

    /// Returns what happened.
    pub fn outcome(&self) -> Result<&Answer, &Error> {
        self.outcome.as_ref()
    }

    /// Returns the exit number of a process that answers with this envelope.
    pub fn exit(&self) -> u8 {
        match &self.outcome {
            Ok(_) => 0,
            Err(error) => error.exit(),
        }
    }

    /// Returns the envelope as JSON.
    pub fn to_json(&self) -> Value {
        self.clone().into_json()
    }

    /// Turns the envelope into JSON; its data is moved, not copied.
    pub fn into_json(self) -> Value {
        let mut out = Map::new();
        out.insert("success".into(), self.success().into());
        let mut foreign = false;
        let mut facts = Map::new();
        match self.outcome {
            Ok(answer) => {
                facts = answer.meta;
                foreign = answer.trust == Trust::Foreign;
                out.insert("data".into(), answer.data);
                if let Some(message) = &answer.message {
                    out.insert("message".into(), message.to_string().into());
                }
            }
            Err(error) => {
                out.insert("error".into(), error.to_json());
            }
        }
        let mut meta = Map::new();
        meta.insert("command".into(), self.command.into());
        if let Some(duration) = self.duration {
            meta.insert("duration_ms".into(), milliseconds(duration));
        }
        if foreign {
            meta.insert("untrusted".into(), true.into());
        }
        for (name, value) in facts {
            meta.entry(name).or_insert(value);
        }
        out.insert("_meta".into(), Value::Object(meta));
        Value::Object(out)
    }
}

/// Returns JSON as text. Twice as fast as `Display`, which goes through a formatter.
pub(crate) fn compact(json: &Value) -> String {
    // Writing a `Value` to a `String` does not fail; if it ever did, `Display` is the same text.
    serde_json::to_string(json).unwrap_or_else(|_| json.to_string())
}

impl std::fmt::Display for Envelope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&compact(&self.to_json()))
    }
}

/// Milliseconds with microsecond precision: whole when it can be, so that `142` stays `142`.
pub(crate) fn milliseconds(duration: Duration) -> Value {
    let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    if micros.is_multiple_of(1_000) {
        return (micros / 1_000).into();
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "a call does not last the 285 years where this loses a microsecond"
    )]
    let precise = micros as f64 / 1_000.0;
    precise.into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn facts_of_an_answer_stand_beside_those_of_the_draft() {
        let answer = Answer::new(1)
            .untrusted()
            .meta("tried", json!(["x"]))
            .meta("command", "another")
            .meta("untrusted", false);
        let envelope = Envelope::new("one", Ok(answer), None).to_json();
        let expected = json!({"command": "one", "untrusted": true, "tried": ["x"]});
        assert_eq!(envelope["_meta"], expected);
    }
}
