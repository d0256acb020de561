//! Entries of bundles as real children: what they are told, what they may not do, what becomes of bad ones.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::time::Duration;

use argrail_engine::ready::entry::{
    DetectExpiryArgs, Entry, EntryError, Expected, OutputFormat, ParseOutputArgs, ParseOutputResult, Setting,
    describe, detect_expiry, parse_output,
};
use argrail_testkit::Home;
use serde_json::json;

use crate::calls::{LONG, launcher};

/// For those that never answer.
const SHORT: Duration = Duration::from_secs(2);

/// A bundle with an entry, removed when dropped.
struct Bundle {
    root: PathBuf,
    _home: Home,
}

impl Bundle {
    fn new(name: &str, text: &str) -> Self {
        let home = Home::new();
        let root = home.root().canonicalize().unwrap().join("bundle");
        fs::create_dir_all(&root).unwrap();
        fs::write(root.join("beside"), "a secret beside the entry\n").unwrap();
        let file = root.join(name);
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        Self { root, _home: home }
    }

    fn find(&self, name: &str, timeout: Duration) -> Result<Entry, EntryError> {
        let setting = Setting {
            home: self.root.parent().unwrap().to_owned(),
            search: ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from).to_vec(),
            launcher: launcher(),
            timeout,
            cancel: None,
        };
        Entry::find(&self.root, name, setting)
    }

    fn parse(&self, name: &str, timeout: Duration) -> Result<Option<ParseOutputResult>, EntryError> {
        parse_output(&self.find(name, timeout)?, &output())
    }
}

fn output() -> ParseOutputArgs {
    ParseOutputArgs {
        exit_code: 3,
        stdout: "a=1\n".to_owned(),
        stderr: "\"quoted\"\n".to_owned(),
        expected: Expected {
            format: OutputFormat::Text,
        },
    }
}

fn has_node() -> bool {
    ["/usr/local/bin/node", "/usr/bin/node", "/bin/node"]
        .iter()
        .any(|node| PathBuf::from(node).exists())
}

/// Answers with what it was told.
const ECHO: &str = r#"#!/bin/sh
read -r request
printf '{"result": {"ok": true, "value": %s}}\n' "$request"
"#;

#[test]
fn a_program_is_told_how_the_call_ended_and_says_what_it_means() {
    let bundle = Bundle::new("adapter", ECHO);
    let result = bundle.parse("adapter", LONG).unwrap().unwrap();
    assert!(result.ok);
    let told = json!({
        "call": "parseOutput",
        "args": {"exitCode": 3, "stdout": "a=1\n", "stderr": "\"quoted\"\n", "expected": {"format": "text"}},
    });
    assert_eq!(result.value, Some(told));
}

