//! What nobody has read is as dangerous as what destroys, so that no wrapping is the easier way.

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{approve, asks, call, grant, home, runs, said};
use crate::ARGRAIL;

/// A home with programs of these names, whatever is installed.
fn with_programs() -> Home {
    let names = [
        "git",
        "python3",
        "make",
        "tar",
        "bash",
        "node",
        "rg",
        "nobody-knows",
    ];
    names.into_iter().fold(home(), |home, name| {
        home.tool(name, "#!/bin/sh\necho ran >> ran\n")
    })
}

fn dangers(home: &Home, command: &str) -> Value {
    let why = home.run(ARGRAIL, &["why", "--json", "--", command]);
    assert_eq!(why.json()["data"]["decision"], "ask", "{command}: {why}");
    why.json()["data"]["dangers"].clone()
}

#[test]
fn wrapping_a_dangerous_call_leaves_it_dangerous() {
    let home = with_programs().file("w.sh", "git push --force\n");
    let check = |command: &str, want: Value| assert_eq!(dangers(&home, command), want, "{command}");
    check("git push --force origin main", json!(["destructive"]));
    check("env git push --force origin main", json!(["destructive"]));
    for command in [
        "sh -c 'git push --force'",
        "sh w.sh",
        "bash -c 'git push --force'",
        "env sh -c 'git push --force'",
        "env -S 'git push --force'",
        "env -S git push --force",
        "nice env sh -c 'git push --force'",
        "timeout 5 sh w.sh",
        "nice ./w.sh",
        "python3 -c 'import os'",
        "python3 w.py",
        "node -e x",
        "make",
        "make -f evil.mk",
        "make --eval='all:;git push --force'",
        "tar --to-command='git push --force' -xf a.tar",
        "rg --pre ./w.sh x",
        "xargs -a list git push",
        "env GIT_SSH_COMMAND=./w.sh git push origin main",
        "awk 'BEGIN{system(\"git push --force\")}'",
        "awk 'BEGIN{x=1system(\"git push --force\")}'",
        "sed '1e git push --force' w.sh",
        "nobody-knows",
        "nice nobody-knows",
    ] {
        check(command, json!(["unread"]));
    }
    let nested = dangers(&home, "find . -exec git push --force {} \\;");
    assert!(nested.as_array().unwrap().contains(&json!("unread")), "{nested}");
    for command in [
        "touch a",
        "env touch a",
        "cp a b",
        "git commit -m 'sh -c x'",
        "git push origin main",
    ] {
        check(command, json!([]));
    }
}

#[test]
fn a_grant_covers_what_nobody_has_read_word_for_word_or_where_it_says_so() {
    let home = with_programs();
    let hour = std::time::Duration::from_secs(3600);
    grant(&home, "sh '-c=echo a >> ran' 'host=*'", None, hour);
    runs(&call(&home, "sh -c 'echo a >> ran'"));
    assert_eq!(said(&home, "ran").as_deref(), Some("a\n"));
    asks(&call(&home, "sh -c 'echo b >> ran'"));
    grant(&home, "make '*' 'host=*'", None, hour);
    asks(&call(&home, "make test"));
    grant(&home, "make '*' 'host=*' +unread", None, hour);
    runs(&call(&home, "make test"));
    asks(&call(&home, "make test all"));
}

#[test]
fn a_question_about_it_says_so() {
    let home = with_programs();
    let id = asks(&call(&home, "sh -c 'echo x > out'"));
    let pending = home.run(ARGRAIL, &["approvals", "--json"]).json()["data"]["pending"][0].clone();
    let told = ["unread", "destructive", "billable"].map(|name| pending[name].clone());
    assert_eq!(told, [json!(true), json!(false), json!(false)], "{pending:#}");
    let suggested = pending["suggest"].as_str().unwrap();
    assert!(suggested.ends_with(" +unread"), "{suggested}");
    let shown = home.run(ARGRAIL, &["approvals", &id]);
    for wanted in [
        "    DANGER it runs a text, a program or words that nobody has read\n",
        "  - what it runs may open others, which nobody knows",
    ] {
        assert!(shown.stdout.contains(wanted), "{shown}");
    }
    approve(&home, &id);
    runs(&call(&home, "sh -c 'echo x > out'"));
    assert_eq!(said(&home, "out").as_deref(), Some("x\n"));
}
