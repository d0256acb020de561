//! How a tool is run: JSON in, one line of JSON out, a scrubbed environment, a time limit, an error in its own words.

use std::thread;

use argrail_engine::output::{Stream, Want};
use serde_json::{Value, json};

use super::ground::{Given, accepted, called, kept, made, one};

#[test]
fn the_arguments_reach_the_tool_byte_for_byte() {
    let home = one(
        "#!/bin/sh\nprintf '{\"bytes\":\"%s\"}\\n' \"$(/usr/bin/wc -c | /usr/bin/tr -d ' ')\"\n",
        json!({}),
    );
    let input = "{ \"a\" :  \"é\" ,\"b\":1.0 }\n ";
    let given = Given {
        input,
        ..Given::default()
    };
    let answer = called(&home, &given).unwrap();
    assert_eq!(answer.data, json!({"bytes": input.len().to_string()}));
    let home = one("#!/bin/sh\nexec /bin/cat\n", json!({}));
    let given = Given {
        input: "{\"a\":[1,2]}",
        ..Given::default()
    };
    assert_eq!(called(&home, &given).unwrap().data, json!({"a": [1, 2]}));
}

#[test]
fn fixed_arguments_are_words_and_no_shell_reads_them() {
    let script = "#!/bin/sh\nprintf '[\"%s\",\"%s\",\"%s\"]\\n' \"$#\" \"$1\" \"$2\"\n";
    let more = json!({"command": ["./tools/bin/t", "$HOME; id", "a  b"]});
    assert_eq!(
        called(&one(script, more), &Given::default()).unwrap().data,
        json!(["2", "$HOME; id", "a  b"])
    );
}

/// The names of the variables that a tool has when it starts.
fn names(more: Value, environment: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let script = "#!/bin/sh\nprintf '\"%s\"\\n' \"$(/usr/bin/tr '\\0' '|' < /proc/$$/environ)\"\n";
    let given = Given {
        environment,
        ..Given::default()
    };
    let answer = called(&one(script, more), &given).unwrap();
    let mut names: Vec<String> = answer
        .data
        .as_str()
        .unwrap()
        .split('|')
        .filter_map(|variable| Some(variable.split_once('=')?.0.to_owned()))
        .collect();
    names.sort();
    (names, answer.env_keys)
}

#[test]
fn a_tool_sees_path_and_home_and_what_its_manifest_names() {
    let host = [
        ("TZ", "UTC"),
        ("SECRET", "s3cret"),
        ("LANG", "de_DE"),
        ("LD_PRELOAD", "/x.so"),
        ("PATH", "/elsewhere"),
    ];
    let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let (seen, keys) = names(json!({}), &host);
    assert_eq!((seen, keys), (own(&["HOME", "PATH"]), own(&[])));
    // Also when there are none here.
    assert_eq!(names(json!({}), &[]).0, own(&["HOME", "PATH"]));
    // What steers programs is not passed on, whatever a manifest says; what is not there is not made up.
    let more = json!({"envPassthrough": ["tz", "LD_PRELOAD", "ABSENT"]});
    let (seen, keys) = names(more, &host);
    assert_eq!((seen, keys), (own(&["HOME", "PATH", "TZ"]), own(&["TZ"])));
}

#[test]
fn a_tool_that_reads_nothing_is_fine_and_no_output_is_lost() {
    let script = "#!/bin/sh\nexec 0<&-\nprintf '\"'\n/usr/bin/head -c 3000000 /dev/zero | /usr/bin/tr '\\0' 'x'\nprintf '\"\\n'\n";
    let input = format!("{{\"a\":\"{}\"}}", "y".repeat(900_000));
    let given = Given {
        input: &input,
        ..Given::default()
    };
    let home = one(script, json!({}));
    let answer = called(&home, &given).unwrap();
    assert_eq!(answer.data["bytes"], 3_000_003);
    let want = Want {
        stream: Stream::Stdout,
        offset: 2_999_999,
        limit: 100,
    };
    let id = answer.data["output"].as_str().unwrap();
    let page = kept(&home).read("test", id, want).unwrap();
    assert_eq!(page.bytes, b"xx\"\n");
    // Input is written while output is read: neither fills up and waits for the other.
    let script = "#!/bin/sh\nexec /bin/cat\n";
    let answer = called(&one(script, json!({})), &given).unwrap();
    assert_eq!(answer.data["bytes"], input.len());
}

