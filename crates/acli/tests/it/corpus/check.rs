//! What an answer must hold: the rules for every answer, then what the vector asks for.

use serde_json::Value;

use super::case::expanded;

/// How much of a command the envelope must repeat exactly.
const REPEATED: usize = 200;

/// How long a text may be for `structuredContent` to repeat it.
const REPEATED_TEXT: usize = 16 * 1024;

/// The templates of Appendix B: how the message starts and ends and how the hint starts, wherever the code appears.
const TEMPLATES: [(&str, &str, &str, &str); 8] = [
    (
        "PARSE_ERROR",
        "Failed to parse command: ",
        "",
        "Check command syntax",
    ),
    (
        "COMMAND_NOT_FOUND",
        "Command '",
        "' not found",
        "Run 'help' for available commands",
    ),
    (
        "PERMISSION_DENIED",
        "Permission denied for '",
        "'",
        "Check your access level",
    ),
    ("VALIDATION_ERROR", "Invalid argument: ", "", ""),
    (
        "EXECUTION_ERROR",
        "Execution failed: ",
        "",
        "Check input and retry",
    ),
    ("TIMEOUT", "Command timed out after ", "ms", "Try a simpler query"),
    ("RATE_LIMITED", "Rate limit exceeded", "", "Wait "),
    ("PATH_TRAVERSAL_BLOCKED", "", "", ""),
];

/// Checks a `CallToolResult`. Returns what is wrong.
pub(crate) fn result(command: Option<&str>, expect: &Value, result: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let text = match result["content"].as_array().map(Vec::as_slice) {
        Some([block]) if block["type"] == "text" => block["text"].as_str().unwrap_or_default(),
        _ => return vec!["§5.3: content is not one block of text".to_owned()],
    };
    let Ok(envelope) = serde_json::from_str::<Value>(text) else {
        return vec!["§5.3: the text is not JSON".to_owned()];
    };
    let mut rule = |holds: bool, rule: &str| {
        if !holds {
            wrong.push(rule.to_owned());
        }
    };
    match text.len() <= REPEATED_TEXT {
        true => rule(
            result["structuredContent"] == envelope,
            "structuredContent is the envelope of the text",
        ),
        false => rule(
            result.get("structuredContent").is_none(),
            "structuredContent does not repeat a large envelope",
        ),
    }
    rule(!text.contains('\n'), "the text is compact JSON");
    let success = envelope["success"].as_bool();
    rule(success.is_some(), "§5.1: success is a boolean");
    rule(
        result["isError"].as_bool() == success.map(|success| !success),
        "§5.3: isError is !success",
    );
    match success {
        Some(true) => {
            rule(envelope.get("data").is_some(), "§5.1.1: data is there");
            rule(envelope.get("error").is_none(), "§5.1.1: a success has no error");
            rule(
                envelope.get("message").is_none_or(Value::is_string),
                "§5.1.1: message is a string",
            );
            rule(
                envelope["_meta"]["duration_ms"].is_number(),
                "§5.1.1: duration_ms is a number",
            );
        }
        Some(false) | None => {
            rule(envelope.get("data").is_none(), "§5.1.2: an error has no data");
            rule(
                envelope["_meta"].get("duration_ms").is_none(),
                "§5.1.2: an error has no duration_ms",
            );
            template(&envelope["error"], &mut rule);
        }
    }
    let repeated = envelope["_meta"]["command"].as_str();
    rule(repeated.is_some(), "§5.1: _meta.command is a string");
    let exact = command.filter(|given| given.len() <= REPEATED);
    rule(
        exact.is_none_or(|given| repeated == Some(given)),
        "§5.1: _meta.command is the command",
    );
    wrong.extend(parts(expect, &envelope));
    wrong
}

/// Checks the error object of §5.1.2 against Appendix B.
fn template(error: &Value, rule: &mut impl FnMut(bool, &str)) {
    let (code, message) = (error["code"].as_str(), error["message"].as_str());
    rule(
        code.is_some() && message.is_some(),
        "§5.1.2: code and message are strings",
    );
    rule(
        error.get("hint").is_none_or(Value::is_string),
        "§5.1.2: hint is a string",
    );
    let strings = |list: &Value| {
        list.as_array()
            .is_some_and(|list| list.iter().all(Value::is_string))
    };
    rule(
        error.get("examples").is_none_or(strings),
        "§5.1.2: examples are strings",
    );
    let (message, hint) = (message.unwrap_or_default(), error["hint"].as_str());
    if let Some((_, start, end, template)) = TEMPLATES.iter().find(|(name, ..)| Some(*name) == code) {
        rule(
            message.starts_with(start) && message.ends_with(end),
            "Appendix B: the message template",
        );
        rule(
            hint.unwrap_or_default().starts_with(template),
            "Appendix B: the hint template",
        );
        rule(hint.is_some(), "§1.2: an error teaches");
    }
}

