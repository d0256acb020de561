//! Lines that were written for a shell: refused before anything is judged, by every way that takes a line. Words pass.

use std::fs;

use argrail_testkit::Home;
use serde_json::Value;

use super::ground::{call, connect, envelope, home};
use crate::ARGRAIL;

/// Lines that mean something else in a shell, and what is told of them.
const LINES: [(&str, &str); 22] = [
    (
        "rm -rf dist && cp -r src docs",
        "'&&' at position 13 joins two commands",
    ),
    (
        "rm -rf dist || cp -r src docs",
        "'||' at position 13 joins two commands",
    ),
    (
        "rm -rf dist; cp -r src docs",
        "';' at position 12 joins two commands",
    ),
    (
        "rm -rf dist ;cp -r src docs",
        "';' at position 13 joins two commands",
    ),
    (
        "rm -rf dist\ncp -r src docs",
        "a line break at position 13 ends a command",
    ),
    ("rm -rf dist # src docs", "'#' at position 13 begins a comment"),
    ("echo x >> f", "'>>' at position 8 redirects"),
    ("echo x > f", "'>' at position 8 redirects"),
    ("echo x >f", "'>f' at position 8 redirects"),
    ("echo x 2> f", "'2>' at position 8 redirects"),
    ("echo x 2>&1", "'2>&1' at position 8 redirects"),
    ("echo x 2>/dev/null", "'2>/dev/null' at position 8 redirects"),
    ("echo x &> f", "'&>' at position 8 redirects"),
    ("cat < f", "'<' at position 5 redirects"),
    ("cat <<EOF", "'<<EOF' at position 5 redirects"),
    ("ls | wc", "'|' at position 4 pipes"),
    ("ls |& wc", "'|&' at position 4 pipes"),
    ("ls &", "'&' at position 4 puts a command into the background"),
    ("ls src&", "'&' at position 7 puts a command into the background"),
    (
        "echo http://h/?a=1&b=2",
        "'&' at position 19 puts a command into the background",
    ),
    ("grep -E a|b src/a", "'|' at position 10 pipes"),
    ("A=1 ls", "'A=' at position 1 sets a variable"),
];

fn project() -> Home {
    home().file("dist/a", "a").file("src/a", "a").file("docs/a", "a")
}

#[track_caller]
fn is_refused(answer: &Value, line: &str, told: &str) {
    let error = &answer["error"];
    assert_eq!(error["code"], "PARSE_ERROR", "{line}: {answer:#}");
    assert_eq!(error["reason"], "shell_syntax", "{line}: {answer:#}");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.starts_with(&format!("Failed to parse command: {told}"))
            && message.ends_with("in a shell, and there is no shell here"),
        "{line}: {message}"
    );
    let hint = error["hint"].as_str().unwrap();
    assert!(
        hint.starts_with("Check command syntax: there is no shell; "),
        "{line}: {hint}"
    );
}

#[test]
fn a_line_for_a_shell_is_refused_before_anything_is_judged() {
    let home = project();
    let mut client = connect(&home, &[]);
    for (line, told) in LINES {
        is_refused(&envelope(&client.call(line)), line, told);
    }
    // Nobody was asked, and nothing happened.
    let pending = home.run(ARGRAIL, &["approvals", "--json"]).json();
    assert_eq!(pending["data"]["pending"], serde_json::json!([]), "{pending:#}");
    for file in ["dist/a", "src/a", "docs/a"] {
        assert!(home.work().join(file).exists(), "{file}");
    }
    assert!(!home.work().join("f").exists());
}

#[test]
fn every_way_that_takes_a_line_refuses_it() {
    let home = project();
    let line = "rm -rf dist && cp -r src docs";
    let told = LINES[0].1;
    let called = call(&home, line);
    assert_eq!(called.exit, Some(2), "{called}");
    is_refused(&called.json(), line, told);
    let example = &called.json()["error"]["examples"];
    assert_eq!(
        *example,
        serde_json::json!(["rm -rf dist", "cp -r src docs"]),
        "{called}"
    );
    let typed = home.run_with_input(ARGRAIL, &["repl"], format!("{line}\n"));
    assert!(typed.stdout.contains("there is no shell here"), "{typed}");
    let why = home.run(ARGRAIL, &["why", "--json", line]);
    assert_eq!(why.exit, Some(2), "{why}");
    is_refused(&why.json(), line, told);
    // The record knows which command it was.
    let last = super::ground::record(&home).pop().unwrap()["metadata"].take();
    assert_eq!(last["error_code"], "PARSE_ERROR", "{last:#}");
    assert_eq!(last["parsed_command"], "rm", "{last:#}");
}

