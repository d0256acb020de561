//! A disk that is full, for real: a file system of two megabytes under the record.

use std::fs;

use argrail_testkit::Home;
use serde_json::Value;

use super::ground::home;
use crate::ARGRAIL;
use crate::attacks::hostile;

/// Runs a script with argrail as `$0` and its state, which is on the small disk, as `$1`. What it says is told part by
/// part: a line `== NAME` begins one.
fn on_a_small_disk(home: &Home, script: &str) -> Vec<(String, String)> {
    let state = home.state();
    fs::create_dir_all(&state).unwrap();
    let hostile = hostile().to_str().unwrap();
    let words = ["under", "small-disk", "--", "/bin/sh", "-c", script, ARGRAIL];
    let words = [&words[..], &[state.to_str().unwrap()]].concat();
    let run = home.run(hostile, &words);
    assert_eq!(run.exit, Some(0), "{run}");
    let parts = run.stdout.split("== ").skip(1);
    let parts = parts.map(|part| part.split_once('\n').unwrap_or((part, "")));
    parts
        .map(|(name, said)| (name.to_owned(), said.to_owned()))
        .collect()
}

/// What a script does to have a full disk.
const FILL: &str = r#"
"$0" call version >/dev/null || { echo "$?"; exit 91; }
head -c 3000000 /dev/zero > "$1/filler" 2>/dev/null
tries=0
while "$0" call version >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 200 ] || exit 92
done
"#;

fn part<'p>(parts: &'p [(String, String)], name: &str) -> &'p str {
    let found = parts.iter().find(|(found, _)| found == name);
    &found.unwrap_or_else(|| panic!("{name}: {parts:#?}")).1
}

fn json(parts: &[(String, String)], name: &str) -> Value {
    let said = part(parts, name);
    serde_json::from_str(said).unwrap_or_else(|_| panic!("{name}: {said}"))
}

#[test]
fn a_full_disk_says_what_is_wrong_and_nothing_runs_until_there_is_room() {
    let home = home();
    let script = format!(
        r#"{FILL}
echo "== own"; "$0" call version; echo
echo "== read"; "$0" call 'cat note'; echo
echo "== change"; "$0" call 'touch made'; echo
echo "== verify"; "$0" audit verify --json
echo "== doctor"; "$0" doctor --json
echo "== notes"; "$0" audit show --action audit.note --json
rm "$1/filler"
echo "== after"; "$0" call 'touch made'; echo
echo "== healed"; "$0" audit verify --json
echo "== later"; "$0" audit show --action audit.note --json
echo "== files"; ls "$1/argrail/audit"
"#
    );
    let parts = on_a_small_disk(&home, &script);
    let directory = home.state().join("argrail/audit");
    for refused in ["own", "read", "change"] {
        let error = &json(&parts, refused)["error"];
        assert_eq!(
            (error["code"].as_str(), error["reason"].as_str()),
            (Some("EXECUTION_ERROR"), Some("record_full")),
            "{refused}: {error:#}"
        );
        let hint = error["hint"].as_str().unwrap();
        assert!(hint.contains(directory.to_str().unwrap()), "{hint}");
    }
    assert_eq!(json(&parts, "verify")["data"]["ok"], true, "{parts:#?}");
    let doctor = &json(&parts, "doctor")["data"];
    assert_eq!(doctor["record"]["state"], "full", "{doctor:#}");
    assert_eq!(doctor["record"]["directory"], directory.to_str().unwrap());
    let problems = |name: &str| -> Vec<String> {
        let said = json(&parts, name);
        let entries = said["data"]["entries"].as_array().unwrap().iter();
        entries
            .map(|entry| entry["metadata"]["problem"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(problems("notes"), ["full"]);
    let after = json(&parts, "after");
    assert_eq!(after["success"], true, "{after:#}");
    assert!(home.work().join("made").exists());
    assert_eq!(json(&parts, "healed")["data"]["ok"], true, "{parts:#?}");
    assert_eq!(problems("later"), ["full"]);
    assert!(
        part(&parts, "files").lines().any(|name| name == "reserve"),
        "{parts:#?}"
    );
}

#[test]
fn a_server_that_runs_is_refused_alike_and_goes_on_when_there_is_room() {
    let home = home();
    let call = |id: u32, command: &str| {
        let params = serde_json::json!({"name": "cli", "arguments": {"command": command}});
        serde_json::json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
    };
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    // The server is asked, the disk is filled and emptied under it, and each answer is waited for.
    let script = format!(
        r#"
mkfifo "$1/in" "$1/out"
"$0" serve < "$1/in" > "$1/out" &
exec 3> "$1/in" 4< "$1/out"
ask() {{ printf '%s\n' "$1" >&3; read -r answer <&4; }}
ask '{hello}'; printf '%s\n' '{ready}' >&3
ask '{first}'; echo "== before"; printf '%s\n' "$answer"
head -c 3000000 /dev/zero > "$1/filler" 2>/dev/null
tries=0
while ask '{again}'; case "$answer" in *'"isError":false'*) true;; *) false;; esac; do
    tries=$((tries + 1)); [ "$tries" -lt 500 ] || exit 92
done
echo "== full"; printf '%s\n' "$answer"
ask '{change}'; echo "== change"; printf '%s\n' "$answer"
rm "$1/filler"
ask '{change}'; echo "== after"; printf '%s\n' "$answer"
exec 3>&-
wait
echo "== verify"; "$0" audit verify --json
"#,
        first = call(1, "version"),
        again = call(2, "version"),
        change = call(3, "touch made"),
    );
    let parts = on_a_small_disk(&home, &script);
    let envelope = |name: &str| json(&parts, name)["result"]["structuredContent"].clone();
    assert_eq!(envelope("before")["success"], true);
    for refused in ["full", "change"] {
        let error = &envelope(refused)["error"];
        assert_eq!(error["reason"], "record_full", "{refused}: {error:#}");
    }
    assert_eq!(envelope("after")["success"], true, "{parts:#?}");
    assert!(home.work().join("made").exists());
    assert_eq!(json(&parts, "verify")["data"]["ok"], true);
}

#[test]
fn a_disk_without_room_for_a_record_is_told_at_the_first_call() {
    let home = home();
    let script = r#"
head -c 3000000 /dev/zero > "$1/filler" 2>/dev/null
echo "== first"; "$0" call version; echo
echo "== doctor"; "$0" doctor --json; [ "$?" -eq 1 ]
"#;
    let parts = on_a_small_disk(&home, script);
    let error = &json(&parts, "first")["error"];
    assert_eq!(error["reason"], "record_full", "{error:#}");
    assert_eq!(
        json(&parts, "doctor")["data"]["record"]["state"],
        "full",
        "{parts:#?}"
    );
}
