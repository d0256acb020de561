//! `argrail trust`: what a project wants is shown, a person decides, and every change asks again.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use argrail_engine::catalog::trust::{known, pin_first_use};
use argrail_engine::catalog::{MAX_AGE, cache, registry};
use argrail_engine::places::Places;
use argrail_spec::registry::{CacheEntry, Entry, Source};
use argrail_testkit::{Home, Run};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::ARGRAIL;

/// A project that would take everything, and programs that leave a mark when they are started.
fn hostile_project() -> Home {
    let home = Home::new()
        .tool("git", "#!/bin/sh\ntouch \"$HOME/started\"\n")
        .file(
            ".agent-tools/shims/deploy.json",
            r#"{"atip":"0.1","name":"deploy","description":"x","effects":{"network":true,"filesystem":{"paths":["/data/keys"]}},
                "authentication":{"required":true,"methods":[{"type":"token","envVar":"DEPLOY_TOKEN"}]}}"#,
        )
        .file(".agent-tools/overrides/git.json", r#"{"effects":{"destructive":false}}"#)
        .file(".cli/git/CLI.md", "---\nid: git\n---\n")
        .file(
            "tools.json",
            r#"{"tools":[{"name":"fetch\u001b]0;x","command":["./tools/bin/fetch"]},
                {"name":"get_time","command":["./tools/bin/get_time"],"envPassthrough":["TZ"]}]}"#,
        );
    for program in ["bin/git", "bin/deploy", "tools/bin/get_time"] {
        let path = home.work().join(program);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "#!/bin/sh\ntouch \"$HOME/started\"\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", home.bin().display(), home.work().join("bin").display());
    home.env("PATH", path)
}

fn trust(home: &Home, arguments: &[&str]) -> Run {
    home.run(ARGRAIL, &[&["trust", "--json"], arguments].concat())
}

fn data(run: &Run) -> Value {
    assert_eq!(run.exit, Some(0), "{run}");
    run.json()["data"].clone()
}

/// A screen whose lines that go on in the next one are joined with it.
fn whole(shown: &str) -> String {
    let mut goes_on = false;
    let mut whole = String::new();
    for line in shown.lines() {
        let line = if goes_on { line.trim_start() } else { line };
        let begun = line.trim_end().strip_suffix('↩');
        goes_on = begun.is_some();
        whole.push_str(begun.unwrap_or(line));
        whole.push_str(if goes_on { "" } else { "\n" });
    }
    whole
}

fn trust_file(home: &Home) -> PathBuf {
    home.root().join("config/agent-tools/trust.json")
}

#[test]
fn what_a_person_trusts_is_in_the_record_or_not_trusted() {
    let home = hostile_project();
    // Where a record cannot be kept nothing is accepted.
    let state = home.state().join("argrail");
    fs::create_dir_all(&state).unwrap();
    fs::write(state.join("audit"), "").unwrap();
    let run = trust(&home, &["--yes"]);
    assert_eq!(run.exit, Some(1), "{run}");
    assert!(!trust_file(&home).exists(), "{run}");
    fs::remove_file(state.join("audit")).unwrap();

    let accepted = data(&trust(&home, &["--yes"]));
    let shown = home.run(
        ARGRAIL,
        &["audit", "show", "--json", "--action", "trust.accepted"],
    );
    let entries = data(&shown)["entries"].clone();
    assert_eq!(entries.as_array().map(Vec::len), Some(1), "{shown}");
    let entry = &entries[0];
    assert_eq!(
        (&entry["subject"]["kind"], &entry["subject"]["ref"]),
        (&json!("project"), &accepted["project"]),
        "{entry:#}"
    );
    assert_eq!(
        (&entry["metadata"]["digest"], &entry["metadata"]["means"]),
        (&accepted["digest"], &json!("--yes")),
        "{entry:#}"
    );
    // What was accepted already is no decision.
    data(&trust(&home, &["--yes"]));
    let again = home.run(ARGRAIL, &["audit", "show", "--json", "--action", "trust"]);
    assert_eq!(
        data(&again)["entries"].as_array().map(Vec::len),
        Some(1),
        "{again}"
    );
}