/// Checks what the vector itself asks for. Returns what is wrong.
pub(crate) fn parts(expect: &Value, said: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, wanted) in expect.as_object().expect("an object") {
        let wanted = &expanded(wanted);
        let ok = |at: &str, wanted: &Value, holds: bool| {
            let came = said.pointer(at).unwrap_or(&Value::Null);
            (!holds).then(|| format!("{name} {at}: wanted {wanted}, came {came}"))
        };
        match name.as_str() {
            "success" => wrong.extend(ok("/success", wanted, said["success"] == *wanted)),
            "code" | "message" | "hint" => {
                let at = format!("/error/{name}");
                wrong.extend(ok(&at, wanted, said.pointer(&at) == Some(wanted)));
            }
            "values" => wrong.extend(pairs(wanted).filter_map(|(at, wanted)| {
                let wanted = &expanded(wanted);
                ok(at, wanted, said.pointer(at) == Some(wanted))
            })),
            "contains" => wrong.extend(pairs(wanted).filter_map(|(at, wanted)| {
                ok(
                    at,
                    wanted,
                    said.pointer(at).is_some_and(|came| contains(came, wanted)),
                )
            })),
            "starts" => wrong.extend(pairs(wanted).filter_map(|(at, wanted)| {
                let came = said.pointer(at).and_then(Value::as_str);
                ok(
                    at,
                    wanted,
                    came.zip(wanted.as_str())
                        .is_some_and(|(came, start)| came.starts_with(start)),
                )
            })),
            "absent" => wrong.extend(wanted.as_array().expect("a list").iter().filter_map(|at| {
                let at = at.as_str().expect("a pointer");
                ok(at, &Value::Null, said.pointer(at).is_none())
            })),
            "keys" => wrong.extend(pairs(wanted).filter_map(|(at, wanted)| {
                let keys = said.pointer(at).and_then(Value::as_object);
                let keys: Option<Value> = keys.map(|object| object.keys().cloned().collect());
                ok(at, wanted, keys.as_ref() == Some(wanted))
            })),
            "lacks" => wrong.extend(pairs(wanted).filter_map(|(at, wanted)| {
                ok(
                    at,
                    wanted,
                    said.pointer(at).is_some_and(|came| !contains(came, wanted)),
                )
            })),
            "at_most" => wrong.extend(pairs(wanted).filter_map(|(at, wanted)| {
                let length = said.pointer(at).map_or(usize::MAX, |came| came.to_string().len());
                ok(at, wanted, length as u64 <= wanted.as_u64().expect("a number"))
            })),
            "audit" => {}
            other => wrong.push(format!("the vector asks for '{other}', which is nothing")),
        }
    }
    wrong
}

/// Checks an audit record (§8.3): the fields every record has, then what the vector asks for.
pub(crate) fn record(wanted: &Value, record: Option<&Value>) -> Vec<String> {
    let Some(record) = record else {
        return vec!["§8.3: no record was kept".to_owned()];
    };
    let mut wrong = Vec::new();
    let mut rule = |holds: bool, rule: &str| {
        if !holds {
            wrong.push(format!("{rule}: {record}"));
        }
    };
    let text = |name: &str| record[name].as_str();
    let when = text("timestamp").map(str::parse::<jiff::Timestamp>);
    rule(matches!(when, Some(Ok(_))), "§8.3: timestamp is ISO 8601");
    rule(
        text("command").is_some() && text("parsed_command").is_some(),
        "§8.3: the command",
    );
    let success = record["success"].as_bool();
    rule(success.is_some(), "§8.3: success is a boolean");
    rule(
        record.get("error_code").is_some() == (success == Some(false)),
        "§8.3: error_code with errors only",
    );
    rule(record["duration_ms"].is_number(), "§8.3: duration_ms is a number");
    rule(record.get("user_context").is_some(), "§8.3: user_context");
    for (name, wanted) in wanted.as_object().expect("an object") {
        rule(
            record[name.as_str()] == expanded(wanted),
            &format!("audit {name} should be {wanted}"),
        );
    }
    wrong
}

fn pairs(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object
        .as_object()
        .expect("an object")
        .iter()
        .map(|(at, wanted)| (at.as_str(), wanted))
}

/// Whether a string holds all these strings, or a list all these items.
fn contains(came: &Value, wanted: &Value) -> bool {
    let each = wanted
        .as_array()
        .map_or(std::slice::from_ref(wanted), Vec::as_slice);
    each.iter().all(|wanted| match (came, wanted) {
        (Value::String(came), Value::String(wanted)) => came.contains(wanted.as_str()),
        (Value::Array(items), wanted) => items.contains(wanted),
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_), _) => false,
    })
}
