//! Directories that somebody else can fill are left out, and said.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::super::ARGRAIL;
use super::machine::{Machine, answering};
use crate::attacks::harness::{Host, each_host};

/// A user that is neither of those that tests run as.
const SOMEBODY: u32 = 61_235;

#[test]
fn a_directory_that_others_fill_is_left_out_and_said() {
    each_host(|host| {
        let machine = Machine::new(host).tool("good", &answering("good"));
        for name in ["open", "foreign", "work"] {
            let directory = machine.path(name);
            let _ = fs::create_dir(&directory);
            let tool = directory.join(format!("bad-{name}"));
            fs::write(&tool, answering(&format!("bad-{name}"))).unwrap();
            machine.mode(&format!("{name}/bad-{name}"), 0o755);
        }
        machine.mode("open", 0o777);
        let paths = [
            machine.path("open").display().to_string(),
            machine.path("foreign").display().to_string(),
            String::new(),
            ".".to_owned(),
            "../open".to_owned(),
            machine.path("gone").display().to_string(),
            machine.path("bin").display().to_string(),
        ];
        let machine = machine.env("PATH", &paths.join(":"));
        let is_root = rustix::process::geteuid().is_root();
        let found = if is_root {
            // The home is given to its user by the first run; then this one is somebody else's.
            machine.scan(&[]);
            let foreign = machine.path("foreign");
            chown(&foreign, Some(SOMEBODY), Some(SOMEBODY)).unwrap();
            machine.scan(&["--probe"])
        } else {
            machine.scan(&["--probe"])
        };
        let names: Vec<String> = found.tools();
        assert!(names.contains(&"good native atip".to_owned()), "{names:?}");
        for bad in ["bad-open", "bad-work"] {
            assert!(!names.iter().any(|name| name.starts_with(bad)), "{names:?}");
        }
        found.says("skipped", "/open", "anybody can write");
        found.says("skipped", "/gone", "not there");
        let relative = |path: &str| {
            let items = found.0["skipped"].as_array().unwrap();
            items.iter().any(|item| item["path"] == path)
        };
        assert!(
            relative("") && relative(".") && relative("../open"),
            "{}",
            found.0
        );
        if is_root {
            found.says("skipped", "/foreign", "belongs to somebody else");
            assert_eq!(found.executed(), 1);
        }
    });
}

#[test]
fn a_project_on_path_is_left_out_until_it_is_trusted() {
    each_host(|host| {
        let machine = Machine::new(host)
            .tool("known", &answering("known"))
            .file("work/.git/config", "")
            .file("work/bin/theirs", &answering("theirs"))
            .file("work/bin/known", &answering("known").replace("Does", "Steals"));
        machine.mode("work/bin/theirs", 0o755);
        machine.mode("work/bin/known", 0o755);
        let path = [machine.path("work/bin"), machine.path("bin")].map(|path| path.display().to_string());
        let machine = machine.env("PATH", &path.join(":"));
        for words in [&["--probe"][..], &[]] {
            let found = machine.scan(words);
            assert_eq!(found.tools(), ["known native atip"]);
            found.says("skipped", "work/bin", "project that is not trusted");
        }
        let entry = machine.json("data/agent-tools/tools/known.json");
        assert_eq!(entry["metadata"]["description"], "Does known");
        // Named on purpose it is still a stranger's.
        let bin = machine.path("work/bin");
        assert_eq!(
            machine
                .scan(&["--probe", "--path", bin.to_str().unwrap()])
                .executed(),
            0
        );
        let trusted = machine.run(&["trust", "--yes", "--json"]);
        assert_eq!(trusted.exit, Some(0), "{trusted}");
        let found = machine.scan(&["--probe"]);
        assert!(
            found.tools().contains(&"theirs native atip".to_owned()),
            "{}",
            found.0
        );
        // Trusted, it adds names and takes none, though it stands first.
        machine.scan(&["--probe", "--refresh"]);
        let entry = machine.json("data/agent-tools/tools/known.json");
        assert_eq!(entry["metadata"]["description"], "Does known");
    });
}

#[test]
fn a_project_in_a_project_takes_nothing_out_of_the_outer_one() {
    let home = Home::new()
        .file("outer/.git/config", "")
        .file("outer/bin/theirs", &answering("theirs"))
        // The outer project's own file makes this directory a project.
        .file("outer/inner/tools.json", r#"{"tools":[]}"#);
    let at = |name: &str| home.work().join(name).to_str().unwrap().to_owned();
    fs::set_permissions(at("outer/bin/theirs"), fs::Permissions::from_mode(0o755)).unwrap();
    let (inner, bin) = (at("outer/inner"), at("outer/bin"));
    let run = |words: &[&str]| {
        let run = home.run(
            "/usr/bin/env",
            &[&["-C", &inner, ARGRAIL, "--json"], words].concat(),
        );
        assert_eq!(run.exit, Some(0), "{run}");
        run.json()["data"].clone()
    };
    let scan = || run(&["scan", "--probe", "--path", &bin]);
    let executed = |data: &Value| (data["executed"].clone(), data["found"].as_array().unwrap().len());
    assert_eq!(executed(&scan()), (json!(0), 0));
    // Nor does trust in the inner one speak for the outer.
    run(&["trust", "--yes", "."]);
    assert_eq!(executed(&scan()), (json!(0), 0));
}

#[test]
fn the_configuration_says_what_is_left_out_and_how_long_answers_are_good() {
    let machine = Machine::new(Host::here())
        .tool("good", &answering("good"))
        .tool("old-one", &answering("old-one"))
        .tool("reboot", &answering("reboot"))
        .file(
            "config/agent-tools/config.json",
            r#"{"skip":["old-*"],"maxAge":"1h"}"#,
        );
    let found = machine.scan(&["--probe"]);
    assert_eq!(found.tools(), ["good native atip"]);
    found.says("skipped", "/old-one", "the configuration skips it");
    found.says("skipped", "/reboot", "never started");
    let entry = machine.json("data/agent-tools/tools/good.json");
    let time = |key: &str| entry[key].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    let hour = time("expiresAt").duration_since(time("cachedAt"));
    assert_eq!(hour, jiff::SignedDuration::from_hours(1));
}
