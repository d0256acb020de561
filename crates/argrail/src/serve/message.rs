//! Text to a message, or to the JSON-RPC error that answers it.
//!
//! rmcp reads a message by trying each shape in turn on a buffered copy, which costs more than the
//! call itself. `tools/call` is nearly all the traffic, so it is read straight here; all else, and
//! every doubt, goes rmcp's way.

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData,
    RequestId, ServerJsonRpcMessage,
};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The first code that JSON-RPC leaves to servers.
const SERVER_ERROR: ErrorCode = ErrorCode(-32000);

/// What a text turned out to be.
#[derive(Debug)]
pub(crate) enum Decoded {
    /// A message for rmcp.
    Message(ClientJsonRpcMessage),
    /// Not a message; this is the answer.
    Refused(ServerJsonRpcMessage),
    /// White space.
    Blank,
}

/// Reads one message.
pub(crate) fn decode(line: &[u8]) -> Decoded {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Decoded::Blank;
    }
    if let Some(call) = tool_call(line) {
        return Decoded::Message(call);
    }
    match serde_json::from_slice(line) {
        Ok(message) => Decoded::Message(message),
        Err(_) => Decoded::Refused(refusal(line)),
    }
}

/// Returns the answer to a line that is over the limit, from its opening.
pub(crate) fn too_long(opening: &[u8], limit: usize) -> ServerJsonRpcMessage {
    let message = format!("message over {limit} bytes");
    ServerJsonRpcMessage::error(ErrorData::invalid_request(message, None), id_in(opening))
}

/// Returns the answer to a request whose id is still in use.
pub(crate) fn duplicate(id: RequestId) -> ServerJsonRpcMessage {
    let message = "a request with this id is still being answered";
    ServerJsonRpcMessage::error(ErrorData::invalid_request(message, None), Some(id))
}

/// Returns the answer to a request for which there is no place left even to wait.
pub(crate) fn too_many(id: RequestId) -> ServerJsonRpcMessage {
    ServerJsonRpcMessage::error(
        ErrorData::new(SERVER_ERROR, "too many calls in flight", None),
        Some(id),
    )
}

/// Returns the answer to a request that waited and will not have its turn.
pub(crate) fn ending(id: RequestId) -> ServerJsonRpcMessage {
    ServerJsonRpcMessage::error(
        ErrorData::new(SERVER_ERROR, "the server is ending", None),
        Some(id),
    )
}

fn refusal(line: &[u8]) -> ServerJsonRpcMessage {
    if serde_json::from_slice::<IgnoredAny>(line).is_err() {
        return ServerJsonRpcMessage::error(ErrorData::parse_error("not JSON", None), None);
    }
    ServerJsonRpcMessage::error(
        ErrorData::invalid_request("not a JSON-RPC 2.0 message", None),
        id_in(line),
    )
}

/// The parts of a request, unread.
#[derive(serde::Deserialize)]
struct Head<'a> {
    jsonrpc: &'a str,
    id: RequestId,
    method: &'a str,
    #[serde(borrow)]
    params: &'a RawValue,
    // Their presence makes it something else, which is rmcp's to judge.
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

fn tool_call(line: &[u8]) -> Option<ClientJsonRpcMessage> {
    let head: Head<'_> = serde_json::from_slice(line).ok()?;
    let plain = head.jsonrpc == "2.0" && head.result.is_none() && head.error.is_none();
    if !plain || head.method != "tools/call" {
        return None;
    }
    let mut params: CallToolRequestParams = serde_json::from_str(head.params.get()).ok()?;
    let meta = params.meta.take();
    let mut request = CallToolRequest::new(params);
    if let Some(meta) = meta {
        request.extensions.insert(meta);
    }
    Some(ClientJsonRpcMessage::request(
        ClientRequest::CallToolRequest(request),
        head.id,
    ))
}

