//! A bundle of a small program that keeps notes, and ways to change it.

use argrail_testkit::{Home, Run};
use serde_json::Value;

use crate::ARGRAIL;

/// The manifest. The sandbox may write below `notes`, and reach nobody.
pub(super) const CLI: &str = r#"---
name: Notes
id: notes
description: Keeps notes in files of a folder.
version: 1.0.0
bin: notes
install:
  - { method: vendored, path: ./bin/notes }
version_check: { cmd: notes --version, parse: 'notes (\S+)', range: ">=1.2 <2" }
sandbox:
  network: { egress: [] }
  fs: { read: ["**"], write: ["notes/**"] }
  exec: { allow: false }
  env: { pass: [NOTES_STYLE], set: { NOTES_QUIET: "1" } }
output:
  default_format: text
  json_flag: --json
  exit_codes: { 2: usage_error, 4: auth_required, 5: not_found }
commands:
  list: ./tools/list/TOOL.md
  note:
    add: ./tools/add/TOOL.md
    show: ./tools/show/TOOL.md
tags: [notes]
examples:
  - { goal: list all notes, cmd: notes list }
---
## Gotchas
- A note of no words is none.
"#;

/// A tool that reads.
pub(super) const LIST: &str = r#"---
name: List notes
id: notes.list
description: Lists the notes.
version: 1.0.0
inputs:
  type: object
  properties:
    limit: { type: integer, minimum: 1, description: How many. }
    all: { type: boolean }
  additionalProperties: false
outputs: { type: array, items: { type: object, required: [id] } }
runner:
  cli: ../../CLI.md
  argv: [list, "--limit=${input.limit | default(10)}", "${input.all | flag('--all')}"]
---
"#;

/// A tool that changes something.
pub(super) const ADD: &str = r#"---
name: Add a note
id: notes.add
description: Adds a note.
version: 1.0.0
inputs:
  type: object
  properties:
    text: { type: string }
  required: [text]
outputs: { type: object }
mutates: ["workspace:notes"]
approval: on-mutate
risk_level: 1
runner:
  cli: ../../CLI.md
  argv: [note, add, --, "${input.text}"]
---
"#;

/// A tool that reads one thing.
pub(super) const SHOW: &str = r#"---
name: Show a note
id: notes.show
description: Shows a note.
version: 1.0.0
inputs:
  type: object
  properties: { id: { type: integer } }
  required: [id]
outputs: { type: object, required: [id, text] }
runner:
  cli: ../../CLI.md
  argv: [note, show, "${input.id}"]
---
"#;

/// The program: what it was called with is part of what it says.
pub(super) const PROGRAM: &str = r#"#!/bin/sh
case "$1" in
  --version) echo "notes 1.4.2" ;;
  list)
    if [ "$2" = "--limit=3" ]; then echo broken; exit 0; fi
    if [ "$2" = "--limit=4" ]; then echo "[{}]"; exit 0; fi
    if [ "$2" = "--limit=5" ]; then echo sneaky > notes/sneaky; fi
    printf '[{"id":1,"words":"%s","quiet":"%s","style":"%s"}]' "$*" "$NOTES_QUIET" "$NOTES_STYLE" ;;
  note)
    case "$2" in
      add) echo "$4" >> notes/all && echo '{}' ;;
      show) if [ "$3" = 7 ]; then exit 5; fi; printf '{"id":%s,"text":"x"}' "$3" ;;
    esac ;;
  *) echo "no such command" >&2; exit 2 ;;
esac
"#;

/// A project with the bundle, as its files are.
pub(super) fn project() -> Home {
    with(Home::new(), ".cli/notes")
}

/// Puts the bundle into a folder of the working directory.
pub(super) fn with(home: Home, folder: &str) -> Home {
    let file = |name: &str| format!("{folder}/{name}");
    let home = home
        .file(&file("CLI.md"), CLI)
        .file(&file("tools/list/TOOL.md"), LIST)
        .file(&file("tools/add/TOOL.md"), ADD)
        .file(&file("tools/show/TOOL.md"), SHOW)
        .file(&file("bin/notes"), PROGRAM)
        .file("notes/all", "");
    executable(&home, &file("bin/notes"));
    home
}

/// Lets a file be executed.
pub(super) fn executable(home: &Home, file: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = home.work().join(file);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs a verb and wants it to end well.
pub(super) fn done(home: &Home, words: &[&str]) -> Run {
    let run = home.run(ARGRAIL, words);
    assert_eq!(run.exit, Some(0), "{words:?}: {run}");
    run
}

/// Calls a command and returns its envelope.
pub(super) fn call(home: &Home, command: &str) -> Value {
    home.run(ARGRAIL, &["call", command]).json()
}
