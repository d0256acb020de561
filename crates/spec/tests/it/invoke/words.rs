//! Which command, which options, which words, and what is not known of them.

use serde_json::json;

use super::{plain, read, read_as, tool, unverified};
use argrail_spec::atip::{Inner, Invoked, ProgramText, Voice};

/// The options as `name=values`, the words as `name:text`.
fn shown(invoked: &Invoked) -> String {
    let options = invoked
        .options
        .iter()
        .map(|given| format!("{}={}", given.name, given.values.join(",")));
    let words = invoked
        .words
        .iter()
        .map(|word| format!("{}:{}", word.name.as_deref().unwrap_or("?"), word.text));
    let path = invoked.path.iter().cloned();
    path.chain(options).chain(words).collect::<Vec<_>>().join(" ")
}

#[test]
fn words_are_told_by_what_they_are() {
    let tool = tool(json!({
        "globalOptions": [
            {"name": "dir", "flags": ["-C"], "type": "directory", "x-before": true},
            {"name": "verbose", "flags": ["-v", "--verbose"], "type": "boolean"},
        ],
        "commands": {"push": {
            "description": "Push", "aliases": ["p"],
            "options": [
                {"name": "force", "flags": ["-f", "--force"], "type": "boolean"},
                {"name": "out", "flags": ["-o", "--out"], "type": "file"},
                {"name": "dir", "flags": ["-C", "--dir"], "type": "string"},
            ],
            "arguments": [
                {"name": "remote", "type": "string", "required": false},
                {"name": "ref", "type": "string", "variadic": true, "required": false},
            ],
        }},
    }));
    let check = |line: &str, want: &str| assert_eq!(shown(&read(&tool, line)), want, "{line}");
    check("push", "push");
    check("p origin a b", "push remote:origin ref:a ref:b");
    check("-v push -f", "push verbose= force=");
    check("push -vfo x origin", "push verbose= force= out=x remote:origin");
    check("push origin -ox --verbose", "push out=x verbose= remote:origin");
    check("-C /srv push -C y", "push dir=/srv dir=y");
    check("push -- -f", "push remote:-f");
    let given = read(&tool, "-C /srv push --out=x");
    assert_eq!(given.tool, "tool");
    assert!(given.options.iter().all(|option| option.is_path));
    assert_eq!(given.options[1].spellings, ["--out", "-o"]);
    assert_eq!(given.options[1].spelt, "--out");
    for line in ["", "nope", "push --nope", "push --forc", "push -o", "-C"] {
        assert!(read_as(&tool, Voice::Settled, line).is_err(), "{line}");
    }
}

#[test]
fn a_name_that_no_command_string_holds_is_read_too() {
    let mut metadata = (*plain(json!({"arguments": [{"name": "x", "type": "string"}]}))).clone();
    metadata.name = "[".to_owned();
    let read = read(&metadata.into(), "1");
    assert_eq!((read.tool.as_str(), shown(&read).as_str()), ("[", "x:1"));
}

#[test]
fn what_nobody_describes_is_unverified_where_it_asks() {
    let tool = tool(json!({
        "x-grammar": {"unknown": "ask"},
        "commands": {"put": {
            "description": "Put", "arguments": [{"name": "x", "type": "string", "required": false}],
            "options": [{"name": "all", "flags": ["-a"], "type": "boolean"}],
        }},
    }));
    let check = |line: &str, want: &[&str]| assert_eq!(unverified(&read(&tool, line)), want, "{line}");
    check("put -a 1", &[]);
    check("put --nope 1", &["--nope option"]);
    check("put -ax", &["-ax option"]);
    check("put 1 2 -- -3", &["2 word", "-3 option"]);
    check("nope put", &["nope word", "put word"]);
    check("put --help -a x", &["--help option", "-a word", "x word"]);
    assert!(read(&tool, "put -h").asks_help);
}

#[test]
fn what_a_file_says_is_unverified() {
    let tool = plain(json!({
        "x-grammar": {"responseFiles": "@"},
        "arguments": [{"name": "file", "type": "file", "variadic": true, "required": false}],
        "options": [{"name": "out", "flags": ["-o"], "type": "string"}],
    }));
    let check = |line: &str, want: &[&str]| assert_eq!(unverified(&read(&tool, line)), want, "{line}");
    check("a b", &[]);
    check("a @b -o@c -o @d", &["@c file", "@d file", "@b file"]);
    check("@a -- @b", &["@a file"]);
}

