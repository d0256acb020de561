//! From updates of a session to events: the one place where ACP's words become ours.

use serde_json::{Value, json};

use super::content;
use super::field::text_of;
use super::tools::{News, Tools};
use crate::arm::Step;

/// Translates one `session/update` of a turn. What has no event goes to the side channel.
pub(super) fn translate(tools: &mut Tools, params: &Value) -> Vec<Step> {
    let Some(update) = params.get("update") else {
        return vec![aside(params)];
    };
    let steps = match text_of(update, "sessionUpdate") {
        Some("agent_message_chunk") => piece(update, Step::Text),
        Some("agent_thought_chunk") => piece(update, Step::Thought),
        Some("tool_call") => tools.hear(update, News::Call),
        Some("tool_call_update") => tools.hear(update, News::Update),
        Some(_) | None => Vec::new(),
    };
    match steps.is_empty() {
        true => vec![aside(params)],
        false => steps,
    }
}

/// Something for the side channel.
pub(super) fn aside(params: &Value) -> Step {
    Step::Note(json!({"method": "session/update", "params": params}))
}

fn piece(update: &Value, step: impl Fn(String) -> Step) -> Vec<Step> {
    let text = update.get("content").and_then(content::text);
    let text = text.filter(|text| !text.is_empty());
    text.map(|text| step(text.to_owned())).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::governor::{ToolKind, ToolUse};

    fn update(kind: &str, fields: Value) -> Value {
        let mut update = fields;
        update["sessionUpdate"] = kind.into();
        json!({"sessionId": "s", "update": update})
    }

    fn call(fields: Value) -> Value {
        update("tool_call", fields)
    }

    fn more(fields: Value) -> Value {
        update("tool_call_update", fields)
    }

    fn text(text: &str) -> Value {
        json!([{"type": "content", "content": {"type": "text", "text": text}}])
    }

    /// What comes of some updates in one turn, in short; what goes aside is left out.
    fn heard(updates: &[Value]) -> Vec<String> {
        let mut tools = Tools::default();
        tools.begin();
        let mut steps: Vec<Step> = updates
            .iter()
            .flat_map(|update| translate(&mut tools, update))
            .collect();
        steps.extend(tools.end());
        steps.iter().filter_map(short).collect()
    }

    fn short(step: &Step) -> Option<String> {
        match step {
            Step::Text(text) => Some(format!("text {text}")),
            Step::Thought(text) => Some(format!("thought {text}")),
            Step::Used(tool) => Some(format!("call {} {} {}", tool.id, tool.name, tool.input)),
            Step::UsedUp { id, output, is_error } => Some(format!(
                "{} {id} {output}",
                if *is_error { "failure" } else { "result" }
            )),
            Step::Note(_) => None,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn text_and_thoughts_are_pieces_and_empty_ones_are_none() {
        let chunk = |kind: &str, content: Value| update(kind, json!({"content": content}));
        let of = |text: &str| json!({"type": "text", "text": text});
        assert_eq!(
            heard(&[
                chunk("agent_message_chunk", of("a")),
                chunk("agent_message_chunk", of("")),
                chunk("agent_thought_chunk", of("hm")),
                chunk("user_message_chunk", of("mine")),
                chunk("agent_message_chunk", json!({"type": "image", "data": "AA"})),
                chunk("agent_message_chunk", json!({"type": "hologram"})),
                chunk("agent_message_chunk", json!(7)),
                update("plan", json!({"entries": []})),
                update("usage_update", json!({"used": 1})),
                update("something_new", json!({})),
                json!({"sessionId": "s"}),
                json!([]),
                chunk("agent_message_chunk", of("b")),
            ]),
            ["text a", "thought hm", "text b"]
        );
    }

    #[test]
    fn a_call_is_told_once_its_input_is_known_and_its_result_once() {
        let check = |updates: &[Value], want: &[&str]| assert_eq!(heard(updates), want, "{updates:?}");
        // At once, with everything; a title after the end says nothing new (goose).
        check(
            &[
                call(json!({"toolCallId": "1", "title": "ls", "rawInput": {"c": "ls"}, "status": "pending"})),
                more(json!({"toolCallId": "1", "status": "in_progress"})),
                more(json!({"toolCallId": "1", "status": "completed", "content": text("out")})),
                more(json!({"toolCallId": "1", "status": "completed", "content": text("again")})),
                more(json!({"toolCallId": "1", "title": "listing"})),
            ],
            &[r#"call 1 ls {"c":"ls"}"#, r#"result 1 "out""#],
        );
        // The input comes later (claude, opencode).
        check(
            &[
                call(json!({"toolCallId": "1", "title": "bash", "rawInput": {}, "status": "pending"})),
                more(json!({"toolCallId": "1", "title": "ls", "rawInput": {"c": "ls"}})),
                more(json!({"toolCallId": "1", "rawInput": {"c": "other"}})),
                more(json!({"toolCallId": "1", "status": "failed", "rawOutput": {"exit": 2}})),
            ],
            &[r#"call 1 ls {"c":"ls"}"#, r#"failure 1 {"exit":2}"#],
        );
        // It never comes (gemini): the call is told when it runs, and a result may be empty.
        check(
            &[
                call(json!({"toolCallId": "1", "title": "Shell", "status": "in_progress", "content": []})),
                more(json!({"toolCallId": "1", "status": "completed", "content": []})),
            ],
            &["call 1 Shell {}", r#"result 1 """#],
        );
        // Output beside the protocol (codex).
        check(
            &[
                call(json!({"toolCallId": "1", "title": "ls", "rawInput": {"c": 1}})),
                more(json!({"toolCallId": "1", "_meta": {"terminal_output_delta": {"data": "a\n"}}})),
                more(json!({"toolCallId": "1", "_meta": {"terminal_output_delta": {"data": "b\n"}}})),
                more(json!({"toolCallId": "1", "status": "completed"})),
            ],
            &[r#"call 1 ls {"c":1}"#, r#"result 1 "a\nb\n""#],
        );
        // An end without a beginning, and a beginning without an end.
        check(
            &[more(
                json!({"toolCallId": "x", "status": "completed", "content": text("y")}),
            )],
            &["call x tool {}", r#"result x "y""#],
        );
        check(
            &[call(json!({"toolCallId": "b"})), call(json!({"toolCallId": "a"}))],
            &["call a tool {}", "call b tool {}"],
        );
        // Odd ids and statuses.
        check(
            &[
                call(json!({"toolCallId": 7})),
                call(json!({"toolCallId": "y".repeat(600)})),
                call(json!({"toolCallId": "1", "status": "exploded", "rawInput": "x"})),
            ],
            &[r#"call 1 tool "x""#],
        );
    }

    #[test]
    fn kinds_and_places_of_a_call_are_read() {
        let mut tools = Tools::default();
        tools.begin();
        let update = call(json!({
            "toolCallId": "1", "title": "edit", "kind": "edit", "rawInput": {"a": 1},
            "locations": [{"path": "/a", "line": 3}, {"line": 4}],
            "content": [{"type": "diff", "path": "/b", "newText": "x"}],
        }));
        let want = ToolUse {
            id: "1".into(),
            name: "edit".into(),
            kind: Some(ToolKind::Edit),
            input: json!({"a": 1}),
            paths: vec![PathBuf::from("/a"), PathBuf::from("/b")],
        };
        assert_eq!(translate(&mut tools, &update), [Step::Used(want)]);
    }

    #[test]
    fn an_id_of_an_earlier_turn_is_another_call_and_late_news_are_none() {
        let mut tools = Tools::default();
        let first = call(json!({"toolCallId": "1", "rawInput": {"a": 1}}));
        let late = more(json!({"toolCallId": "1", "title": "late", "status": "completed"}));
        let mut turn = |updates: &[&Value]| {
            tools.begin();
            let steps: Vec<Step> = updates
                .iter()
                .flat_map(|update| translate(&mut tools, update))
                .collect();
            steps.iter().filter_map(short).collect::<Vec<_>>()
        };
        assert_eq!(turn(&[&first]), [r#"call 1 tool {"a":1}"#]);
        assert_eq!(turn(&[&late]), Vec::<String>::new());
        assert_eq!(
            turn(&[&first, &late]),
            [r#"call 1#3 tool {"a":1}"#, r#"result 1#3 "" "#.trim()]
        );
    }

    #[test]
    fn a_question_is_about_what_the_tool_is_given_now() {
        let mut tools = Tools::default();
        tools.begin();
        for command in ["ls", "ls; rm -rf x"] {
            let input = json!({"command": command});
            translate(&mut tools, &call(json!({"toolCallId": "1", "rawInput": input})));
            assert_eq!(tools.known_use("1").unwrap().input, input);
        }
        translate(
            &mut tools,
            &more(json!({"toolCallId": "1", "rawInput": "x".repeat(50 << 20)})),
        );
        assert_eq!(
            tools.known_use("1").unwrap().input,
            Value::Null,
            "too long to be held"
        );
    }

    #[test]
    fn what_is_held_of_calls_is_bounded() {
        let mut tools = Tools::default();
        tools.begin();
        let mut told = 0;
        for number in 0..2000 {
            let update = call(json!({"toolCallId": number.to_string(), "rawInput": {"a": "x".repeat(100)}}));
            told += translate(&mut tools, &update)
                .iter()
                .filter(|step| matches!(step, Step::Used(_)))
                .count();
        }
        assert_eq!(told, 256);
        let huge = "x".repeat(10 << 20);
        for number in 0..20 {
            translate(
                &mut tools,
                &more(json!({"toolCallId": number.to_string(), "rawOutput": huge})),
            );
        }
        let ends =
            (0..20).map(|number| more(json!({"toolCallId": number.to_string(), "status": "completed"})));
        let kept: usize = ends
            .flat_map(|end| translate(&mut tools, &end))
            .map(|step| match step {
                Step::UsedUp { output, .. } => output.as_str().map_or(0, str::len),
                _ => 0,
            })
            .sum();
        assert!((10 << 20..=48 << 20).contains(&kept), "{kept}");
    }
}