#[test]
fn what_is_quoted_or_already_words_is_text() {
    let home = project();
    let printed = |line: &str| {
        let run = call(&home, line);
        run.json()["data"]["stdout"]
            .as_str()
            .unwrap_or_else(|| panic!("{run}"))
            .to_owned()
    };
    assert_eq!(
        printed("echo 'a && b' \\; \"> f\" '#1' A=1 'x\ny'"),
        "a && b ; > f #1 A=1 x\ny\n"
    );
    assert_eq!(printed("echo 'http://h/?a=1&b=2'"), "http://h/?a=1&b=2\n");
    assert_eq!(printed("echo ( ! )"), "( ! )\n");
    assert_eq!(printed("find src ( -name a -o ! -type f ) -type f"), "src/a\n");
    assert_eq!(printed("\necho a \\\n b\n"), "a b\n");
    let run = home.run(ARGRAIL, &["run", "--", "echo", "a", "&&", ">", "f;"]);
    assert_eq!((run.exit, run.stdout.as_str()), (Some(0), "a && > f;\n"), "{run}");
    assert!(
        fs::read_dir(home.work()).unwrap().count() == 3,
        "nothing was written"
    );
}

/// Files that only a shell could name, and what is told of them.
const UNNAMED: [(&str, &str); 7] = [
    ("rm -f *.log", "'*.log' at position 7 stands for names of files"),
    ("rm -f a.lo?", "'a.lo?' at position 7 stands for names of files"),
    (
        "rm -f [ab].log",
        "'[ab].log' at position 7 stands for names of files",
    ),
    (
        "rm -f {a,b}.log",
        "'{a,b}.log' at position 7 stands for several words",
    ),
    (
        "rm -f $D/a.log",
        "'$D/a.log' at position 7 stands for the value of a variable",
    ),
    (
        "rm -f ~/a.log",
        "'~/a.log' at position 7 stands for a home directory",
    ),
    (
        "nice rm -f *.log",
        "'*.log' at position 12 stands for names of files",
    ),
];

#[test]
fn a_file_that_only_a_shell_could_name_is_refused_and_nobody_is_asked() {
    let home = project().file("a.log", "a").file("b.log", "b");
    let mut client = connect(&home, &[]);
    for (line, told) in UNNAMED {
        is_refused(&envelope(&client.call(line)), line, told);
        let called = call(&home, line);
        assert_eq!(called.exit, Some(2), "{called}");
        is_refused(&called.json(), line, told);
        is_refused(&home.run(ARGRAIL, &["why", "--json", line]).json(), line, told);
    }
    let hint = call(&home, UNNAMED[0].0).json()["error"]["hint"].take();
    assert_eq!(
        hint,
        "Check command syntax: there is no shell; write the names out, one word each; if it is meant literally, quote the word: '*.log'"
    );
    let pending = home.run(ARGRAIL, &["approvals", "--json"]).json();
    assert_eq!(pending["data"]["pending"], serde_json::json!([]), "{pending:#}");
}

#[test]
fn words_that_are_no_files_and_names_that_are_there_are_not_a_shells() {
    let home = project().file("a.log", "line a1b\n").file("x*", "star\n");
    let printed = |line: &str| {
        let run = call(&home, line);
        let said = run.json()["data"]["stdout"].as_str().map(str::to_owned);
        said.unwrap_or_else(|| panic!("{run}"))
    };
    assert_eq!(printed("find . -name *.log"), "./a.log\n");
    assert_eq!(printed("grep a.*b a.log"), "line a1b\n");
    assert_eq!(printed("echo *.log {a,b} $HOME ~"), "*.log {a,b} $HOME ~\n");
    assert_eq!(printed("cat x*"), "star\n");
    // In quotes it is a name, and asks as any other does.
    let asks = call(&home, "rm -f '*.log'").json();
    assert_eq!(asks["error"]["reason"], "approval_required", "{asks:#}");
    // A person's own shell has been there before.
    let run = home.run(ARGRAIL, &["run", "--", "cat", "*.log"]);
    assert!(!run.stdout.contains("shell"), "{run}");
}