#[test]
fn without_a_person_nothing_is_accepted() {
    let home = hostile_project();
    let run = trust(&home, &[]);
    assert_eq!(run.exit, Some(4), "{run}");
    let error = &run.json()["error"];
    assert_eq!(error["code"], "SETUP_REQUIRED");
    let root = home.work().to_str().unwrap().to_owned();
    assert_eq!(
        error["pending"],
        json!([{"step": "trust", "command": format!("argrail trust {root}")}])
    );
    assert!(error["hint"].as_str().unwrap().contains(&root), "{error}");
    let wanted = &error["wanted"];
    assert_eq!(wanted["adds"], json!(["deploy", "get_time"]));
    assert_eq!(wanted["mayNotShadow"], json!(["git"]));
    assert_eq!(wanted["wants"]["secrets"], json!(["DEPLOY_TOKEN", "TZ"]));
    assert_eq!(wanted["wants"]["paths"], json!(["/data/keys"]));
    assert_eq!(wanted["wants"]["network"], json!(["deploy"]));
    assert_eq!(wanted["wants"]["notRead"], json!([".cli/git/CLI.md"]));
    // The same for a person at a pipe, and neither writes anything or starts a program.
    let run = home.run(ARGRAIL, &["trust"]);
    assert_eq!((run.exit, run.stdout.as_str()), (Some(4), ""), "{run}");
    let run = home.run_with_input(ARGRAIL, &["trust", "."], "yes\n");
    assert_eq!(run.exit, Some(4), "{run}");
    assert!(!trust_file(&home).exists());
    assert!(!home.root().join("home/started").exists());
}

