//! The fake model, asked over the wire in the words of each provider.

use argrail_testkit::Home;
use argrail_testkit::model::{Model, Script, Turn};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};

/// A provider: where a turn is asked for, the body of it, and of the same turn when its tool has answered.
struct Provider {
    path: &'static str,
    first: Value,
    then: Value,
}

fn providers() -> [Provider; 4] {
    let openai = json!([{"type": "function", "function": {"name": "argrail__cli"}}]);
    let user = json!({"role": "user", "content": "list the files"});
    [
        Provider {
            path: "/v1/chat/completions",
            first: json!({"model": "m", "stream": true, "tools": openai, "messages": [user]}),
            then: json!({"model": "m", "stream": true, "tools": openai, "messages": [
                user, {"role": "tool", "tool_call_id": "c", "content": "a b"}]}),
        },
        Provider {
            path: "/v1/responses",
            first: json!({"stream": true, "tools": [{"name": "argrail__cli"}], "input": [user]}),
            then: json!({"stream": true, "tools": [{"name": "argrail__cli"}], "input": [
                user, {"type": "function_call_output", "output": "a b"}]}),
        },
        Provider {
            path: "/v1/messages",
            first: json!({"stream": true, "tools": [{"name": "mcp__argrail__cli"}], "messages": [user]}),
            then: json!({"stream": true, "tools": [{"name": "mcp__argrail__cli"}], "messages": [
                user, {"role": "user", "content": [{"type": "tool_result", "content": "a b"}]}]}),
        },
        Provider {
            path: "/v1beta/models/m:streamGenerateContent?alt=sse",
            first: json!({"tools": [{"functionDeclarations": [{"name": "mcp_argrail_cli"}]}],
                "contents": [{"role": "user", "parts": [{"text": "list the files"}]}]}),
            then: json!({"tools": [{"functionDeclarations": [{"name": "mcp_argrail_cli"}]}],
                "contents": [{"role": "user", "parts": [{"text": "list the files"}]},
                    {"role": "user", "parts": [{"functionResponse": {"response": {"out": "a b"}}}]}]}),
        },
    ]
}

fn model() -> Model {
    let turn = Turn::say("list the files", "two files").call("cli", &json!({"command": "ls -a"}));
    Model::new(
        Script::default()
            .turn(turn)
            .turn(Turn::say("never", "let me").stalled()),
    )
}

/// Sends a request and returns the connection.
fn send(port: u16, path: &str, body: &Value) -> TcpStream {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    let body = body.to_string();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: model.test\r\nx-api-key: k\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    stream
}

fn ask(port: u16, path: &str, body: &Value) -> String {
    let mut answer = String::new();
    send(port, path, body).read_to_string(&mut answer).unwrap();
    answer
}

