//! Prompts, output, exit codes, variables and who may use it: the nearest word counts.

use argrail_spec::atip::{ExitMeaning, OutputFormat};
use serde_json::json;

use super::{read, tool};

#[test]
fn what_prompts_is_answered_with_advice() {
    let tool = tool(json!({
        "x-prompts": {"advice": "at the tool"},
        "commands": {
            "other": {"description": "O"},
            "never": {"description": "N", "x-prompts": false},
            "commit": {
                "description": "C",
                "x-prompts": {"unless": ["message", "file"], "advice": "commit -m MESSAGE"},
                "options": [
                    {"name": "message", "flags": ["-m"], "type": "string"},
                    {"name": "patch", "flags": ["-p"], "type": "boolean", "x-prompts": {"unless": ["yes"], "advice": "no -p"}},
                    {"name": "yes", "flags": ["-y"], "type": "boolean"},
                ],
                "arguments": [{"name": "file", "type": "string", "required": false}],
            },
        },
    }));
    let check = |line: &str, want: Option<&str>| {
        assert_eq!(read(&tool, line).prompts.as_deref(), want, "{line}");
    };
    check("other", Some("at the tool"));
    check("never", None);
    check("commit", Some("commit -m MESSAGE"));
    check("commit -m no", None);
    check("commit x", None);
    check("commit -m x -p", Some("no -p"));
    check("commit -m x -py", None);
}

#[test]
fn output_is_what_the_nearest_says() {
    let tool = tool(json!({
        "x-output": {"format": "yaml", "json": ["-o", "json"]},
        "commands": {
            "get": {
                "description": "G",
                "options": [{"name": "raw", "flags": ["--raw"], "type": "boolean", "x-output": "binary"}],
            },
            "own": {
                "description": "O", "x-output": "ndjson",
                "options": [{"name": "json", "flags": ["--json"], "type": "boolean", "x-output": "json"}],
            },
        },
    }));
    let check = |line: &str, format: OutputFormat, words: Option<&[&str]>| {
        let output = read(&tool, line).output;
        let said: Option<Vec<&str>> = output
            .json_words
            .as_ref()
            .map(|words| words.iter().map(String::as_str).collect());
        assert_eq!((output.format, said.as_deref()), (format, words), "{line}");
    };
    check("get", OutputFormat::Yaml, None);
    check("get --json", OutputFormat::Json, Some(&["-o", "json"]));
    check("get --raw", OutputFormat::Binary, None);
    check("own", OutputFormat::Ndjson, None);
    check("own --json", OutputFormat::Json, None);
}

#[test]
fn exits_variables_and_sign_in_are_inherited() {
    let tool = tool(json!({
        "x-exit": {"1": "ok", "x": "ok", "2": "what"}, "x-env": {"A": "1", "B": "1"},
        "authentication": {"required": true, "methods": [{"type": "api_key", "envVar": "KEY"}]},
        "globalOptions": [{"name": "token", "flags": ["--token"], "type": "string", "envVar": "TOKEN"}],
        "commands": {
            "a": {"description": "A", "x-env": {"B": "2"}},
            "b": {
                "description": "B", "x-exit": {"4": "auth_required"},
                "authentication": {"required": false},
                "options": [
                    {"name": "url", "flags": ["--url"], "type": "string", "envVar": "URL"},
                    {"name": "u", "flags": ["-u"], "type": "string", "envVar": "URL"},
                ],
            },
        },
    }));
    let a = read(&tool, "a");
    assert_eq!(a.exits.into_iter().collect::<Vec<_>>(), [(1, ExitMeaning::Ok)]);
    assert_eq!((a.env["A"].as_str(), a.env["B"].as_str()), ("1", "2"));
    assert_eq!(a.env_vars, ["TOKEN"]);
    assert!(
        a.authentication
            .is_some_and(|sign_in| sign_in.required == Some(true))
    );
    let b = read(&tool, "b");
    assert_eq!(
        b.exits.into_iter().collect::<Vec<_>>(),
        [(4, ExitMeaning::AuthRequired)]
    );
    assert_eq!(b.env_vars, ["TOKEN", "URL"]);
    assert!(
        b.authentication
            .is_some_and(|sign_in| sign_in.required == Some(false))
    );
}
