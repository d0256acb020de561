//! All eight standard codes of ACLI §5.2, out of the real server.

use argrail_testkit::{Home, mcp::Client};
use serde_json::{Value, json};

use super::ARGRAIL;

fn connect(home: &Home) -> Client {
    let mut client = Client::new(home.spawn(ARGRAIL, &["serve", "--wait", "0"]));
    client.initialize();
    client
}

/// The envelope, after checking that MCP carries it as §5.3 says.
fn envelope(result: &Value) -> Value {
    let text = result["content"][0]["text"].as_str().unwrap();
    let envelope: Value = serde_json::from_str(text).unwrap();
    let is_repeated = text.len() <= 16 * 1024;
    assert_eq!(result.get("structuredContent"), is_repeated.then_some(&envelope));
    assert_eq!(result["isError"], !envelope["success"].as_bool().unwrap());
    envelope
}

#[test]
fn the_server_emits_every_standard_code() {
    let home = Home::new().config(
        &json!({
            "deny": ["x-argrail doctor"],
            "rateLimit": {"requests": 7, "per": "1h"},
        })
        .to_string(),
    );
    // The others shall have all the time that they need.
    let hasty = Home::new().config(&json!({"timeouts": {"call": "100ms"}}).to_string());
    let (mut patient, mut hasty) = (connect(&home), connect(&hasty));
    for (command, code, message, hint) in [
        (
            "help 'x",
            "PARSE_ERROR",
            "Failed to parse command: ",
            "Check command syntax",
        ),
        (
            "hlep",
            "COMMAND_NOT_FOUND",
            "Command 'hlep' not found",
            "Run 'help' for available commands",
        ),
        (
            "x-argrail doctor",
            "PERMISSION_DENIED",
            "Permission denied for 'x-argrail doctor'",
            "Check your access level",
        ),
        (
            "x-argrail wait soon",
            "VALIDATION_ERROR",
            "Invalid argument: ",
            "Pass an integer",
        ),
        (
            "x-argrail path nope.txt",
            "EXECUTION_ERROR",
            "Execution failed: ",
            "Check input and retry",
        ),
        (
            "x-argrail wait 30",
            "TIMEOUT",
            "Command timed out after 100ms",
            "Try a simpler query",
        ),
        (
            "x-argrail path ../../../etc/passwd",
            "PATH_TRAVERSAL_BLOCKED",
            "Path traversal blocked: ",
            "Use a path inside ",
        ),
        ("version", "", "", ""),
        ("version", "RATE_LIMITED", "Rate limit exceeded", "Wait "),
    ] {
        let client = if code == "TIMEOUT" {
            &mut hasty
        } else {
            &mut patient
        };
        let envelope = envelope(&client.call(command));
        let error = &envelope["error"];
        assert_eq!(
            error["code"].as_str().unwrap_or_default(),
            code,
            "{command}: {envelope}"
        );
        assert!(
            error["message"].as_str().unwrap_or_default().starts_with(message),
            "{command}: {envelope}"
        );
        assert!(
            error["hint"].as_str().unwrap_or_default().starts_with(hint),
            "{command}: {envelope}"
        );
    }
    assert_eq!(patient.finish().exit, Some(0));
    assert_eq!(hasty.finish().exit, Some(0));
}

#[test]
fn an_argument_that_is_no_command_is_answered_by_an_envelope() {
    let mut client = connect(&Home::new());
    for (arguments, what) in [
        (json!({"command": 7}), "a number"),
        (json!({"command": null}), "null"),
        (json!({"command": ["help"]}), "an array"),
        (json!({"comand": "help"}), "missing"),
        (json!({}), "missing"),
    ] {
        let id = client.request("tools/call", json!({"name": "cli", "arguments": arguments}));
        let envelope = envelope(&client.result(id));
        assert_eq!(envelope["error"]["code"], "VALIDATION_ERROR");
        let message = envelope["error"]["message"].as_str().unwrap();
        assert!(message.contains(what), "{message}");
    }
    let id = client.request("tools/call", json!({"name": "cli"}));
    assert_eq!(envelope(&client.result(id))["error"]["code"], "VALIDATION_ERROR");
}
