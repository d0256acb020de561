//! Secrets that an agent types: nowhere in what is kept or told, told by name to whoever decides, and still what runs.

use std::fs;
use std::path::Path;

use argrail_testkit::Home;
use argrail_testkit::mcp::Client;
use serde_json::{Value, json};

use super::ground::{approve, asks, call, connect, deny, envelope, home, question, runs, said, start, waits};
use crate::ARGRAIL;

const SECRET: &str = "correct-horse-battery-77";
const QUOTED: &str = "pa\"ss wo$rd'9";

/// A home whose environment holds secrets.
fn keeping() -> Home {
    home()
        .env("DEPLOY_TOKEN", SECRET)
        .env("PGPASSWORD", QUOTED)
        .env("DATABASE_URL", "postgres://me:swordfish-in-url@db.test/x")
}

/// The secret in every spelling that a command can hold: as a shell reads it, in JSON, in a URL, in Base64.
const SPELLINGS: [&str; 7] = [
    "correct-horse-battery-77",
    "'correct-horse-battery-77'",
    "correct-horse''-bat\"tery\"-77",
    "correct\\-horse-battery\\-77",
    "'{\"a\":[\"correct-horse-battery-77\"]}'",
    "x?a=correct-horse-battery-77&b",
    "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5LTc3",
];

/// What of the secrets must stand nowhere.
const TRACES: [&str; 7] = [
    "correct-horse",
    "battery",
    "tery\"-77",
    "Y29ycmVjdC1ob3JzZS1",
    "wo$rd",
    "wo%24rd",
    "swordfish",
];

#[track_caller]
fn is_clean(text: &str) {
    for trace in TRACES {
        assert!(!text.contains(trace), "{trace} in {text}");
    }
}

/// Sees that no file of ours holds a trace.
#[track_caller]
fn nothing_is_kept(home: &Home) {
    fn each(directory: &Path, look: &mut dyn FnMut(&Path, &[u8])) {
        for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => each(&entry.path(), look),
                false => look(&entry.path(), &fs::read(entry.path()).unwrap()),
            }
        }
    }
    let mut files = 0;
    each(&home.state(), &mut |path, bytes| {
        files += 1;
        let text = String::from_utf8_lossy(bytes);
        for trace in TRACES {
            let at = text.find(trace);
            let around = at.map(|at| text.get(at.saturating_sub(200)..at + 60));
            assert_eq!(around, None, "{trace} in {path:?}");
        }
    });
    assert!(files > 0);
}

#[test]
fn however_it_is_spelt_and_whatever_becomes_of_the_call() {
    let home = keeping();
    let mut client = Client::new(home.spawn(ARGRAIL, &["serve", "--wait", "0s"]));
    client.initialize();
    for secret in SPELLINGS {
        for command in [
            format!("touch {secret}"),
            format!("ls {secret}"),
            format!("cat --no-such-option={secret}"),
            format!("no-such-tool {secret}"),
            format!("curl --header \"X-Key: {secret}\" http://a.test/"),
            format!("echo 'unclosed {secret}"),
            format!("x-output {secret}"),
            format!("help {secret}"),
            format!("x-argrail path {secret}"),
            format!("x-search {secret}"),
            format!("rm -r {secret} {secret}"),
            format!("sh -c \"echo {secret}\""),
        ] {
            is_clean(&client.call(&command).to_string());
        }
        let touch = format!("touch {secret}");
        is_clean(&call(&home, &touch).to_string());
        is_clean(&home.run(ARGRAIL, &["why", "--json", "--", &touch]).to_string());
        is_clean(&home.run(ARGRAIL, &["why", "--", &touch]).to_string());
    }
    for command in [
        "psql --password='pa\"ss wo$rd'\\''9' x",
        "ls \"pa\\\"ss wo\\$rd'9\"",
        "ls postgres://me:swordfish-in-url@db.test/",
        "ls swordfish-in-url",
        "ls pa%22ss%20wo%24rd%279",
    ] {
        is_clean(&client.call(command).to_string());
    }
    is_clean(&client.finish().stderr);
    nothing_is_kept(&home);
    for format in ["json", "csv", "ocsf"] {
        is_clean(
            &home
                .run(ARGRAIL, &["audit", "export", "--format", format])
                .to_string(),
        );
    }
    is_clean(&home.run(ARGRAIL, &["audit", "show"]).to_string());
    is_clean(&home.run(ARGRAIL, &["approvals", "--json"]).to_string());
    assert_eq!(home.run(ARGRAIL, &["audit", "verify"]).exit, Some(0));
}

