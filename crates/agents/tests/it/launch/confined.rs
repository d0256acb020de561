//! What an agent gets, and what it can reach.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use argrail_testkit::{Page, Web};

use super::desk::{Desk, SANDBOX, each_user};

/// The lines that begin with a word, without it.
fn lines<'t>(told: &'t str, word: &str) -> Vec<&'t str> {
    let prefix = format!("{word} ");
    told.lines()
        .filter_map(|line| line.strip_prefix(&prefix))
        .collect()
}

#[test]
fn its_variables_are_those_that_the_manifest_names() {
    each_user(|user| {
        let desk = Desk::new(user, &["env"], SANDBOX);
        let (told, err) = desk.run(&[]);
        let env = lines(&told, "env");
        let mut names: Vec<&str> = env.iter().filter_map(|line| line.split('=').next()).collect();
        names.sort_unstable();
        let want = [
            "HOME",
            "HTTPS_PROXY",
            "HTTP_PROXY",
            "LANG",
            "NO_PROXY",
            "PATH",
            "PROBE_ALWAYS",
            "PROBE_KEY",
            "PROBE_MODE",
            "PROBE_SEEN",
            "TMPDIR",
            "http_proxy",
            "https_proxy",
            "no_proxy",
        ];
        assert_eq!(names, want, "{user:?}: {told}{err}");
        let is = |line: &str| assert!(env.contains(&line), "{user:?}: {line}: {told}");
        is("PROBE_SEEN=seen");
        is("PROBE_KEY=a-key-of-nobody");
        is("PROBE_MODE=first");
        let home = desk.home.root().join("data/argrail/agents/probe@1");
        let home = home.canonicalize().unwrap();
        is(&format!("HOME={}", home.display()));
        assert_eq!(fs::metadata(&home).unwrap().permissions().mode() & 0o777, 0o700);
        assert!(told.contains("ended: Exit(0)"), "{told}");
    });
}

#[test]
fn a_home_that_is_passed_on_is_the_agents_own() {
    each_user(|user| {
        let passed = SANDBOX.replace(
            "[PROBE_SEEN,",
            "[HOME, XDG_CONFIG_HOME, XDG_DATA_HOME, PROBE_SEEN,",
        );
        let desk = Desk::new(user, &["env"], &passed);
        let (told, err) = desk.run(&[]);
        let env = lines(&told, "env");
        let home = desk.home.root().join("data/argrail/agents/probe@1");
        let home = format!("HOME={}", home.canonicalize().unwrap().display());
        let homes: Vec<&str> = env
            .iter()
            .copied()
            .filter(|line| line.starts_with("HOME="))
            .collect();
        assert_eq!(homes, [home.as_str()], "{user:?}: {told}{err}");
        assert!(
            !env.iter().any(|line| line.starts_with("XDG_")),
            "{user:?}: {told}"
        );
        assert!(env.contains(&"PROBE_SEEN=seen"), "{user:?}: {told}");
    });
}

#[test]
fn a_mode_comes_after_what_is_always_set() {
    let desk = Desk::new(super::desk::User::Ourselves, &["env"], SANDBOX);
    let (told, err) = desk.run(&["second"]);
    assert!(lines(&told, "env").contains(&"PROBE_MODE=second"), "{told}{err}");
    assert_eq!(lines(&told, "word"), ["second"], "{told}");
}

#[test]
fn files_outside_of_its_grants_are_out_of_reach() {
    each_user(|user| {
        let args = [
            "read",
            "../home/.ssh/id",
            "read",
            "../data/agent-tools/registry.json",
            "read",
            "notes.txt",
            "write",
            "made.txt",
            "write",
            ".mcp.json",
            "write",
            "../home/planted",
            "read",
            "../data/argrail/agents/other@1/key",
        ];
        let desk = Desk::new(user, &args, SANDBOX);
        desk.file("home/.ssh/id", "a private key");
        desk.file("data/agent-tools/registry.json", "{}");
        desk.file("data/argrail/agents/other@1/key", "of another agent");
        desk.file("work/notes.txt", "a note");
        let (told, err) = desk.run(&[]);
        let all = format!("{user:?}: {told}{err}");
        let reads = lines(&told, "read");
        assert_eq!(reads.len(), 4, "{all}");
        assert!(reads[0].contains("failed"), "{all}");
        assert!(reads[1].contains("failed"), "{all}");
        assert!(reads[2].ends_with("ok a note"), "{all}");
        assert!(reads[3].contains("failed"), "{all}");
        let writes = lines(&told, "write");
        assert!(writes[0].contains("ok"), "{all}");
        // What is protected and was not there may be written, and is taken away with the sandbox.
        assert!(!desk.home.root().join("work/.mcp.json").exists(), "{all}");
        assert!(writes[2].contains("failed"), "{all}");
        assert!(desk.home.root().join("work/made.txt").exists(), "{all}");
        assert!(!desk.home.root().join("home/planted").exists(), "{all}");
    });
}

#[test]
fn only_declared_hosts_are_reached() {
    each_user(|user| {
        let web = Web::new();
        web.put("/", Page::new("hello"));
        let port = web.address().port();
        let (model, other) = (
            format!("http://model.test:{port}/"),
            format!("http://other.test:{port}/"),
        );
        let direct = format!("127.0.0.1:{port}");
        let args = ["get", &model, "get", &other, "connect", &direct];
        let desk = Desk::new(user, &args, SANDBOX);
        desk.file(
            "config/agent-tools/config.json",
            r#"{"network": {"resolve": {"model.test": "127.0.0.1", "other.test": "127.0.0.1"}, "allowLoopback": true}}"#,
        );
        let (told, err) = desk.run(&[]);
        let all = format!("{user:?}: {told}{err}");
        let got = lines(&told, "get");
        assert!(got[0].contains("200") && got[0].ends_with("hello"), "{all}");
        assert!(!got[1].contains("200"), "{all}");
        assert!(lines(&told, "connect")[0].contains("failed"), "{all}");
        assert_eq!(web.asked().len(), 1, "{all}");
    });
}

#[test]
fn an_interpreter_of_the_users_own_search_path_is_found_and_shown() {
    each_user(|user| {
        let desk = Desk::new(user, &["read", "notes.txt"], SANDBOX).behind_an_interpreter();
        desk.file("work/notes.txt", "a note");
        let (told, err) = desk.run(&[]);
        let read = lines(&told, "read");
        let is_read = read.first().is_some_and(|line| line.ends_with("ok a note"));
        assert!(is_read, "{user:?}: {told}{err}");
    });
}
