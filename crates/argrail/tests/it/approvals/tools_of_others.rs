//! Tools that are no programs of the system ask alike: those of a project's manifest, and those of MCP servers.

use std::fs;

use argrail_testkit::{Home, Run};
use serde_json::json;

use super::ground::{approve, asks, call, deny, home, question, runs, said, work};
use crate::ARGRAIL;

/// A project with a tool of a manifest that writes down what it reads, accepted by a person, who also says what it does.
fn project() -> Home {
    let tool = json!({"name": "keep", "command": ["./tools/bin/keep"], "schema": {"type": "object", "properties": {"text": {"type": "string"}}}});
    let effects = json!({"effects": {"filesystem": {"write": true}, "network": false, "destructive": false, "idempotent": false}});
    let home = home()
        .file("tools.json", &json!({"tools": [tool]}).to_string())
        .file("../config/agent-tools/overrides/keep.json", &effects.to_string())
        .file(
            "tools/bin/keep",
            "#!/bin/sh\n/bin/cat >> kept\necho '{\"ok\":true}'\n",
        );
    executable(&home, "tools/bin/keep");
    runs(&home.run(ARGRAIL, &["trust", "--yes"]));
    home
}

fn executable(home: &Home, file: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(home.work().join(file), fs::Permissions::from_mode(0o755)).unwrap();
}

fn keep(home: &Home, text: &str) -> Run {
    call(home, &format!("keep --text {text}"))
}

#[test]
fn a_tool_of_a_manifest_runs_once_for_its_yes_and_its_input() {
    let home = project();
    let id = asks(&keep(&home, "one"));
    let shown = question(&home, &id).shown;
    assert!(shown.to_string().contains("one"), "{shown:#}");
    approve(&home, &id);
    assert_ne!(asks(&keep(&home, "two")), id, "another input is another question");
    assert_eq!(said(&home, "kept"), None);
    runs(&keep(&home, "one"));
    assert_eq!(said(&home, "kept").as_deref(), Some("{\"text\":\"one\"}"));
    assert_ne!(asks(&keep(&home, "one")), id);
    assert_eq!(said(&home, "kept").as_deref(), Some("{\"text\":\"one\"}"));
}

#[test]
fn a_tool_of_a_manifest_that_changed_meanwhile_does_not_run() {
    let home = project();
    approve(&home, &asks(&keep(&home, "one")));
    let home = home.file("tools/bin/keep", "#!/bin/sh\necho evil > kept\n");
    executable(&home, "tools/bin/keep");
    let run = keep(&home, "one");
    assert_ne!(run.exit, Some(0), "{run}");
    assert_eq!(said(&home, "kept"), None);
}

/// A server of one tool, which writes down what it is called with.
const SERVER: &str = r#"#!/bin/sh
while read -r line; do
    id=${line#*\"id\":}
    id=${id%%[,\}]*}
    case $line in
        *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
        *'"tools/list"'*) result='{"tools":[{"name":"note","description":"Write down","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]}' ;;
        *'"tools/call"'*)
            echo "$line" >> PLACE
            result='{"content":[{"type":"text","text":"noted"}]}' ;;
        *) continue ;;
    esac
    echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$result}"
done
"#;

fn script(home: &Home, file: &str) -> String {
    let place = home.work().join(file);
    SERVER.replace("PLACE", place.to_str().unwrap())
}

/// A home that knows this server.
fn served() -> Home {
    let config = json!({"mcpServers": {"desk": {"command": "desk-server"}}});
    let home = home().config(&config.to_string());
    let script = script(&home, "heard");
    let home = home.tool("desk-server", &script);
    runs(&home.run(
        ARGRAIL,
        &["scan", "--probe", "--path", home.work().to_str().unwrap()],
    ));
    home
}

#[test]
fn a_tool_of_a_server_runs_once_for_its_yes_and_its_arguments() {
    let home = served();
    let id = asks(&call(&home, "desk note --text one"));
    let shown = question(&home, &id).shown;
    assert_eq!(shown["argv"], json!(["desk", "note", "{\"text\":\"one\"}"]));
    let work = work(&home);
    let sandbox = &shown["sandbox"];
    assert_eq!(
        (&sandbox["write"], &sandbox["egress"]),
        (&json!([format!("{}/**", work.display())]), &json!("none")),
        "{sandbox:#}"
    );
    approve(&home, &id);
    asks(&call(&home, "desk note --text two"));
    assert_eq!(said(&home, "heard"), None);
    runs(&call(&home, "desk note --text one"));
    let heard = said(&home, "heard").unwrap();
    assert!(
        heard.lines().count() == 1 && heard.contains("\"text\":\"one\""),
        "{heard}"
    );
    assert_ne!(asks(&call(&home, "desk note --text one")), id);
    assert_eq!(said(&home, "heard").unwrap(), heard);
}

#[test]
fn another_program_behind_a_server_asks_again_and_a_no_holds() {
    let home = served();
    let id = asks(&call(&home, "desk note --text one"));
    approve(&home, &id);
    let script = script(&home, "evil");
    let home = home.tool("desk-server", &script);
    assert_ne!(asks(&call(&home, "desk note --text one")), id);
    assert_eq!(said(&home, "evil"), None);

    let id = asks(&call(&home, "desk note --text two"));
    deny(&home, &id, "not now");
    let run = call(&home, "desk note --text two");
    assert_eq!(run.exit, Some(3), "{run}");
    assert_eq!(run.json()["error"]["reason"], "denied_by_human", "{run}");
    assert_eq!(said(&home, "evil"), None);
}