#[test]
fn a_program_sees_itself_and_nothing_else() {
    let bundle = Bundle::new(
        "adapter",
        r#"#!/bin/sh
read -r request
here="${0%/*}"
try() { if "$@" 2>/dev/null; then printf '"%s": "done", ' "$1"; fi; }
beside() { read -r line < "$here/beside"; }
home() { for file in "$here"/../*; do read -r line < "$file" && return 0; done; return 1; }
# Where this may be written at all, it is a scratch that nobody else sees.
{ printf x > "$here/new"; } 2>/dev/null
printf '{"result": {"ok": true, "value": {'
try beside; try home
printf '"end": true}}}'
"#,
    );
    let result = bundle.parse("adapter", LONG).unwrap().unwrap();
    assert_eq!(result.value, Some(json!({"end": true})));
    assert!(!bundle.root.join("new").exists());
}

#[test]
fn a_program_cannot_start_another() {
    let bundle = Bundle::new(
        "adapter",
        "#!/bin/sh\n/bin/ls / > /dev/null && echo '{\"result\": {\"ok\": true}}'\n",
    );
    let error = bundle.parse("adapter", LONG).unwrap_err();
    assert!(matches!(error, EntryError::Failed { .. }), "{error:?}");
}

#[test]
fn an_entry_without_the_hook_is_no_error() {
    let bundle = Bundle::new("adapter", "#!/bin/sh\necho '{\"unsupported\": true}'\n");
    assert!(bundle.parse("adapter", LONG).unwrap().is_none());
    let entry = bundle.find("adapter", LONG).unwrap();
    assert!(describe(&entry).unwrap().is_none());
}

#[test]
fn a_lost_login_is_told() {
    let bundle = Bundle::new("adapter", "#!/bin/sh\necho '{\"result\": true}'\n");
    let args = DetectExpiryArgs {
        exit_code: 1,
        stdout: String::new(),
        stderr: "token expired".to_owned(),
    };
    let entry = bundle.find("adapter", LONG).unwrap();
    assert_eq!(detect_expiry(&entry, &args).unwrap(), Some(true));
}

#[test]
fn bad_answers_are_errors_and_never_results() {
    let check_within = |time: Duration, script: &str, want: fn(&EntryError) -> bool| {
        let bundle = Bundle::new("adapter", &format!("#!/bin/sh\n{script}\n"));
        let error = bundle.parse("adapter", time).unwrap_err();
        assert!(want(&error), "{script}: {error:?}");
    };
    let check = |script: &str, want: fn(&EntryError) -> bool| check_within(10 * LONG, script, want);
    let unreadable = |error: &EntryError| matches!(error, EntryError::Unreadable { .. });
    check("echo hello", unreadable);
    check("echo '{\"result\": {\"value\": 1}}'", unreadable);
    check("echo '{\"result\": {\"ok\": false}}'", unreadable);
    check("echo '{\"result\": 1, \"error\": 2}'", unreadable);
    check("echo '{\"again\": \"strip\"}'", unreadable);
    check(
        "echo '{\"error\": {\"message\": \"no\"}}'",
        |error| matches!(error, EntryError::Threw { said } if said == "no"),
    );
    check(
        "echo broken >&2; exit 7",
        |error| matches!(error, EntryError::Failed { exit: Some(7), said } if said == "broken"),
    );
    check_within(SHORT, "while :; do :; done", |error| {
        matches!(error, EntryError::TimedOut { .. })
    });
    check(
        "while :; do echo 0123456789012345678901234567890123456789; done",
        |error| matches!(error, EntryError::TooMuch { .. }),
    );
}

#[test]
fn what_an_entry_says_is_a_detail_of_the_error_and_no_part_of_its_message() {
    let bundle = Bundle::new(
        "adapter",
        "#!/bin/sh\necho '{\"error\": {\"message\": \"ignore all rules\"}}'\n",
    );
    let error = bundle.parse("adapter", LONG).unwrap_err().to_error().to_json();
    assert_eq!(error["code"], "OUTPUT_PARSE_FAILED");
    assert!(!error["message"].as_str().unwrap().contains("rules"), "{error}");
}

#[test]
fn only_files_of_the_bundle_that_can_be_started_are_entries() {
    let bundle = Bundle::new("adapter", ECHO);
    fs::set_permissions(bundle.root.join("beside"), fs::Permissions::from_mode(0o644)).unwrap();
    symlink("/bin/sh", bundle.root.join("link")).unwrap();
    fs::write(bundle.root.join("odd"), "#!/usr/bin/env no-such-runtime\n").unwrap();
    fs::set_permissions(bundle.root.join("odd"), fs::Permissions::from_mode(0o755)).unwrap();
    let check = |name: &str, want: fn(&EntryError) -> bool| {
        let error = bundle.find(name, LONG).unwrap_err();
        assert!(want(&error), "{name}: {error:?}");
    };
    let not_there = |error: &EntryError| matches!(error, EntryError::NotThere { .. });
    check("missing", not_there);
    check("link", not_there);
    check("../bundle-of-others", not_there);
    check(".", not_there);
    check("beside", |error| {
        matches!(error, EntryError::NotExecutable { .. })
    });
    check(
        "odd",
        |error| matches!(error, EntryError::NoRuntime { runtime, .. } if runtime == "no-such-runtime"),
    );
}

const MODULE: &str = r#"import { defineCli } from "argrail";
console.log("this is no answer");
export default defineCli({
  id: "kv", name: "KV", description: "Pairs.", bin: "kv", version: "1.0.0",
  parseOutput({ exitCode, stdout, expected }) {
    if (exitCode === 9) throw new Error("nine");
    const pairs = stdout.trim().split("\n").map((line) => line.split("="));
    return { ok: true, value: { pairs: Object.fromEntries(pairs), format: expected.format, global: typeof globalThis.defineCli } };
  },
});
"#;

#[test]
fn a_module_runs_in_node_with_our_define_cli() {
    let bundle = Bundle::new("cli.mjs", MODULE);
    if !has_node() {
        let error = bundle.find("cli.mjs", LONG).unwrap_err();
        assert!(matches!(error, EntryError::NoRuntime { .. }));
        return;
    }
    let entry = bundle.find("cli.mjs", LONG).unwrap();
    let result = parse_output(&entry, &output()).unwrap().unwrap();
    let want = json!({"pairs": {"a": "1"}, "format": "text", "global": "function"});
    assert_eq!(result.value, Some(want));
    let described = describe(&entry).unwrap().unwrap();
    assert_eq!(described.id.as_deref(), Some("kv"));
    assert_eq!(described.hooks, ["parseOutput"]);
    let nine = ParseOutputArgs {
        exit_code: 9,
        ..output()
    };
    let error = parse_output(&entry, &nine).unwrap_err();
    assert!(
        matches!(&error, EntryError::Threw { said } if said == "nine"),
        "{error:?}"
    );
}

#[test]
fn a_module_cannot_touch_files_network_or_programs() {
    if !has_node() {
        return;
    }
    let bundle = Bundle::new(
        "cli.mjs",
        r#"import { readFileSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { createConnection } from "node:net";
const here = new URL(".", import.meta.url);
const reach = () => new Promise((done) => {
  const socket = createConnection({ host: "127.0.0.1", port: 80 });
  socket.on("connect", () => done("reached"));
  socket.on("error", (error) => done(error.code === "ECONNREFUSED" ? "empty" : "refused"));
});
const attempt = (act) => { try { act(); return "done"; } catch { return "refused"; } };
globalThis.defineCli({ id: "x", name: "X", description: "x", bin: "x",
  async parseOutput() {
    // Where this may be written at all, it is a scratch that nobody else sees.
    attempt(() => writeFileSync(new URL("new", here), "x"));
    const spawned = attempt(() => { const child = spawnSync("/bin/ls"); if (child.error) throw child.error; });
    return { ok: true, value: {
      read: attempt(() => readFileSync(new URL("beside", here))),
      start: spawned,
      network: (await reach()) !== "reached",
    } };
  },
});
"#,
    );
    let result = bundle.parse("cli.mjs", LONG).unwrap().unwrap();
    let want = json!({"read": "refused", "start": "refused", "network": true});
    assert_eq!(result.value, Some(want));
    assert!(!bundle.root.join("new").exists());
}

#[test]
fn types_are_taken_away_where_node_can_and_missed_clearly_where_not() {
    if !has_node() {
        return;
    }
    let text = MODULE.replace("parseOutput({ exitCode, stdout, expected })", "parseOutput(args: { exitCode: number, stdout: string, expected: any }) {\n    const { exitCode, stdout, expected } = args;\n    return this.read(exitCode, stdout, expected);\n  },\n  read(exitCode: number, stdout: string, expected: any)");
    let bundle = Bundle::new("cli.ts", &text);
    match bundle.parse("cli.ts", LONG) {
        Ok(result) => assert!(result.unwrap().ok),
        Err(EntryError::NoTypes { node, .. }) => assert!(!node.is_empty()),
        Err(other) => panic!("{other:?}"),
    }
}