#[test]
fn whoever_decides_sees_which_secret_it_is_and_a_yes_holds_for_its_words() {
    let home = keeping();
    let id = asks(&call(&home, "touch correct-horse''-battery-77"));
    let shown = question(&home, &id).shown;
    assert_eq!(shown["argv"][1], "[secret:DEPLOY_TOKEN]", "{shown:#}");
    assert_eq!(shown["words"][0], "[secret:DEPLOY_TOKEN]");
    // A grant would keep it.
    assert_eq!(shown["suggest"], Value::Null);
    assert!(shown.get("scope").is_none(), "{shown:#}");
    // The mark is no word that could be agreed to in its place, and another word is another call.
    let other = asks(&call(&home, "touch '[secret:DEPLOY_TOKEN]'"));
    assert_ne!(other, id);
    assert_ne!(asks(&call(&home, "touch another-word")), id);
    approve(&home, &id);
    let run = call(&home, &format!("touch {SECRET}"));
    runs(&run);
    assert_eq!(said(&home, SECRET).as_deref(), Some(""), "the real words ran");
    is_clean(&run.to_string());
    nothing_is_kept(&home);
    let log = fs::read_to_string(home.state().join("argrail/audit/audit-log.jsonl")).unwrap();
    assert!(log.contains("[secret:DEPLOY_TOKEN]"));
}

#[test]
fn it_is_in_no_message_to_a_client_and_in_no_notice() {
    let home = keeping();
    let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" >> told\n";
    let home = home.tool("tell", script);
    let told = home.work().join("told");
    let tell = home.bin().join("tell");
    let config = json!({"notify": {"command": ["/bin/sh", "-c", format!("cd {} && {} \"$@\"", home.work().display(), tell.display()), "sh", "{summary}"]}});
    let home = home.config(&config.to_string());
    let mut client = connect(&home, &json!({"elicitation": {}}));
    let call = start(&mut client, "touch correct-horse-'battery-77'");
    let form = client.asked("elicitation/create");
    is_clean(&form.to_string());
    assert!(form.to_string().contains("[secret:DEPLOY_TOKEN]"), "{form:#}");
    // What a client says does not count; a person's no does.
    let id = waits(&mut client);
    deny(&home, &id, "no");
    let envelope = envelope(&mut client, call);
    is_clean(&envelope.to_string());
    assert_eq!(envelope["_meta"]["command"], "touch [secret:DEPLOY_TOKEN]'");
    for told in client.notifications() {
        // The token of a call is the client's own.
        is_clean(&told["params"]["message"].to_string());
    }
    is_clean(&client.finish().stderr);
    is_clean(&fs::read_to_string(told).unwrap());
    nothing_is_kept(&home);
}

#[test]
fn output_that_is_cut_and_kept_is_without_it() {
    let long = format!("{}\n{SECRET}\n{}", "x".repeat(70_000), "y".repeat(1_000));
    let home = keeping().file("long", &long);
    let run = call(&home, "cat long");
    runs(&run);
    is_clean(&run.to_string());
    let id = run.json()["data"]["output"].as_str().unwrap().to_owned();
    let page = call(&home, &format!("x-output {id} --offset 69990"));
    runs(&page);
    is_clean(&page.to_string());
    assert!(page.to_string().contains("[redacted]"), "{page}");
    nothing_is_kept(&home);
}

#[test]
fn the_beginning_of_a_secret_does_not_stay_where_a_text_is_cut() {
    let home = keeping();
    // A message quotes 240 characters of a command, an envelope repeats 1,000, a record keeps more.
    for length in [238, 230, 225, 998, 985, 975] {
        let padding = "x".repeat(length - "touch ".len() - 10);
        is_clean(&call(&home, &format!("touch {padding} {SECRET}")).to_string());
        is_clean(&call(&home, &format!("no-such-{padding} {SECRET}")).to_string());
    }
    nothing_is_kept(&home);
}