/// The data of each event of a stream.
fn events(answer: &str) -> Vec<Value> {
    let data = answer.lines().filter_map(|line| line.strip_prefix("data: "));
    let data = data.filter(|data| *data != "[DONE]");
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

#[test]
fn a_turn_is_a_call_and_then_text_for_every_provider() {
    let model = model();
    let port = model.address().port();
    for Provider { path, first, then } in providers() {
        let call = ask(port, path, &first);
        assert!(
            call.contains("argrail_"),
            "{path}: the name that the agent gave: {call}"
        );
        assert!(call.contains("ls -a"), "{path}: {call}");
        assert!(!events(&call).is_empty(), "{path}");
        let text = ask(port, path, &then);
        assert!(text.contains("two ") && text.contains("files"), "{path}: {text}");
        assert!(!text.contains("ls -a"), "{path}: {text}");
    }
    let asked = model.asked();
    let answers: Vec<&str> = asked.iter().map(|noted| noted.answer).collect();
    assert_eq!(
        answers,
        ["call", "text", "call", "text", "call", "text", "call", "text"]
    );
    for pair in asked.chunks(2) {
        assert_eq!(
            (pair[0].prompt.as_str(), pair[0].key.as_str()),
            ("list the files", "k")
        );
        assert!(
            pair[0].results.is_empty() && pair[1].results[0].contains("a b"),
            "{pair:?}"
        );
    }
}

#[test]
fn the_same_without_a_stream_is_one_document() {
    let model = model();
    for Provider {
        path,
        mut first,
        mut then,
    } in providers()
    {
        first["stream"] = json!(false);
        then["stream"] = json!(false);
        let path = path.replace(":streamGenerateContent?alt=sse", ":generateContent");
        for (body, says) in [(first, "ls -a"), (then, "two files")] {
            let answer = ask(model.address().port(), &path, &body);
            let (_, body) = answer.split_once("\r\n\r\n").unwrap();
            assert!(serde_json::from_str::<Value>(body).is_ok(), "{path}: {body}");
            assert!(body.contains(says), "{path}: {body}");
        }
    }
}

#[test]
fn no_two_answers_share_an_id() {
    let model = model();
    let mut seen = BTreeSet::new();
    for _ in 0..3 {
        for Provider { path, first, .. } in providers().into_iter().take(3) {
            let answer = ask(model.address().port(), path, &first);
            let ids: BTreeSet<String> = events(&answer).iter().flat_map(ids).collect();
            assert!(!ids.is_empty(), "{path}: {answer}");
            for id in ids {
                assert!(seen.insert(id.clone()), "{path}: {id} was there before");
            }
        }
    }
}

/// Every `id` and `call_id` in a document.
fn ids(value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            let own = fields
                .iter()
                .filter(|(name, _)| ["id", "call_id"].contains(&name.as_str()));
            let own = own.filter_map(|(_, id)| id.as_str().map(str::to_owned));
            own.chain(fields.values().flat_map(ids)).collect()
        }
        Value::Array(items) => items.iter().flat_map(ids).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

#[test]
fn what_is_asked_besides_gets_something_harmless() {
    let model = model();
    let port = model.address().port();
    let title = json!({"messages": [{"role": "user", "content": "a title for: list the files"}]});
    assert!(ask(port, "/v1/chat/completions", &title).contains("All is well"));
    let schema = json!({"type": "object", "properties": {"score": {"type": "integer"}}});
    let judge = json!({"contents": [{"role": "user", "parts": [{"text": "list the files"}]}],
        "generationConfig": {"responseJsonSchema": schema}});
    assert!(ask(port, "/v1beta/models/m:generateContent", &judge).contains(r#"{\"score\":1}"#));
    assert!(ask(port, "/v1/messages/count_tokens", &json!({})).contains("input_tokens"));
    assert!(ask(port, "/v1/models", &json!({})).contains(r#""id":"fake""#));
    let mut unknown = providers()[0].first.clone();
    unknown["tools"] = json!([{"function": {"name": "other"}}]);
    assert!(ask(port, "/v1/chat/completions", &unknown).contains("there is no tool cli"));
    let answers: Vec<&str> = model.asked().iter().map(|noted| noted.answer).collect();
    assert_eq!(answers, ["aside", "aside", "other", "other", "no-tool"]);
}

#[test]
fn a_stalled_stream_begins_and_ends_only_with_the_model() {
    let model = model();
    let tools = json!([{"function": {"name": "x"}}]);
    let body =
        json!({"stream": true, "tools": tools, "messages": [{"role": "user", "content": "never mind"}]});
    let mut stream = send(model.address().port(), "/v1/chat/completions", &body);
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("\"me\"") {
        let mut some = [0; 1024];
        let count = stream.read(&mut some).unwrap();
        assert_ne!(count, 0, "it is not over");
        seen.extend_from_slice(&some[..count]);
    }
    drop(model);
    stream.read_to_end(&mut seen).unwrap();
}

#[test]
fn the_program_says_its_port_writes_down_what_it_is_asked_and_ends_with_its_input() {
    let home = Home::new().file("script.json", r#"{"turns":[{"when":"hi","say":"hello"}]}"#);
    let mut child = home.spawn(env!("CARGO_BIN_EXE_fake-model"), &["script.json", "log"]);
    let line: Value = serde_json::from_slice(&child.line().unwrap()).unwrap();
    let port = u16::try_from(line["port"].as_u64().unwrap()).unwrap();
    let body = json!({"tools": [{"name": "x"}], "messages": [{"role": "user", "content": "hi"}]});
    assert!(ask(port, "/v1/messages", &body).contains("hello"));
    assert_eq!(child.finish().exit, Some(0));
    let log = fs::read_to_string(home.work().join("log")).unwrap();
    let noted: Value = serde_json::from_str(log.trim()).unwrap();
    assert_eq!(
        (&noted["api"], &noted["answer"]),
        (&json!("anthropic"), &json!("text"))
    );

    let wrong = home.run(env!("CARGO_BIN_EXE_fake-model"), &["missing.json"]);
    assert_eq!(
        (wrong.exit, wrong.stderr.as_str()),
        (Some(1), "fake-model: SCRIPT LOG\n")
    );
}
