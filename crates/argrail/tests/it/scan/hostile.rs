//! Programs that misbehave when they are asked: each is survived, told, and gone afterwards.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use argrail_testkit::{command, with_time_to_begin};

use super::machine::{Machine, answering, metadata, runs};
use crate::attacks::harness::{Host, each_host};

/// A number of seconds that no other process sleeps for.
fn unique(offset: u32) -> String {
    (100_000_000 + std::process::id() * 10 + offset).to_string()
}

/// A script that prints what `printf` makes of this text.
fn printing(format: &str) -> String {
    format!("#!/bin/sh\nprintf '{format}'\n")
}

/// Metadata as `printf` takes it.
fn json(name: &str) -> String {
    metadata(name).replace('%', "%%")
}

#[test]
fn whatever_a_program_does_the_scan_goes_on_and_nothing_is_left() {
    each_host(|host| with_time_to_begin(|time| whatever_happens(host, 8 * time)));
}

/// Nothing comes of it if some that answer had too little time for it.
fn whatever_happens(host: Host, time: Duration) -> Option<()> {
    let (short, longer) = (
        format!("{}ms", time.as_millis()),
        format!("{}ms", time.as_millis() + 100),
    );
    let [holder, daemon, deaf, hang] = [1, 2, 3, 4].map(unique);
    let deep = "#!/bin/sh\nprintf '{\"atip\":\"0.1\",\"name\":\"deep\",\"x\":'\nhead -c 20000 /dev/zero | tr '\\0' '['\n";
    let machine = Machine::new(host)
        .tool("good", &answering("good"))
        // Its answer is there and it is gone; what it left holds the pipe open.
        .tool(
            "holder",
            &format!("#!/bin/sh\nsleep {holder} &\necho '{}'\n", metadata("holder")),
        )
        .tool(
            "daemon",
            &format!(
                "#!/bin/sh\n(setsid sleep {daemon} >/dev/null 2>&1 &)\necho '{}'\n",
                metadata("daemon")
            ),
        )
        .tool(
            "deaf",
            &format!("#!/bin/sh\ntrap '' TERM INT HUP\nwhile :; do sleep {deaf}; done\n"),
        )
        .tool("hang", &format!("#!/bin/sh\nexec sleep {hang}\n"))
        .tool("flood", "#!/bin/sh\nwhile :; do printf '%65536s' x; done\n")
        .tool("deep", deep)
        .tool(
            "twice",
            &printing(&json("twice").replace('{', "{\"name\":\"twice\",")),
        )
        .tool("bytes", &printing(&json("bytes").replace("Does", "\\377")))
        .tool("mark", &printing(&format!("\\357\\273\\277{}", json("mark"))))
        .tool("before", &printing(&format!("Hello\\n{}", json("before"))))
        .tool("after", &printing(&format!("{}\\nBye\\n", json("after"))))
        .tool("failing", &format!("{}exit 3\n", printing(&json("failing"))))
        .tool("impostor", &printing(&json("good")))
        .tool("escape", &printing(&json("../../x")))
        .tool("other", &printing("{\"agent\":true}"))
        .tool("crash", "#!/bin/sh\nkill -SEGV $$\n")
        .tool("asks", "#!/bin/sh\nread answer\n[ -t 0 ] && exit 7\nexit 1\n")
        .tool("odd", "#!/nowhere/interpreter\n");
    assert!(
        command("mkfifo")
            .arg(machine.path("bin/pipe"))
            .status()
            .unwrap()
            .success()
    );
    symlink("nowhere", machine.path("bin/dangling")).unwrap();
    fs::write(machine.path("bin/text"), "no program").unwrap();
    machine.mode("bin/text", 0o755);
    machine.target.own();
    let before = machine.everything_else();
    let found = machine.scan(&["--probe", "--timeout", &short]);
    if found.names("timedOut").len() > 2 {
        return None;
    }
    assert_eq!(
        found.tools(),
        ["daemon native atip", "good native atip", "holder native atip"]
    );
    assert_eq!(found.names("timedOut"), ["deaf", "hang"]);
    for name in ["deep", "twice", "bytes", "mark", "before", "after"] {
        assert!(
            found.reason("invalid", &format!("/{name}")).is_some(),
            "{name}: {}",
            found.0
        );
    }
    found.says("invalid", "/failing", "exit 3");
    found.says("skipped", "/impostor", "impostor: says it is \"good\"");
    found.says("skipped", "/escape", "impostor: says it is \"../../x\"");
    found.says("skipped", "/pipe", "a pipe");
    found.says("skipped", "/dangling", "leads nowhere");
    found.says("failed", "/flood", "wrote more than");
    found.says("failed", "/odd", "not installed");
    found.says("failed", "/text", "neither a program");
    found.says("failed", "/crash", "signal 11");
    for word in [holder, daemon, deaf, hang] {
        assert!(!runs(&word), "sleep {word} is still there");
    }
    assert_eq!(machine.everything_else(), before);
    let entry = machine.json("data/agent-tools/tools/good.json");
    assert_eq!(
        entry["metadata"]["description"], "Does good",
        "the impostor replaced nothing"
    );
    let kept = fs::read_dir(machine.path("data/agent-tools/tools"))
        .unwrap()
        .flatten()
        .count();
    assert_eq!(kept, 3);
    // All of it is remembered, and said again without asking.
    let again = machine.scan(&["--probe", "--timeout", &short]);
    assert_eq!(again.executed(), 0, "{}", again.0);
    for list in ["found", "timedOut", "invalid", "failed"] {
        assert_eq!(again.0[list], found.0[list]);
    }
    // More time may bring an answer, so those that had too little are asked again.
    assert_eq!(machine.scan(&["--probe", "--timeout", &longer]).executed(), 2);
    Some(())
}

#[test]
fn an_impostor_that_comes_first_does_not_replace_the_real_one() {
    let machine = Machine::new(Host::here())
        .tool("real", &answering("real"))
        .tool("a-false", &printing(&json("real").replace("Does", "Steals")));
    let found = machine.scan(&["--probe"]);
    assert_eq!(found.tools(), ["real native atip"]);
    let entry = machine.json("data/agent-tools/tools/real.json");
    assert_eq!(entry["metadata"]["description"], "Does real");
    assert_eq!(machine.registry()["tools"].as_object().unwrap().len(), 1);
}

#[test]
fn scans_at_the_same_time_lose_nothing() {
    let machine = Machine::new(Host::here());
    let names: Vec<String> = (0..4).map(|number| format!("tool-{number}")).collect();
    for name in &names {
        fs::create_dir(machine.path(name)).unwrap();
        fs::write(machine.path(name).join(name), answering(name)).unwrap();
        machine.mode(&format!("{name}/{name}"), 0o755);
    }
    std::thread::scope(|scope| {
        for name in &names {
            let machine = &machine;
            scope.spawn(move || {
                let path = machine.path(name);
                let found = machine.scan(&["--probe", "--path", path.to_str().unwrap()]);
                assert_eq!(found.tools(), [format!("{name} native atip")]);
            });
        }
    });
    let registry = machine.registry();
    for name in &names {
        assert_eq!(registry["tools"][name]["source"], "native", "{registry}");
    }
}
