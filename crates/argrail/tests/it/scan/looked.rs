//! Without `--probe` nothing is started, whatever stands on `PATH`.

use std::fs;

use super::machine::{Machine, answering, metadata};
use crate::attacks::harness::{Host, each_host};

/// A script that leaves a mark whenever it runs.
fn marking(name: &str, machine: &Machine) -> String {
    let mark = machine.path(&format!("home/mark-{name}"));
    format!(
        "#!/bin/sh\n: > {}\n: --agent --help-json schema\n",
        mark.display()
    )
}

#[test]
fn nothing_is_started_without_probe() {
    each_host(|host| {
        let mut machine = Machine::new(host);
        for name in ["one", "two", "three"] {
            let script = marking(name, &machine);
            machine = machine.tool(name, &script);
        }
        machine = machine.tool("silent", "#!/bin/sh\nexit 1\n");
        // No process and no thread can be made by whoever runs this; root alone is not held to it.
        let run = machine.run_from(&["--alone"], &["scan", "--json"]);
        assert_eq!(run.exit, Some(0), "{run}");
        let data = &run.json()["data"];
        assert_eq!(data["executed"], 0);
        assert_eq!(data["programs"], 4);
        let names: Vec<&str> = data["candidates"]
            .as_array()
            .unwrap()
            .iter()
            .map(|candidate| candidate["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["one", "three", "two"]);
        let marks = || fs::read_dir(machine.path("home")).unwrap().flatten().count();
        assert_eq!(marks(), 0);
        // The same limit keeps a probe from starting anything, so it would have been seen.
        if host != Host::Root {
            let run = machine.run_from(&["--alone"], &["scan", "--json", "--probe"]);
            let data = &run.json()["data"];
            assert_eq!(data["executed"], 0, "{run}");
            assert_eq!(data["failed"].as_array().map(Vec::len), Some(4), "{run}");
        }
        // And the scripts do leave marks where they are simply run.
        machine.target.home().run("one", &["--agent"]);
        assert_eq!(marks(), 1);
    });
}

#[test]
fn a_shim_speaks_for_a_program_that_does_not() {
    each_host(|host| {
        let shim = |name: &str| metadata(name);
        let wrong_hash = shim("pinned").replace(
            "\"version\"",
            "\"binary\":{\"hash\":\"sha256:0000000000000000000000000000000000000000000000000000000000000000\"},\"version\"",
        );
        let mut machine = Machine::new(host);
        for name in ["plain", "open", "other", "broken", "pinned", "native"] {
            machine = machine.tool(name, "#!/bin/sh\nexit 1\n");
        }
        let machine = machine
            .tool("native", &answering("native"))
            .file("data/agent-tools/shims/plain.json", &shim("plain"))
            .file("data/agent-tools/shims/open.json", &shim("open"))
            .file("data/agent-tools/shims/other.json", &shim("git"))
            .file("data/agent-tools/shims/broken.json", "{")
            .file("data/agent-tools/shims/pinned.json", &wrong_hash)
            .file("data/agent-tools/shims/native.json", &shim("native"))
            .file("data/agent-tools/shims/absent.json", &shim("absent"));
        machine.mode("data/agent-tools/shims/open.json", 0o666);
        let found = machine.scan(&[]);
        assert_eq!(found.tools(), ["native shim -", "plain shim -"]);
        found.says("skipped", "open.json", "others can write it");
        found.says("skipped", "other.json", "impostor: says it is \"git\"");
        found.says("skipped", "broken.json", "");
        found.says("skipped", "pinned.json", "another file");
        let registry = machine.registry();
        let entry = &registry["tools"]["plain"];
        assert_eq!(entry["source"], "shim");
        assert_eq!(entry["shimPath"], "./shims/plain.json");
        assert_eq!(entry["version"], "1.2");
        assert_eq!(entry["path"], machine.path("bin/plain").to_str().unwrap());
        assert_eq!(registry["tools"].as_object().unwrap().len(), 2);
        // A second look changes nothing, and a word of its own takes the shim's place.
        machine.scan(&[]);
        assert_eq!(machine.registry(), registry);
        let found = machine.scan(&["--probe"]);
        assert_eq!(found.tools(), ["native native atip", "plain shim -"]);
        assert_eq!(machine.registry()["tools"]["native"]["source"], "native");
    });
}

#[test]
fn the_users_own_word_is_enough_and_goes_when_it_is_taken_back() {
    let machine = Machine::new(Host::here())
        .tool("own", "#!/bin/sh\nexit 1\n")
        .tool("part", "#!/bin/sh\nexit 1\n")
        .tool("shimmed", "#!/bin/sh\nexit 1\n")
        .file("config/agent-tools/overrides/own.json", &metadata("own"))
        .file(
            "config/agent-tools/overrides/part.json",
            r#"{"description":"Only this"}"#,
        )
        .file("data/agent-tools/shims/shimmed.json", &metadata("shimmed"));
    assert_eq!(machine.scan(&[]).tools(), ["own manual -", "shimmed shim -"]);
    assert_eq!(machine.registry()["tools"]["own"]["source"], "manual");
    fs::remove_file(machine.path("config/agent-tools/overrides/own.json")).unwrap();
    fs::remove_file(machine.path("data/agent-tools/shims/shimmed.json")).unwrap();
    assert_eq!(machine.scan(&[]).tools(), [""; 0]);
    assert_eq!(machine.registry()["tools"], serde_json::json!({}));
}

#[test]
fn what_is_gone_is_forgotten_by_a_whole_scan() {
    let machine = Machine::new(Host::here())
        .tool("stays", &answering("stays"))
        .tool("goes", &answering("goes"))
        .file("elsewhere/note", "");
    assert_eq!(machine.scan(&["--probe"]).tools().len(), 2);
    let tool = machine.path("data/agent-tools/tools/goes.json");
    assert!(tool.exists());
    fs::remove_file(machine.path("bin/goes")).unwrap();
    // A look at another directory says nothing about this one.
    let elsewhere = machine.path("elsewhere");
    machine.scan(&["--path", elsewhere.to_str().unwrap()]);
    assert!(machine.registry()["tools"]["goes"].is_object());
    assert_eq!(machine.scan(&[]).tools(), ["stays native atip"]);
    assert!(machine.registry()["tools"]["goes"].is_null());
    assert!(!tool.exists());
}

#[test]
fn a_broken_registry_is_kept_aside_and_made_again() {
    let machine = Machine::new(Host::here()).tool("good", &answering("good"));
    machine.scan(&["--probe"]);
    fs::write(machine.path("data/agent-tools/registry.json"), "{").unwrap();
    assert_eq!(machine.scan(&["--probe"]).tools(), ["good native atip"]);
    assert_eq!(machine.registry()["tools"]["good"]["source"], "native");
    assert!(machine.path("data/agent-tools/registry.json.corrupt-1").exists());
}

#[test]
fn a_person_reads_a_table_and_the_next_command() {
    let machine = Machine::new(Host::here()).tool("good", &answering("good"));
    let run = machine.run(&["scan"]);
    assert_eq!(run.exit, Some(0));
    assert!(run.stdout.contains("worth asking (1):"), "{run}");
    assert!(run.stdout.contains("'argrail scan --probe'"), "{run}");
    let run = machine.run(&["scan", "--probe"]);
    assert!(run.stdout.contains("good  native  atip"), "{run}");
    assert_eq!(run.stderr, "", "no bar in a pipe");
    let run = machine.run(&["scan", "--path", "nowhere", "--json"]);
    assert_eq!(run.exit, Some(2), "{run}");
    assert_eq!(run.json()["error"]["code"], "VALIDATION_ERROR");
    assert_eq!(
        machine.run(&["scan", "--jobs", "3"]).exit,
        Some(2),
        "--jobs wants --probe"
    );
}
