//! One message of JSON-RPC 2.0, as an agent wrote it, and those that are written to it.

use serde_json::{Value, json};

use super::field::{cut, text_of};

/// There is no such method, says JSON-RPC.
pub(super) const NO_METHOD: i64 = -32601;
/// The parameters are wrong.
pub(super) const BAD_PARAMS: i64 = -32602;
/// The host does not do it.
pub(super) const REFUSED: i64 = -32001;

/// The longest id of a request that is sent back, in bytes of JSON.
const ID: usize = 256;
/// The most values in one message. Text has few; what has more is made to fill memory.
const VALUES: usize = 400_000;
/// Shorter messages cannot have too many.
const SHORT: usize = 512 << 10;
/// How much of an error's words is kept.
const SAID: usize = 1000;

/// What an agent says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// The answer to the request of this number.
    Answer { id: u64, outcome: Result<Value, Fault> },
    /// A question, which is to be answered under its id.
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    /// Something that wants no answer.
    Notice { method: String, params: Value },
    /// A line that is no message: a banner, a log, something broken.
    Noise,
}

/// An error of JSON-RPC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) code: i64,
    pub(super) said: String,
}

/// Reads one line.
pub(super) fn read(line: &[u8]) -> Message {
    if line.len() > SHORT && has_too_many_values(line) {
        return Message::Noise;
    }
    let Ok(Value::Object(mut fields)) = serde_json::from_slice::<Value>(line) else {
        return Message::Noise;
    };
    let id = fields.remove("id").filter(|id| !id.is_null());
    let method = match fields.remove("method") {
        Some(Value::String(method)) => Some(method),
        Some(_) => return Message::Noise,
        None => None,
    };
    let params = fields.remove("params").unwrap_or(Value::Null);
    match (method, id) {
        (Some(method), Some(id)) if is_id(&id) => Message::Request { id, method, params },
        (Some(_), Some(_)) => Message::Noise,
        (Some(method), None) => Message::Notice { method, params },
        (None, Some(id)) => {
            let outcome = match (fields.remove("error"), fields.remove("result")) {
                (Some(error), _) if !error.is_null() => Err(fault(&error)),
                (_, result) => Ok(result.unwrap_or(Value::Null)),
            };
            // Some send numbers back as text.
            let id = id
                .as_u64()
                .or_else(|| id.as_str().and_then(|text| text.parse().ok()));
            id.map_or(Message::Noise, |id| Message::Answer { id, outcome })
        }
        (None, None) => Message::Noise,
    }
}

fn fault(error: &Value) -> Fault {
    let message = text_of(error, "message").unwrap_or("no message");
    let more = error
        .get("data")
        .and_then(|data| match data {
            Value::String(text) => Some(text.as_str()),
            Value::Object(_) => text_of(data, "details").or_else(|| text_of(data, "message")),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        })
        .filter(|more| *more != message);
    let said = match more {
        Some(more) => format!("{}: {}", cut(message, SAID), cut(more, SAID)),
        None => cut(message, SAID),
    };
    Fault {
        code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
        said,
    }
}

fn is_id(id: &Value) -> bool {
    match id {
        Value::Number(_) => true,
        Value::String(text) => text.len() <= ID,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

/// Whether a message has more values than are taken apart. Counts what stands between and around values, outside of
/// texts.
fn has_too_many_values(line: &[u8]) -> bool {
    let (mut values, mut in_text, mut escaped) = (0, false, false);
    for byte in line {
        match (in_text, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_text = !in_text,
            (false, b',' | b'[' | b'{') => values += 1,
            (true | false, _) => {}
        }
    }
    values > VALUES
}

/// Writes a request.
pub(super) fn request(id: u64, method: &str, params: &Value) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

/// Writes something that wants no answer.
pub(super) fn notice(method: &str, params: &Value) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
}

/// Writes an answer.
pub(super) fn result(id: &Value, result: &Value) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// Writes an answer that says no.
pub(super) fn error(id: &Value, code: i64, message: &str) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}))
}

fn line(message: &Value) -> Vec<u8> {
    let mut line = message.to_string().into_bytes();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        let check = |line: &str, want: Message| assert_eq!(read(line.as_bytes()), want, "{line}");
        let request = |id: Value| Message::Request {
            id,
            method: "m".into(),
            params: json!({"a": 1}),
        };
        check(
            r#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}}"#,
            request(json!(7)),
        );
        check(r#"{"id":"x","method":"m","params":{"a":1}}"#, request(json!("x")));
        check(
            r#"{"jsonrpc":"2.0","method":"m"}"#,
            Message::Notice {
                method: "m".into(),
                params: Value::Null,
            },
        );
        let answer = |outcome| Message::Answer { id: 3, outcome };
        check(
            r#"{"jsonrpc":"2.0","id":3,"result":{"x":[]}}"#,
            answer(Ok(json!({"x": []}))),
        );
        check(
            r#"{"jsonrpc":"2.0","id":"3","result":null,"error":null}"#,
            answer(Ok(Value::Null)),
        );
        let fault = |code, said: &str| {
            Err(Fault {
                code,
                said: said.to_owned(),
            })
        };
        check(
            r#"{"id":3,"error":{"code":-32000,"message":"no"}}"#,
            answer(fault(-32000, "no")),
        );
        check(
            r#"{"id":3,"error":{"code":1,"message":"no","data":{"details":"why"}}}"#,
            answer(fault(1, "no: why")),
        );
        check(r#"{"id":3,"error":"odd"}"#, answer(fault(0, "no message")));
        for noise in [
            "",
            "Welcome!",
            "[]",
            "{}",
            "null",
            "{\"id\":3",
            r#"{"method":7}"#,
            r#"{"id":{},"method":"m"}"#,
            r#"{"id":-1,"result":1}"#,
            r#"{"id":1.5,"result":1}"#,
        ] {
            check(noise, Message::Noise);
        }
        assert_eq!(read(b"{\"id\":1,\"result\":\"\xff\"}"), Message::Noise);
        assert_eq!(read("[".repeat(100_000).as_bytes()), Message::Noise);
        let long = format!(r#"{{"id":"{}","method":"m"}}"#, "x".repeat(300));
        assert_eq!(read(long.as_bytes()), Message::Noise);
    }

    #[test]
    fn a_message_of_very_many_values_is_not_taken_apart_and_a_long_text_is() {
        let many = format!(r#"{{"id":1,"result":[{}0]}}"#, "[],".repeat(VALUES));
        assert_eq!(read(many.as_bytes()), Message::Noise);
        let text = r#"a, {b}, [\"c\"] "#.repeat(100_000);
        let long = format!(r#"{{"method":"m","params":"{text}"}}"#);
        assert!(matches!(read(long.as_bytes()), Message::Notice { .. }));
    }
}
