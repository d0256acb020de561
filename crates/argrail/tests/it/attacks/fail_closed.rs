//! Machines that lack something: what cannot be held is not started, and nothing runs open.
//!
//! The number above a test is that of the attack in the suite. `hostile under …` makes such a machine.

use argrail_testkit::Run;
use serde_json::Value;

use super::harness::{Host, Target, each_host};
use super::outside::Server;
use super::policy::Policy;

fn workspace(host: Host) -> Target {
    Target::new(host)
        .file("work/data/note", "hello")
        .file("work/secret", "hunter2")
        .directory("work/out")
}

/// What Landlock and a filter hold by themselves.
fn exact() -> Policy {
    Policy::new().read("data/**").write("out/**")
}

/// Policies that need more, each with the field that says so.
fn beyond() -> [(Policy, &'static str); 5] {
    // One that nobody holds: that would be another refusal.
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    [
        (exact().egress("api.test"), "network.egress[0]"),
        (exact().ingress(&format!("http://{free}/")), "network.ingress[0]"),
        (exact().spawn(&["/usr/bin/true"]), "exec.spawn[0]"),
        (exact().write("data/**").deny("data/note"), "fs.deny"),
        (exact().tty(), "tty.required"),
    ]
}

/// Runs an attack on a machine that lacks something.
fn under(target: &Target, lack: &str, policy: &Policy, attack: &[&str]) -> Run {
    let program = target.hostile();
    let file = target.path("policy.yaml");
    // Writes the policy and gives the home to the host user; on this machine it runs.
    target.attack(&exact(), &["threads"]);
    std::fs::write(&file, policy.to_string()).unwrap();
    let uid = target.host().uid().to_string();
    let argrail = target.path("programs/argrail");
    let mut words = vec!["start"];
    if target.host() == Host::Plain {
        words.extend(["--user", &uid]);
    }
    words.extend(["--", &program, "under", lack, "--"]);
    words.extend([&argrail, "sandbox", "--json", "--policy", &file, "--", &program]);
    words.extend(attack);
    target.home().run(&program, &words)
}

/// Sees that a child which would have left a file was not started, and returns the error.
#[track_caller]
fn refused(target: &Target, lack: &str, policy: &Policy) -> Value {
    let marker = target.path("work/out/marker");
    let run = under(target, lack, policy, &["fill", &marker, "1"]);
    assert_eq!(
        run.exit,
        Some(6),
        "{:?} without {lack}\n{policy}\n{run}",
        target.host()
    );
    assert_eq!(target.text("work/out/marker"), None, "it was started:\n{run}");
    run.json()["error"].clone()
}

/// Sees that an act ends in a certain way in the second tier.
#[track_caller]
fn second_tier(target: &Target, lack: &str, attack: &[&str], start: &str) -> Value {
    let run = under(target, lack, &exact(), attack);
    let data = run.json()["data"].clone();
    let said = data["stdout"].as_str().unwrap_or_default();
    let host = target.host();
    assert!(
        said.starts_with(start),
        "{host:?} without {lack}: {attack:?} is not {start}:\n{run}"
    );
    assert_eq!(data["tier"], 2, "{host:?}\n{run}");
    data
}

/// Sees that the second tier holds what it says it holds, and refuses the rest.
fn holds_exactly(target: &Target, lack: &str, feature: &str) {
    let server = Server::tcp("127.0.0.1:0");
    for (policy, field) in beyond() {
        let error = refused(target, lack, &policy);
        assert_eq!(error["field"], field, "{error:#}");
        assert_eq!(error["missing"], feature, "{error:#}");
    }
    second_tier(target, lack, &["read", &target.path("work/data/note")], "ESCAPED");
    second_tier(target, lack, &["read", &target.path("work/secret")], "blocked");
    second_tier(target, lack, &["read", "/etc/passwd"], "blocked");
    second_tier(target, lack, &["read", "/proc/self/environ"], "blocked");
    second_tier(
        target,
        lack,
        &["fill", &target.path("work/out/marker"), "1"],
        "ESCAPED",
    );
    second_tier(
        target,
        lack,
        &["grow", &target.path("work/data/more"), "1"],
        "could not try",
    );
    second_tier(target, lack, &["tcp", &server.address()], "blocked");
    second_tier(target, lack, &["sockets"], "blocked");
    second_tier(
        target,
        lack,
        &["unix-pair", &target.path("work/out/none.sock")],
        "blocked",
    );
    second_tier(target, lack, &["fork", "/usr/bin/true"], "blocked");
    second_tier(target, lack, &["replace", "/usr/bin/true"], "blocked");
    second_tier(target, lack, &["exec-memory", "/usr/bin/true"], "blocked");
    second_tier(
        target,
        lack,
        &["top-descriptor", "/usr/bin/true", "1024"],
        "blocked",
    );
    second_tier(target, lack, &["threads"], "ESCAPED");
    second_tier(target, lack, &["allocate", "private", "10240"], "blocked");
    let note = target.path("work/data/note");
    second_tier(target, lack, &["lock", &note], "ESCAPED");
    for attack in ["lease", "file-requests"] {
        second_tier(target, lack, &[attack, &note], "blocked");
    }
    second_tier(target, lack, &["follow", &target.path("work/data")], "blocked");
    let own = std::process::id().to_string();
    second_tier(target, lack, &["signal-by-descriptor", &own], "blocked");
    second_tier(target, lack, &["lock-memory", "16"], "blocked");
    // The kernel counts no threads of root, and without a user namespace root has to stay root: today it may have as
    // many as the machine has. A limit needs a control group.
    let threads = if target.host() == Host::Root {
        "ESCAPED"
    } else {
        "blocked"
    };
    second_tier(target, lack, &["thread-bomb", "2000"], threads);
    server.nobody_came();
}

/// 70
#[test]
fn without_user_namespaces_only_what_landlock_holds_runs() {
    each_host(|host| holds_exactly(&workspace(host), "userns", "user namespaces"));
}

/// 71
#[test]
fn without_landlock_nothing_runs() {
    nothing_runs_without("landlock");
}

/// 72
#[test]
fn without_a_filter_nothing_runs() {
    nothing_runs_without("seccomp");
}

fn nothing_runs_without(feature: &str) {
    each_host(|host| {
        let target = workspace(host);
        for policy in [
            exact(),
            exact().spawn(&["/usr/bin/true"]),
            exact().egress("api.test"),
        ] {
            let error = refused(&target, feature, &policy);
            assert_eq!(error["missing"], feature, "{error:#}");
        }
        target.allowed(&exact(), &["fill", &target.path("work/out/marker"), "1"]);
    });
}

/// 73
#[test]
fn without_a_fresh_proc_only_what_landlock_holds_runs() {
    each_host(|host| holds_exactly(&workspace(host), "proc", "a fresh /proc"));
}