/// Returns the id of a message that may be cut off or otherwise wrong, if it stands before the wrong.
fn id_in(text: &[u8]) -> Option<RequestId> {
    struct Search<'a>(&'a mut Option<RequestId>);

    impl<'de> Visitor<'de> for Search<'_> {
        type Value = ();

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
            while let Some(key) = map.next_key::<String>()? {
                if key == "id" {
                    *self.0 = map.next_value().ok();
                    return Ok(());
                }
                map.next_value::<IgnoredAny>()?;
            }
            Ok(())
        }
    }

    let mut id = None;
    // The reading may well fail; what counts is whether it came as far as the id.
    let _ = serde_json::Deserializer::from_slice(text).deserialize_map(Search(&mut id));
    id
}

#[cfg(test)]
mod tests {
    use rmcp::model::{ClientNotification, GetMeta, ProgressToken};
    use serde_json::{Value, json};

    use super::*;

    fn refused(line: &[u8]) -> Value {
        match decode(line) {
            Decoded::Refused(answer) => serde_json::to_value(answer).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_tool_call_is_read_as_rmcp_reads_it() {
        let calls = [
            json!({"name": "cli", "arguments": {"command": "help"}}),
            json!({"name": "cli", "arguments": {"command": 7, "other": [1, {"a": null}]}}),
            json!({"name": "cli"}),
            json!({"name": "cli", "arguments": null, "_meta": {"progressToken": "t\u{e4}"}}),
            json!({"name": "\u{1F600}", "arguments": {}, "inputResponses": {"roots": {"roots": []}}}),
        ];
        for params in calls {
            let line =
                json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params}).to_string();
            let ours = tool_call(line.as_bytes()).expect("read straight");
            let theirs: ClientJsonRpcMessage = serde_json::from_str(&line).unwrap();
            assert_eq!(
                serde_json::to_value(&ours).unwrap(),
                serde_json::to_value(&theirs).unwrap(),
                "{line}"
            );
        }
    }

    #[test]
    fn the_progress_token_is_found() {
        let line = br#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"cli","_meta":{"progressToken":3}}}"#;
        let Decoded::Message(ClientJsonRpcMessage::Request(request)) = decode(line) else {
            panic!("no request")
        };
        let token = request.request.get_meta().get_progress_token();
        assert_eq!(token, Some(ProgressToken(RequestId::Number(3))));
    }

    #[test]
    fn garbage_is_named() {
        let cases: &[(&[u8], i64, Value)] = &[
            (b"garbage", -32700, json!(null)),
            (
                br#"{"jsonrpc":"2.0","id":1,"method":"tools/ca"#,
                -32700,
                json!(null),
            ),
            (b"\xff\xfe", -32700, json!(null)),
            (br#"{"jsonrpc":"2.0","id":7}"#, -32600, json!(7)),
            (br#"{"id":7,"method":"ping"}"#, -32600, json!(7)),
            (
                br#"{"jsonrpc":"1.0","id":"x","method":"ping"}"#,
                -32600,
                json!("x"),
            ),
            (b"[]", -32600, json!(null)),
            (b"3", -32600, json!(null)),
        ];
        for (line, code, id) in cases {
            let answer = refused(line);
            assert_eq!(
                answer["error"]["code"],
                *code,
                "{}",
                String::from_utf8_lossy(line)
            );
            assert_eq!(
                answer.get("id").unwrap_or(&Value::Null),
                id,
                "{}",
                String::from_utf8_lossy(line)
            );
        }
    }

    #[test]
    fn other_messages_go_the_long_way() {
        assert!(matches!(decode(b" \r"), Decoded::Blank));
        let line = br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
        let Decoded::Message(ClientJsonRpcMessage::Notification(notification)) = decode(line) else {
            panic!("no notification")
        };
        assert!(matches!(
            notification.notification,
            ClientNotification::CancelledNotification(_)
        ));
    }

    #[test]
    fn the_id_of_a_message_too_long_is_found_where_it_comes_first() {
        let id = |text: &str| id_in(text.as_bytes());
        assert_eq!(
            id(r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"a":"xxx"#),
            Some(RequestId::Number(9))
        );
        assert_eq!(id(r#"{"method":"tools/call","params":{"a":"xxx"#), None);
        assert_eq!(id("xxxx"), None);
    }
}