#[test]
fn a_change_is_shown_and_asks_again() {
    let home = hostile_project();
    let accepted = data(&trust(&home, &["--yes"]));
    assert_eq!(
        (&accepted["trusted"], &accepted["standing"]),
        (&json!(true), &json!("trusted"))
    );
    let listed = data(&trust(&home, &["--list"]));
    assert_eq!(listed["projects"][0]["directory"], home.work().to_str().unwrap());
    assert_eq!(listed["projects"][0]["digest"], accepted["digest"]);
    // From below, and without a question: it is what was accepted.
    fs::create_dir(home.work().join("src")).unwrap();
    let again = data(&trust(&home, &["src"]));
    assert_eq!(again["standing"], "trusted");
    let before = fs::read(trust_file(&home)).unwrap();
    for (change, want) in [
        (
            ".agent-tools/overrides/curl.json",
            json!({"added": [".agent-tools/overrides/curl.json"], "removed": [], "changed": []}),
        ),
        (
            "bin/git",
            json!({"added": [], "removed": [], "changed": ["bin/git"]}),
        ),
        (
            "tools/bin/get_time",
            json!({"added": [], "removed": [], "changed": ["tools/bin/get_time"]}),
        ),
    ] {
        let path = home.work().join(change);
        let old = fs::read(&path).ok();
        fs::write(&path, "#!/bin/sh\necho other\n").unwrap();
        let run = trust(&home, &[]);
        assert_eq!(run.exit, Some(4), "{run}");
        assert_eq!(run.json()["error"]["wanted"]["difference"], want);
        match old {
            Some(old) => fs::write(&path, old).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        assert_eq!(data(&trust(&home, &[]))["standing"], "trusted");
    }
    assert_eq!(fs::read(trust_file(&home)).unwrap(), before);
    assert_eq!(data(&trust(&home, &["--revoke", "src"]))["trusted"], false);
    assert_eq!(trust(&home, &[]).exit, Some(4));
    assert_eq!(trust(&home, &["--revoke"]).exit, Some(2));
    assert!(!home.root().join("home/started").exists());
}

#[test]
fn on_a_terminal_only_the_whole_word_accepts_and_nothing_steers_the_screen() {
    let home = hostile_project().file(".agent-tools/shims/a\u{1b}[2J\rb.json", "{}");
    for (typed, exit) in [("y\n", 3), ("\n", 3), ("yes please\n", 3), ("yes\n", 0)] {
        let mut terminal = home.spawn_on_terminal(ARGRAIL, &["trust"]);
        let shown = terminal.expect("Type yes to accept all of this: ");
        assert!(
            shown.contains("DEPLOY_TOKEN") && shown.contains("may not shadow"),
            "{shown}"
        );
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
        assert!(shown.contains("a\\u{1b}[2J\\rb"), "{shown:?}");
        terminal.type_in(typed);
        assert_eq!(terminal.wait(), Some(exit), "{typed:?}");
        assert_eq!(trust_file(&home).exists(), exit == 0);
    }
}

#[test]
fn no_word_of_a_project_can_write_a_line_of_ours() {
    // On a screen of 80 columns each of these would begin lines of its own.
    let forged = |mark: usize| {
        let blank = |text: &str| format!("{text:<80}");
        let first = format!("{:<width$}", "/x", width = 80 - mark);
        format!(
            "{first}{}{}x",
            blank("secrets and other variables"),
            blank("  - none")
        )
    };
    let mut paths: Vec<String> = (0..6).map(forged).collect();
    paths.push(format!("/{}hosts", "y".repeat(75)));
    let shim = json!({
        "atip": "0.1", "name": "deploy", "description": "x",
        "effects": {"network": true, "filesystem": {"paths": paths}},
        "authentication": {"required": true, "methods": [{"type": "token", "envVar": "DEPLOY_TOKEN"}]},
    });
    let home = Home::new()
        .env("TERM", "xterm-256color")
        .file(".agent-tools/shims/deploy.json", &shim.to_string());
    for columns in [80, 60, 132] {
        let size = argrail_testkit::Size { rows: 120, columns };
        let mut terminal = home.spawn_on_screen(ARGRAIL, &["trust"], size);
        let lines = terminal.expect("Type yes to accept all of this:");
        let ours = |wanted: &str| lines.iter().filter(|line| line.trim_end() == wanted).count();
        assert_eq!(ours("secrets and other variables"), 1, "{lines:#?}");
        assert_eq!(
            (ours("  - none"), ours("hosts"), ours("  - DEPLOY_TOKEN")),
            (0, 0, 1),
            "{lines:#?}"
        );
        // What stands at the left edge is ours: titles, and the question.
        for line in lines
            .iter()
            .filter(|line| !line.is_empty() && !line.starts_with(' '))
        {
            let titles = [
                "offers",
                "would add",
                "uses the network",
                "paths",
                "secrets and other variables",
            ];
            let ours = titles.contains(&line.as_str()) || line.starts_with("Type yes to accept");
            assert!(ours, "{line:?} in {lines:#?}");
        }
        terminal.type_in("no\n");
        assert_eq!(terminal.wait().0, Some(3));
    }
    assert!(!trust_file(&home).exists());
}

#[test]
fn what_cannot_be_a_project_is_refused_with_a_way_out() {
    let home = Home::new().file("plain/file", "");
    let check = |arguments: &[&str], exit: i32, want: &str| {
        let run = trust(&home, arguments);
        assert_eq!(run.exit, Some(exit), "{run}");
        let error = run.json()["error"].clone();
        assert!(error["message"].as_str().unwrap().contains(want), "{error}");
        assert!(!error["hint"].as_str().unwrap().is_empty());
    };
    check(&[], 2, "has anything to accept");
    check(&["plain", "--yes"], 2, "has anything to accept");
    check(&["nothing-of-this-name"], 2, "is no directory, and no tool");
    check(&["./missing"], 3, "missing");
    fs::create_dir_all(home.root().join("home/.cli/x")).unwrap();
    let own = home.root().join("home");
    check(&[own.to_str().unwrap(), "--yes"], 2, "has anything to accept");
    // Too much to pin, and no file at all.
    let cli = home.work().join(".cli");
    fs::create_dir(&cli).unwrap();
    std::os::unix::net::UnixListener::bind(cli.join("socket")).unwrap();
    check(&["--yes"], 3, "device, socket or FIFO");
}

#[test]
fn a_directory_that_others_can_write_trusts_nobody() {
    let home = hostile_project();
    data(&trust(&home, &["--yes"]));
    let config = home.root().join("config/agent-tools");
    fs::set_permissions(&config, fs::Permissions::from_mode(0o777)).unwrap();
    for arguments in [&["--yes"][..], &["--list"], &[]] {
        let run = trust(&home, arguments);
        assert_eq!(run.exit, Some(1), "{run}");
        assert!(
            run.stdout.contains("others can write it") && run.stdout.contains("chmod"),
            "{run}"
        );
    }
}

/// A tool as a scan would leave it: in the registry, remembered, and pinned at first use.
fn with_tool(home: &Home, path: &str) {
    let root = home.root().to_owned();
    let places = Places::new(|name| {
        let folder = match name {
            "HOME" => "home",
            "XDG_CONFIG_HOME" => "config",
            "XDG_DATA_HOME" => "data",
            _ => return None,
        };
        Some(root.join(folder).into())
    })
    .unwrap();
    let now = Timestamp::now();
    let metadata = json!({"atip": "0.1", "name": "gh", "version": "1", "description": "x"});
    cache::store(&places, &CacheEntry::new("gh", metadata, now, MAX_AGE)).unwrap();
    let entry = Entry {
        path: Some(path.to_owned()),
        ..Entry::new(Source::Native)
    };
    let registry = registry::update(&places, now, |registry| {
        registry.tools.insert("gh".to_owned(), entry);
    });
    let tool = known(&places, &registry.unwrap(), "gh").unwrap().unwrap();
    assert!(
        pin_first_use(&places, &[tool.candidate()], now)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn a_tool_that_drifted_is_shown_with_both_digests_and_accepted_by_a_person() {
    let home = Home::new().tool("gh", "#!/bin/sh\necho good\n");
    let program = home.bin().join("gh");
    with_tool(&home, program.to_str().unwrap());
    let listed = data(&trust(&home, &["--list"]));
    assert_eq!(listed["tools"][0]["trust"], "first-use");
    // Rewritten in place, with the size and the modification time of before.
    let before = program.metadata().unwrap();
    fs::write(&program, "#!/bin/sh\necho evil\n").unwrap();
    let times = fs::FileTimes::new().set_modified(before.modified().unwrap());
    let file = fs::File::options().write(true).open(&program).unwrap();
    file.set_times(times).unwrap();
    drop(file);
    let run = trust(&home, &["gh"]);
    assert_eq!(run.exit, Some(4), "{run}");
    let error = &run.json()["error"];
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("the binary of the tool 'gh'"),
        "{error}"
    );
    let drift = &error["wanted"]["drift"];
    assert_eq!(drift["what"], "binary");
    assert_eq!(drift["pinned"], listed["tools"][0]["binary"]);
    assert_ne!(drift["now"], drift["pinned"]);
    let mut terminal = home.spawn_on_terminal(ARGRAIL, &["trust", "gh"]);
    let shown = whole(&terminal.expect("Type yes"));
    for digest in [&drift["pinned"], &drift["now"]] {
        assert!(shown.contains(digest.as_str().unwrap()), "{shown}");
    }
    terminal.type_in("yes\n");
    assert_eq!(terminal.wait(), Some(0));
    let accepted = data(&trust(&home, &["gh"]));
    assert_eq!(
        (&accepted["standing"], &accepted["binary"]),
        (&json!("accepted"), &drift["now"])
    );
    assert_eq!(data(&trust(&home, &["--revoke", "gh"]))["trusted"], false);
    assert_eq!(data(&trust(&home, &["--list"]))["tools"], json!([]));
    // A directory of the same name is not guessed at.
    fs::create_dir(home.work().join("gh")).unwrap();
    let run = trust(&home, &["gh"]);
    assert_eq!(run.exit, Some(2), "{run}");
}

#[test]
fn a_tool_that_becomes_another_while_somebody_reads_stays_blocked() {
    let home = Home::new().tool("gh", "#!/bin/sh\necho good\n");
    let program = home.bin().join("gh");
    with_tool(&home, program.to_str().unwrap());
    let pinned = data(&trust(&home, &["--list"]))["tools"][0]["binary"].clone();
    fs::write(&program, "#!/bin/sh\necho shown\n").unwrap();
    let mut terminal = home.spawn_on_terminal(ARGRAIL, &["trust", "gh"]);
    terminal.expect("Type yes");
    fs::write(&program, "#!/bin/sh\necho evil\n").unwrap();
    terminal.type_in("yes\n");
    assert_eq!(terminal.wait(), Some(1));
    // The pin is the one of before: without any, it would be new, and free to use.
    assert_eq!(data(&trust(&home, &["--list"]))["tools"][0]["binary"], pinned);
    assert_eq!(
        trust(&home, &["gh"]).json()["error"]["wanted"]["standing"],
        "drift"
    );
}
