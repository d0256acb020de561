//! The answer to a provider's call, in the shape in which the provider takes it back.

use serde_json::{Map, Value, json};

use crate::export::Format;

/// Returns the message that answers the call of a function: what it returned, or what went wrong as `{"error": "…"}`.
pub fn answer(
    provider: Format,
    (call_id, function): (Option<&Value>, &str),
    outcome: Result<&Value, &str>,
) -> Value {
    let content = match outcome {
        Ok(data) => data.clone(),
        Err(error) => json!({"error": error}),
    };
    let id = || call_id.cloned().unwrap_or_default();
    match provider {
        Format::Openai => json!({"role": "tool", "tool_call_id": id(), "content": content.to_string()}),
        Format::Anthropic => {
            let mut block = Map::from_iter([
                ("type".to_owned(), Value::from("tool_result")),
                ("tool_use_id".to_owned(), id()),
                ("content".to_owned(), content.to_string().into()),
            ]);
            if outcome.is_err() {
                block.insert("is_error".to_owned(), true.into());
            }
            Value::Object(block)
        }
        Format::Gemini => {
            // The answer of a function is an object.
            let response = match content {
                Value::Object(fields) => Value::Object(fields),
                other => json!({"result": other}),
            };
            let mut part = Map::from_iter([
                ("name".to_owned(), Value::from(function)),
                ("response".to_owned(), response),
            ]);
            if call_id.is_some() {
                part.insert("id".to_owned(), id());
            }
            json!({"functionResponse": part})
        }
        Format::Mcp | Format::Atip => json!({
            "jsonrpc": "2.0",
            "id": id(),
            "result": {
                "content": [{"type": "text", "text": content.to_string()}],
                "isError": outcome.is_err(),
            },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_gets_its_own_shape() {
        let id = json!("c1");
        let call = (Some(&id), "t_f");
        let check = |provider: Format, outcome: Result<&Value, &str>, want: Value| {
            assert_eq!(answer(provider, call, outcome), want);
        };
        let data = json!({"a": 1});
        check(
            Format::Openai,
            Ok(&data),
            json!({"role": "tool", "tool_call_id": "c1", "content": "{\"a\":1}"}),
        );
        check(
            Format::Openai,
            Err("tool timed out"),
            json!({"role": "tool", "tool_call_id": "c1", "content": "{\"error\":\"tool timed out\"}"}),
        );
        check(
            Format::Anthropic,
            Ok(&data),
            json!({"type": "tool_result", "tool_use_id": "c1", "content": "{\"a\":1}"}),
        );
        check(
            Format::Anthropic,
            Err("no"),
            json!({"type": "tool_result", "tool_use_id": "c1", "content": "{\"error\":\"no\"}", "is_error": true}),
        );
        check(
            Format::Gemini,
            Ok(&json!([1])),
            json!({"functionResponse": {"name": "t_f", "response": {"result": [1]}, "id": "c1"}}),
        );
        check(
            Format::Gemini,
            Err("no"),
            json!({"functionResponse": {"name": "t_f", "response": {"error": "no"}, "id": "c1"}}),
        );
        check(
            Format::Mcp,
            Err("no"),
            json!({"jsonrpc": "2.0", "id": "c1", "result": {
                "content": [{"type": "text", "text": "{\"error\":\"no\"}"}], "isError": true}}),
        );
    }

    #[test]
    fn an_id_goes_back_as_it_came() {
        for id in [json!(7), json!("7"), json!(1.5)] {
            let told = answer(Format::Mcp, (Some(&id), "t_f"), Err("no"));
            assert_eq!(told["id"], id);
        }
        assert_eq!(answer(Format::Mcp, (None, "t_f"), Err("no"))["id"], Value::Null);
    }
}
