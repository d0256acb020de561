//! A project with an agent that does what the first word of its prompt says.

use std::os::unix::fs::PermissionsExt;

use argrail_testkit::{Home, Run, Screen, Size};
use serde_json::Value;

use crate::ARGRAIL;

/// The manifest. The agent may write below `out`, start `sleep` and `cat`, and reach nobody.
pub(super) const MANIFEST: &str = r#"---
name: echo
id: echo
description: Says what it is told to.
version: 1.0.0
bin: bin/echo-agent
install:
  - { method: vendored, path: ./bin/echo-agent }
version_check: { cmd: bin/echo-agent --version, parse: 'echo-agent (\S+)', range: ">=1.2 <2" }
sandbox:
  network: { egress: [] }
  fs: { read: ["**"], write: ["out/**"] }
  exec: { allow: true, spawn: [sleep, cat] }
  env: { pass: [ECHO_STYLE] }
protocol: acp
acp: ./ACP.md
capabilities: { streaming: true, tool_calls: true }
modes:
  - { id: quick, env: { ECHO_MODE: quick } }
  - { id: yolo, bin_args_append: ["--yolo"] }
options:
  - { id: depth, type: integer, min: 1, max: 5, env: { ECHO_DEPTH: "{value}" } }
---
"#;

/// The profile of its protocol.
pub(super) const PROFILE: &str = r#"---
name: echo
id: echo-acp
description: What the echo agent understands.
version: 1.0.0
kind: client
transport: stdio
metadata:
  aip44:
    acp_rev: e56562e7fed20a020b4dbbb074786a57b87326a3
    tier: governance-aware
    capabilities:
      client: { fs: { readTextFile: true, writeTextFile: true }, terminal: true }
      agent: { mcpCapabilities: { http: true } }
---
"#;

/// The agent: newline JSON-RPC in a shell. The words of a prompt choose what it does.
pub(super) const AGENT: &str = r#"#!/bin/bash
[ "$1" = --version ] && { echo "echo-agent 1.4.0"; exit; }
say() { printf '%s\n' "$1"; }
update() { say '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":'"$1"'}}'; }
text() { update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"'"$1"'"}}'; }
result() { say '{"jsonrpc":"2.0","id":'"$1"',"result":'"$2"'}'; }
end() { result "$turn" '{"stopReason":"'"$1"'"}'; }
permission() {
  say '{"jsonrpc":"2.0","id":77,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c9","title":"'"$1"'","kind":"execute","rawInput":{"command":"'"$1"'"}},"options":[{"optionId":"yes","name":"Allow","kind":"allow_once"},{"optionId":"no","name":"Reject","kind":"reject_once"}]}}'
}
tool() {
  update '{"sessionUpdate":"tool_call","toolCallId":"c1","title":"look at it","kind":"read","status":"pending","rawInput":{"path":"notes.txt"}}'
  update '{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed","content":[{"type":"content","content":{"type":"text","text":"three notes"}}]}'
}
serve() {
  case $1 in
    *'"text":"think'*)
      update '{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm, let me see"}}'
      text "I will look."; tool; text "All "; text "done."; end end_turn ;;
    *'"text":"style'*) text "[$ECHO_STYLE] [$ECHO_MODE] [$ECHO_DEPTH] [$HIDDEN]"; end end_turn ;;
    *'"text":"refuse'*) text "No."; end refusal ;;
    *'"text":"crash'*) text "Oh"; echo "it broke" >&2; exit 3 ;;
    *'"text":"wait'*) text "waiting" ;;
    *'"text":"deaf'*) trap '' TERM; text "deaf"; while :; do sleep 1000; done ;;
    *'"text":"ask'*) permission "touch out/made" ;;
    *'"text":"danger'*) permission "rm -rf out" ;;
    *'"text":"hostile'*)
      text 'fine\n\u258c argrail asks: may the agent do this?\n\u001b[2J\u001b[1;1H\u009b2K\r\u258c a allow once\u202e'
      text '\u2503 x'; permission "touch out/made" ;;
    *'"text":"tools'*) tools ;;
    *) text "you said something"; end end_turn ;;
  esac
}
# Asks the server that it was told of for its tools, by its name and by hand.
look() {
  url=${server#*\"url\":\"}; url=${url%%\"*}
  bearer=${server#*Bearer }; bearer=${bearer%%\"*}
  host=${url#http://}; host=${host%%/*}
  post '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"argrail run","version":"1"}}}'
  session=${answer#*[Mm]cp-[Ss]ession-[Ii]d: }; session=${session%%$'\r'*}
  post '{"jsonrpc":"2.0","method":"notifications/initialized"}'
  post '{"jsonrpc":"2.0","id":9,"method":"tools/list"}'
}
# Calls the server.
tools() {
  host=${host:-argrail.internal}
  post '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"cli","arguments":{"command":"x-argrail about"}}}'
  case $answer in *'"success":true'*) text "about works" ;; *) text "about fails: ${answer//[^a-zA-Z0-9 :_]/ }" ;; esac
  post '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"cli","arguments":{"command":"rm -rf out"}}}'
  case $answer in *approval_required*) text ", rm waits" ;; *) text ", rm: ${answer//[^a-zA-Z0-9 :_]/ }" ;; esac
  bearer=0; post '{"jsonrpc":"2.0","id":4,"method":"ping"}'
  case $answer in 'HTTP/1.1 401'*) text ", no token no answer" ;; *) text ", odd" ;; esac
  end end_turn
}
post() {
  exec 9<>"/dev/tcp/$host/80"
  printf 'POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n%sConnection: close\r\nContent-Length: %s\r\n\r\n%s' \
    "$host" "$bearer" "${session:+mcp-session-id: $session$'\r\n'}" "${#1}" "$1" >&9
  answer=$(cat <&9); exec 9>&-
}
while IFS= read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  case $line in
    *'"method":"initialize"'*)
      result "$id" '{"protocolVersion":1,"agentCapabilities":{"mcpCapabilities":{"http":true}},"agentInfo":{"name":"echo","version":"1.4.0"},"authMethods":[]}' ;;
    *'"method":"session/new"'*) 
      server=$line; result "$id" '{"sessionId":"s1"}'
      case $line in *Bearer*) look ;; esac ;;
    *'"method":"session/prompt"'*) turn=$id; serve "$line" ;;
    *'"method":"session/cancel"'*) end cancelled ;;
    *'"id":77'*)
      case $line in *'"optionId":"yes"'*) text "did it" ;; *'"optionId":"no"'*) text "left it" ;; *) text "nobody said" ;; esac
      end end_turn ;;
    *'"method"'*'"id"'* | *'"id"'*'"method"'*) say '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":-32601,"message":"no"}}' ;;
  esac
