//! One message of JSON-RPC 2.0, as a server wrote it.

use argrail_spec::doc::{Document, Limits};
use serde_json::Value;

use super::limits::{ID, MESSAGE};

/// How deep and how wide a message may be.
const LIMITS: Limits = Limits {
    bytes: MESSAGE,
    depth: 64,
    nodes: 400_000,
};

/// What a server says.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// The answer to the request of this number.
    Answer { id: u64, outcome: Result<Value, Fault> },
    /// A question, which must be answered under its id.
    Request { id: Value, method: String },
    /// Something that wants no answer, or that we do not understand.
    Nothing,
}

/// An error of JSON-RPC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) code: i64,
    pub(super) said: String,
}

/// Reads one message.
///
/// # Errors
/// Why it is no JSON object within the limits.
pub(super) fn read(text: &[u8]) -> Result<Message, String> {
    let document = Document::json(text, &LIMITS).map_err(|problem| problem.message)?;
    let Value::Object(mut fields) = document.root.to_json() else {
        return Err("expected an object".to_owned());
    };
    if fields.get("jsonrpc").is_none_or(|version| version != "2.0") {
        return Err("it is no message of JSON-RPC 2.0".to_owned());
    }
    let id = fields.remove("id").filter(|id| !id.is_null());
    let method = fields.get("method").and_then(Value::as_str);
    Ok(match (method, id) {
        (Some(method), Some(id)) if is_id(&id) => Message::Request {
            id,
            method: method.to_owned(),
        },
        (Some(_), Some(_) | None) => Message::Nothing,
        (None, Some(id)) => match (id.as_u64(), fields.remove("error"), fields.remove("result")) {
            (Some(id), Some(error), _) => Message::Answer {
                id,
                outcome: Err(fault(&error)),
            },
            (Some(id), None, Some(result)) => Message::Answer {
                id,
                outcome: Ok(result),
            },
            (Some(_), None, None) | (None, _, _) => Message::Nothing,
        },
        (None, None) => match fields.get("error") {
            // A server that could not even read the number of our request.
            Some(error) => Message::Answer {
                id: 0,
                outcome: Err(fault(error)),
            },
            None => Message::Nothing,
        },
    })
}

fn fault(error: &Value) -> Fault {
    Fault {
        code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
        said: error
            .get("message")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
    }
}

fn is_id(id: &Value) -> bool {
    match id {
        Value::String(text) => text.len() <= ID,
        Value::Number(_) => true,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_told_apart() {
        let check =
            |text: Value, want: Message| assert_eq!(read(text.to_string().as_bytes()), Ok(want), "{text}");
        check(
            json!({"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}),
            Message::Answer {
                id: 1,
                outcome: Ok(json!({"a": 1})),
            },
        );
        let refused = |id| Message::Answer {
            id,
            outcome: Err(Fault {
                code: -32601,
                said: "no".into(),
            }),
        };
        let error = json!({"code": -32601, "message": "no"});
        check(json!({"jsonrpc": "2.0", "id": 2, "error": error}), refused(2));
        check(json!({"jsonrpc": "2.0", "id": null, "error": error}), refused(0));
        check(
            json!({"jsonrpc": "2.0", "id": "x", "method": "ping"}),
            Message::Request {
                id: "x".into(),
                method: "ping".into(),
            },
        );
        for nothing in [
            json!({"jsonrpc": "2.0", "method": "notifications/message"}),
            json!({"jsonrpc": "2.0", "id": [], "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": "x".repeat(300), "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": "1", "result": {}}),
            json!({"jsonrpc": "2.0", "id": 1}),
            json!({"jsonrpc": "2.0"}),
        ] {
            check(nothing, Message::Nothing);
        }
    }

    #[test]
    fn what_is_no_message_is_said() {
        let check = |text: &str, want: &str| {
            let reason = read(text.as_bytes()).unwrap_err();
            assert!(reason.contains(want), "{text}: {reason}");
        };
        check("", "nothing");
        check("Server started", "expected");
        check("[]", "expected an object");
        check("{\"level\":\"info\"}", "JSON-RPC");
        check("{\"jsonrpc\":\"1.0\"}", "JSON-RPC");
        check("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2}", "twice");
        check(&"[".repeat(20_000), "deep");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<Vec<u8>>(), inner in ".{0,40}") {
            let _ = read(&text);
            let _ = read(format!("{{\"jsonrpc\":\"2.0\",{inner}}}").as_bytes());
        }
    }
}