#[test]
fn a_command_inside_is_told_without_what_ends_it() {
    let inner = |words: &[&str], open| Inner {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        open,
    };
    let find = plain(json!({
        "x-grammar": {"style": "find"},
        "arguments": [{"name": "path", "type": "file", "variadic": true, "required": false}],
        "options": [
            {"name": "exec", "flags": ["-exec"], "type": "string", "x-takes": {"until": [";", "{} +"]}, "x-command": true},
            {"name": "open", "flags": ["("], "type": "boolean"},
            {"name": "close", "flags": [")"], "type": "boolean"},
        ],
    }));
    let given = read(&find, "'(' -exec rm -f {} ';' ')' -exec ls {} +");
    assert_eq!(
        given.inner,
        [inner(&["rm", "-f", "{}"], false), inner(&["ls", "{}"], false)]
    );
    assert_eq!(given.words, []);

    let words = json!({
        "x-grammar": {"style": "posix"},
        "arguments": [{
            "name": "command", "type": "string", "variadic": true, "required": false,
            "x-command": true, "x-assigns": true,
        }],
    });
    let env = plain(words);
    let given = read(&env, "TZ=UTC LD_PRELOAD=x git -c A=1");
    assert_eq!(given.inner, [inner(&["git", "-c", "A=1"], false)]);
    assert_eq!(unverified(&given), ["LD_PRELOAD=x variable"]);
    let assigned =
        [("TZ", "UTC"), ("LD_PRELOAD", "x")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(given.assigned, assigned);
    assert_eq!(read(&env, "A=1").inner, []);

    let xargs = plain(json!({
        "x-grammar": {"style": "posix"},
        "options": [{"name": "null", "flags": ["-0"], "type": "boolean"}],
        "arguments": [
            {"name": "command", "type": "string", "variadic": true, "required": false, "x-command": "input"},
        ],
    }));
    let given = read(&xargs, "-0 rm -rf");
    assert_eq!(given.inner, [inner(&["rm", "-rf"], true)]);
    assert_eq!(unverified(&given), ["rm input"]);
    assert_eq!(unverified(&read(&xargs, "-0")), [] as [&str; 0]);

    let exec = plain(json!({"arguments": [
        {"name": "pod", "type": "string"},
        {"name": "command", "type": "string", "variadic": true, "required": false, "x-command": true, "x-last": true},
    ]}));
    assert_eq!(read(&exec, "web -- ls -l").inner, [inner(&["ls", "-l"], false)]);
    assert!(read_as(&exec, Voice::Settled, "web ls").is_err());
}

#[test]
fn assignments_may_have_an_argument_of_their_own() {
    let make = plain(json!({"arguments": [
        {"name": "goal", "type": "string", "variadic": true, "required": false, "x-assigns": true},
    ]}));
    let given = read(&make, "all CC=x LANG=C LC_ALL=C ./a=b");
    assert_eq!(unverified(&given), ["CC=x variable"]);
    let sudo = plain(json!({"x-grammar": {"style": "posix"}, "arguments": [
        {"name": "set", "type": "string", "variadic": true, "required": false, "x-assigns": true},
        {"name": "command", "type": "string", "variadic": true, "required": false, "x-command": true},
    ]}));
    let given = read(&sudo, "A=1 ls B=2");
    assert_eq!(shown(&given), "set:A=1 command:ls command:B=2");
    assert_eq!(given.inner[0].words, ["ls", "B=2"]);
    let docker = plain(json!({"options": [
        {"name": "env", "flags": ["-e"], "type": "string", "variadic": true, "x-assigns": true},
    ]}));
    assert_eq!(
        unverified(&read(&docker, "-e A=1 -e TZ=x -e TOKEN")),
        ["A=1 variable", "TOKEN variable"]
    );
}

#[test]
fn the_text_of_a_program_is_told() {
    let sed = plain(json!({
        "options": [{"name": "expression", "flags": ["-e"], "type": "string", "variadic": true, "x-program": "sed"}],
        "arguments": [{"name": "script", "type": "string", "x-program": "awk"}],
    }));
    let text = |language: &str, text: &str| ProgramText {
        language: language.to_owned(),
        text: text.to_owned(),
    };
    assert_eq!(
        read(&sed, "-es/a/b/ -e 'w x' 1").programs,
        [text("sed", "s/a/b/"), text("sed", "w x"), text("awk", "1")]
    );
}

#[test]
fn an_option_takes_the_place_of_an_argument() {
    let grep = plain(json!({
        "options": [{"name": "regexp", "flags": ["-e", "--regexp"], "type": "string"}],
        "arguments": [
            {"name": "pattern", "type": "string", "required": false, "x-program": "sed", "x-unless": ["regexp"]},
            {"name": "path", "type": "file", "variadic": true, "required": false},
        ],
    }));
    let check = |line: &str, want: &str| assert_eq!(shown(&read(&grep, line)), want, "{line}");
    check("x a b", "pattern:x path:a path:b");
    check("-e x a b", "regexp=x path:a path:b");
    check("a b --regexp=x", "regexp=x path:a path:b");
    assert!(read(&grep, "a -ex").programs.is_empty());
    assert_eq!(read(&grep, "-- -ex").programs.len(), 1);
}