#[test]
fn a_tool_that_takes_too_long_is_ended_with_all_it_started() {
    let script = "#!/bin/sh\ntrap '' TERM\n/usr/bin/tail -f /dev/null &\n/usr/bin/tail -f /dev/null\n";
    let error = called(&one(script, json!({"timeoutSec": 1})), &Given::default()).unwrap_err();
    assert_eq!(error.code().name(), "TIMEOUT");
    let told = error.to_json();
    let message = told["message"].as_str().unwrap();
    assert!(
        message.starts_with("Command timed out after ") && message.ends_with("ms"),
        "{told}"
    );
    assert!(
        told["hint"].as_str().unwrap().starts_with("Try a simpler query"),
        "{told}"
    );
    // What a provider's model is told.
    assert_eq!(told["detail"], "tool timed out");
}

#[test]
fn a_failure_is_told_in_the_tools_own_words_apart_from_ours() {
    let script = "#!/bin/sh\necho '{\"error\":\"no such zone\"}' >&2\nexit 3\n";
    let error = called(&one(script, json!({})), &Given::default())
        .unwrap_err()
        .to_json();
    assert_eq!(error["code"], "EXECUTION_ERROR");
    assert_eq!(
        error["message"],
        "Execution failed: tool 't' failed with exit code 3"
    );
    assert_eq!(error["detail"], "no such zone");
    assert_eq!(error["untrusted"], true);
}

#[test]
fn an_answer_that_is_no_line_of_json_is_none() {
    let check = |print: &str, seen: &str| {
        let script = format!("#!/bin/sh\n{print}\n");
        let error = called(&one(&script, json!({})), &Given::default())
            .unwrap_err()
            .to_json();
        assert_eq!(error["code"], "OUTPUT_PARSE_FAILED");
        assert_eq!(error["seen"], seen, "{print}");
    };
    check("echo hello", "hello\n");
    check("echo '{}'; echo '{}'", "{}\n{}\n");
    check(":", "");
}

#[test]
fn arguments_that_do_not_fit_start_nothing() {
    let schema = json!({"type": "object", "required": ["zone"], "properties": {"zone": {"type": "string"}}});
    let home = one("#!/bin/sh\necho '{}'\n", json!({"schema": schema}));
    let check = |input: &str, told: &str| {
        let given = Given {
            input,
            ..Given::default()
        };
        let error = called(&home, &given).unwrap_err().to_json();
        assert_eq!(error["code"], "VALIDATION_ERROR");
        assert_eq!(error["message"], told);
        assert_eq!(error["hint"], "Run: schema 't'");
    };
    check(
        "{}",
        "Invalid argument: '/zone': expected a value, since it is required, got nothing",
    );
    check(
        "{\"zone\":7}",
        "Invalid argument: '/zone': expected a string, got '7'",
    );
    let unusable = one("#!/bin/sh\necho '{}'\n", json!({"schema": {"$ref": "#"}}));
    let error = called(&unusable, &Given::default()).unwrap_err().to_json();
    assert_eq!(error["code"], "SETUP_REQUIRED", "{error}");
}

#[test]
fn calls_side_by_side_keep_their_own_answers() {
    let home = one("#!/bin/sh\nexec /bin/cat\n", json!({}));
    let tools = accepted(&home);
    thread::scope(|scope| {
        for worker in 0..4 {
            let (home, tool) = (&home, &tools[0]);
            scope.spawn(move || {
                for turn in 0..10 {
                    let input = json!({"worker": worker, "turn": turn}).to_string();
                    let given = Given {
                        input: &input,
                        ..Given::default()
                    };
                    let answer = made(home, tool, &given).unwrap();
                    assert_eq!(answer.data.to_string(), input);
                }
            });
        }
    });
}
