//! Tools that say that they only read, do not, and say nothing when they are stopped: the answer names what they tried
//! all the same. What a program does by habit is told in passing, and fails nothing.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use argrail_testkit::Run;
use serde_json::{Value, json};

use super::ground::{call, home, metadata, search_path, vouched};
use crate::attacks::Server;
use crate::attacks::harness::{Host, Target, each_host};

/// What the machine lacks.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lack {
    Nothing,
    /// Only Landlock and the filter are left.
    Namespaces,
}

/// Whose word the description is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Word {
    Shim,
    Override,
}

/// A machine on which the hostile child is a tool that says that it only reads.
pub(super) fn machine(host: Host, word: Word) -> Target {
    let said = match word {
        Word::Shim => "data/agent-tools/shims/hostile.json",
        Word::Override => "config/agent-tools/overrides/hostile.json",
    };
    let target = Target::new(host)
        .file("home/.ssh/id_test", "the key\n")
        .file("work/note", "hello\n")
        .file(said, &metadata("hostile", &json!({})).to_string());
    let key = target.home().root().join("home/.ssh/id_test");
    fs::set_permissions(key, Permissions::from_mode(0o600)).unwrap();
    let path = search_path(target.home().root().join("programs").as_path());
    target.env("PATH", &path)
}

pub(super) fn start(target: &Target, lack: Lack, words: &[&str]) -> Run {
    target.own();
    let program = target.hostile();
    let mut all = target.start_words();
    if let Lack::Namespaces = lack {
        all.extend([&program, "under", "userns", "--"].map(str::to_owned));
    }
    all.extend(words.iter().map(|word| (*word).to_owned()));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    target.home().run(&program, &all)
}

pub(super) fn called(target: &Target, lack: Lack, command: &str) -> Run {
    start(target, lack, &[&target.path("programs/argrail"), "call", command])
}

/// Sees that a call failed because of what it tried, and that this was seen.
#[track_caller]
fn is_named(run: &Run, act: &str, wanted: &str) {
    let error = &run.json()["error"];
    assert_eq!(error["code"], "EXECUTION_ERROR", "{run}");
    let is_it = |one: &Value| one["act"] == act && one["target"] == wanted && one["inferred"] != true;
    assert!(error["tried"].as_array().unwrap().iter().any(is_it), "{run}");
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("Execution failed: it tried to "), "{run}");
    assert!(error["hint"].as_str().unwrap().contains("'hostile'"), "{run}");
    let output = &error["output"];
    assert!(
        output["stdout"].as_str().unwrap().starts_with("blocked: "),
        "{run}"
    );
    assert_eq!(output["exitCode"], 0, "{run}");
    assert_eq!(output["untrusted"], true, "{run}");
}

/// Each kind of act: the command, what it is called, and its target in the first and the second tier.
const ACTS: &[(&str, &str, [&str; 2])] = &[
    ("write mark x", "write", ["./mark", "./mark"]),
    ("rename note gone", "write", ["./note", "./note"]),
    ("truncate note", "write", ["./note", "./note"]),
    ("link-to note link", "write", ["./link", "./link"]),
    (
        "read ROOThome/.ssh/id_test",
        "read",
        ["~/.ssh/id_test", "~/.ssh/id_test"],
    ),
    ("tcp SERVER", "connect", ["SERVER", "the network"]),
    ("udp SERVER", "connect", ["SERVER", "the network"]),
];

#[test]
fn a_silent_lie_is_named_and_fails() {
    each_host(|host| {
        let server = Server::tcp("127.0.0.1:0");
        let target = machine(host, Word::Shim);
        for (command, act, wanted) in ACTS {
            for (lack, wanted) in [Lack::Nothing, Lack::Namespaces].into_iter().zip(wanted) {
                let fill = |text: &str| {
                    text.replace("ROOT", &target.path(""))
                        .replace("SERVER", &server.address())
                };
                let run = called(&target, lack, &format!("hostile {}", fill(command)));
                is_named(&run, act, &fill(wanted));
            }
        }
        server.nobody_came();
        assert_eq!(target.text("work/note").as_deref(), Some("hello\n"));
        for name in ["mark", "gone", "link"] {
            assert_eq!(target.text(&format!("work/{name}")), None);
        }
    });
}

#[test]
fn what_a_person_vouches_for_is_told_in_passing() {
    let target = machine(Host::here(), Word::Override);
    let run = called(&target, Lack::Nothing, "hostile write mark x");
    let answer = run.json();
    assert_eq!(answer["success"], true, "{run}");
    assert_eq!(
        answer["_meta"]["tried"],
        json!([{"act": "write", "target": "./mark"}]),
        "{run}"
    );
    assert_eq!(answer["message"], Value::Null, "{run}");
    // A connection is no habit: it gets a word.
    let run = called(&target, Lack::Nothing, "hostile tcp 192.0.2.1:80");
    let answer = run.json();
    assert_eq!(answer["success"], true, "{run}");
    assert!(
        answer["message"]
            .as_str()
            .unwrap()
            .starts_with("it tried to reach '192.0.2.1:80'"),
        "{run}"
    );
    // Nobody looks at what it reads.
    let key = target.path("home/.ssh/id_test");
    let run = called(&target, Lack::Nothing, &format!("hostile read {key}"));
    assert_eq!(run.json()["_meta"]["tried"], Value::Null, "{run}");
}

#[test]
fn habits_are_no_lies() {
    let target = machine(Host::here(), Word::Shim).directory("work/__pycache__");
    for command in ["write __pycache__/x.pyc x", "read note", "write /dev/null x"] {
        let run = called(&target, Lack::Nothing, &format!("hostile {command}"));
        let told = run.stdout.contains("it tried");
        assert!(!told, "{run}");
    }
}

#[test]
fn a_failure_of_its_own_is_not_put_down_to_a_habit() {
    let home = vouched(
        home(),
        "tidy",
        "{ echo x > mark; } 2>/dev/null\necho 'no such branch' >&2\nexit 3",
        &json!({}),
    );
    let run = call(&home, "tidy");
    let error = &run.json()["error"];
    assert!(!error["message"].as_str().unwrap().contains("it tried"), "{run}");
    assert_eq!(
        error["tried"],
        json!([{"act": "write", "target": "./mark"}]),
        "{run}"
    );
}
