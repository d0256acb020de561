//! What a program prints becomes data: whole or in pages, bounded, clean, and without secrets.

use std::fs;
use std::time::Duration;

use argrail_testkit::{Home, with_time_to_begin};
use serde_json::{Value, json};

use super::ground::{call, connect, envelope, home, vouched};
use crate::ARGRAIL;

/// What the server may have needed at most, in kB. Any that held the output below would need more.
const MOST_MEMORY: u64 = 60 * 1024;
/// The last number that is counted to, and how long the text of all of them is.
const COUNT: u64 = 9_500_000;
const COUNTED: u64 = 74_888_896;

/// The most memory that a process has had at once, in kB.
fn peak_memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").trim().parse().unwrap()
}

#[test]
fn a_flood_of_output_is_bounded_and_kept_for_its_caller() {
    let home = home()
        .config(r#"{"timeouts": {"call": "9m"}}"#)
        .limit(Duration::from_secs(600));
    let mut client = connect(&home, &[]);
    let result = client.call(&format!("seq {COUNT}"));
    assert!(result.to_string().len() < 200_000, "{}", result.to_string().len());
    let answer = envelope(&result);
    assert_eq!(answer["data"]["truncated"], true, "{answer:#}");
    assert_eq!(answer["data"]["bytes"], COUNTED);
    let preview = answer["data"]["preview"].as_str().unwrap();
    assert!(preview.starts_with("1\n2\n3\n") && preview.len() <= 64 * 1024);
    let id = answer["data"]["output"].as_str().unwrap().to_owned();
    assert_eq!(answer["data"]["next"], preview.len());

    let next = envelope(&client.call(&format!("x-output {id} --offset {} --limit 20", preview.len())));
    let joined = format!("{preview}{}", next["data"]["text"].as_str().unwrap());
    assert!(numbers_from_one(&joined), "{next:#}");
    let last = envelope(&client.call(&format!("x-output {id} --offset {}", COUNTED - 16)));
    assert_eq!(last["data"]["text"], "9499999\n9500000\n", "{last:#}");
    assert_eq!(last["data"]["next"], Value::Null, "{last:#}");

    // To anybody else it is not there, by whatever way they ask.
    let other = call(&home, &format!("x-output {id}"));
    assert_eq!(other.exit, Some(2), "{other}");
    assert!(other.stdout.contains("no such output"), "{other}");

    let memory = peak_memory(client.child().id());
    assert!(memory < MOST_MEMORY, "{memory} kB");
}

/// Whether the whole lines of a text count from one.
fn numbers_from_one(text: &str) -> bool {
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let mut lines = whole.lines().zip(1_u64..);
    lines.all(|(line, number)| line == number.to_string())
}

#[test]
fn what_a_tool_prints_is_read_by_its_format() {
    let check = |script: &str, more: &Value, expected: &Value| {
        let home = vouched(home(), "teller", script, more);
        let run = call(&home, "teller");
        assert_eq!(&run.json()["data"], expected, "{script}: {run}");
        assert_eq!(run.json()["_meta"]["untrusted"], true, "{run}");
    };
    let format = |name: &str| json!({"x-output": name});
    check(
        r#"echo '{"a":[1,{"b":null}]}'"#,
        &format("json"),
        &json!({"a": [1, {"b": null}]}),
    );
    check("echo '7'", &format("json"), &json!(7));
    check(
        r#"printf '{"a":1}\n{"a":2}\n'"#,
        &format("ndjson"),
        &json!([{"a": 1}, {"a": 2}]),
    );
    check(
        r"printf 'a: 1\nb: [x, y]\n'",
        &format("yaml"),
        &json!({"a": 1, "b": ["x", "y"]}),
    );
    check(
        "echo out; echo err >&2",
        &json!({}),
        &json!({"exitCode": 0, "stdout": "out\n", "stderr": "err\n"}),
    );
    check(
        r"printf '\377\376\000x'",
        &json!({}),
        &json!({"exitCode": 0, "encoding": "base64", "stdout": "//4AeA==", "stderr": ""}),
    );
    check(
        r"printf '\033[31mred\033[0m \033]0;title\007\033[2Kplain\n'",
        &json!({}),
        &json!({"exitCode": 0, "stdout": "red plain\n", "stderr": ""}),
    );
}

#[test]
fn json_that_is_none_is_told_with_what_was_seen() {
    let home = vouched(home(), "teller", "echo no json", &json!({"x-output": "json"}));
    let run = call(&home, "teller");
    assert_eq!(run.json()["error"]["code"], "OUTPUT_PARSE_FAILED", "{run}");
    assert!(run.stdout.contains("no json"), "{run}");
}

#[test]
fn an_exit_number_means_what_the_description_says() {
    let home = vouched(
        home(),
        "teller",
        "echo said; exit \"$1\"",
        &json!({"x-exit": {"1": "ok", "2": "usage_error", "4": "auth_required", "7": "error"}}),
    );
    for (number, code) in [
        (0, None),
        (1, None),
        (2, Some("VALIDATION_ERROR")),
        (4, Some("AUTH_REQUIRED")),
        (7, Some("EXECUTION_ERROR")),
        (9, Some("EXECUTION_ERROR")),
    ] {
        let answer = call(&home, &format!("teller {number}")).json();
        match code {
            Some(code) => assert_eq!(answer["error"]["code"], code, "{number}: {answer:#}"),
            None => assert_eq!(answer["data"]["exitCode"], number, "{answer:#}"),
        }
        assert!(answer.to_string().contains("said"), "{number}: {answer:#}");
    }
}

/// A tool that is given a secret, with a filler before what it says.
fn teller() -> Home {
    let script = "head=$1\nwhile [ \"$head\" -gt 0 ]; do echo filler; head=$((head - 1)); done\n\
                  echo \"it is $TELLER_TOKEN.\"; echo \"$TELLER_TOKEN\" >&2";
    let authentication = json!({"authentication": {
        "required": true,
        "methods": [{"type": "token", "envVar": "TELLER_TOKEN"}],
    }});
    vouched(home(), "teller", script, &authentication).env("TELLER_TOKEN", "not-for-agents-5f1c")
}

#[test]
fn a_secret_that_a_tool_prints_is_not_told() {
    let home = teller();
    let run = call(&home, "teller 0");
    assert_eq!(run.json()["data"]["stdout"], "it is [redacted].\n", "{run}");
    assert_eq!(run.json()["data"]["stderr"], "[redacted]\n", "{run}");
    // The tool did get it.
    let raw = home.run(ARGRAIL, &["why", "--json", "--", "teller", "0"]);
    let names = raw.json()["data"]["sandbox"]["env"].to_string();
    assert!(names.contains("TELLER_TOKEN"), "{raw}");

    // Nor what is kept for later, nor the record.
    let run = call(&home, "teller 20000");
    let id = run.json()["data"]["output"].as_str().unwrap().to_owned();
    let page = call(&home, &format!("x-output {id} --offset 139990"));
    let text = page.json()["data"]["text"].as_str().unwrap().to_owned();
    assert!(text.ends_with("filler\nit is [redacted].\n"), "{page}");
    assert!(!everything_below(&home.state()).contains("not-for-agents-5f1c"));
}

/// The text of all files below a directory.
fn everything_below(directory: &std::path::Path) -> String {
    let entries = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .map(|path| match path.is_dir() {
            true => everything_below(&path),
            false => String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned(),
        })
        .collect()
}

#[test]
fn a_command_that_never_ends_is_answered_with_the_flag_to_leave_out() {
    let in_time = |time: Duration| {
        let call = format!("{}ms", time.as_millis());
        home()
            .config(&json!({"timeouts": {"call": call}}).to_string())
            .file("note", "hello\n")
    };
    for flag in ["-f", "-F", "--follow"] {
        with_time_to_begin(|time| {
            let run = call(&in_time(time), &format!("tail {flag} note"));
            let error = &run.json()["error"];
            assert_eq!(error["code"], "TIMEOUT", "{run}");
            let had_begun = error["output"]["stdout"] == "hello\n";
            let hint = error["hint"].as_str().unwrap();
            had_begun.then(|| assert!(hint.contains(&format!("'{flag}'")), "{run}"))
        });
    }
    with_time_to_begin(|time| {
        let run = call(&in_time(time), "sleep 600");
        (run.json()["error"]["hint"] == "Try a simpler query").then_some(())
    });
}