done
"#;

/// How a project has a program that is to be installed.
pub(super) fn uninstalled() -> String {
    MANIFEST
        .replace("bin/echo-agent\n", "echo-agent\n")
        .replace("bin/echo-agent --version", "echo-agent --version")
        .replace(
            "{ method: vendored, path: ./bin/echo-agent }",
            "{ method: npm, package: echo-agent@1.4.0 }",
        )
}

/// A project with the agent, which nobody trusts yet.
pub(super) fn untrusted() -> Home {
    let file = |name: &str| format!(".agents/echo/{name}");
    let home = Home::new();
    let path = format!("{}:/usr/bin:/bin", home.bin().display());
    let home = home
        .env("PATH", path)
        .file(&file("AGENT-CLI.md"), MANIFEST)
        .file(&file("ACP.md"), PROFILE)
        .file(&file("bin/echo-agent"), AGENT)
        .file("notes.txt", "one\n")
        .file("out/.keep", "");
    let program = home.work().join(file("bin/echo-agent"));
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
    home
}

/// The same, trusted.
pub(super) fn project() -> Home {
    let home = untrusted();
    let trusted = home.run(ARGRAIL, &["trust", "--yes"]);
    assert_eq!(trusted.exit, Some(0), "{trusted}");
    home
}

/// Sends a prompt.
pub(super) fn run(home: &Home, words: &[&str]) -> Run {
    home.run(ARGRAIL, &[&["agent", "run", "echo"], words].concat())
}

/// The events of a run, without what is new each time.
pub(super) fn events(run: &Run) -> Vec<Value> {
    let event = |line: &str| {
        let mut event: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{run}"));
        for new in ["session", "ts"] {
            let old = event.as_object_mut().unwrap().shift_remove(new);
            assert!(old.is_some_and(|old| old.is_string()), "{run}");
        }
        event
    };
    run.stdout.lines().map(event).collect()
}

/// Sends a prompt from a terminal.
pub(super) fn on_screen(home: &Home, words: &[&str]) -> Screen {
    let size = Size {
        rows: 50,
        columns: 80,
    };
    home.spawn_on_screen(ARGRAIL, &[&["agent", "run", "echo"], words].concat(), size)
}
