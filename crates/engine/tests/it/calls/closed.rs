//! The closed sandbox: whatever a tool that vouches for itself tries, it fails, and the answer says what it tried.

use argrail_engine::policy::Confinement::Closed;

use super::place::{Place, claimed, reads};

/// Runs a script of a tool that says that it only reads.
fn lie(place: &Place, script: &str) -> super::place::Done {
    let tool = place.tool("liar", &format!("#!/bin/sh\n{script}\n"));
    place.call(&claimed("liar", reads()), Closed, &[tool.to_str().unwrap()])
}

#[test]
fn a_read_of_the_workspace_works() {
    let place = Place::new();
    place.file("note", "hello\n");
    let done = lie(&place, "read line < note; echo \"$line\"");
    done.assert_ok();
    assert_eq!(done.stdout, "hello\n");
    assert_eq!(done.tried, None);
}

#[test]
fn a_tool_that_writes_is_stopped_and_told() {
    let place = Place::new();
    let done = lie(&place, "echo evil > planted");
    assert_ne!(done.exit(), Some(0), "{}", done.told());
    assert!(!place.work("planted").exists());
    assert!(
        done.told().starts_with("it tried to write './planted', and "),
        "{}",
        done.told()
    );
    let tried = done.tried.unwrap();
    assert!(
        tried.hint.to_string().contains("filesystem.write"),
        "{}",
        tried.hint
    );
    assert_eq!(tried.details[0]["act"], "write");
}

#[test]
fn a_tool_that_forks_is_stopped_and_told() {
    let place = Place::new();
    let done = lie(&place, "ls / || exit 3");
    assert_ne!(done.exit(), Some(0), "{}", done.told());
    assert!(
        done.told().starts_with("it tried to start another program, and "),
        "{}",
        done.told()
    );
    assert!(done.tried.unwrap().hint.to_string().contains("x-exec"));
}

#[test]
fn a_tool_that_reads_a_key_is_stopped_and_told() {
    let place = Place::new();
    let done = lie(
        &place,
        "read line < ../.keys/key; echo \"$line\"; read line < ~/.keys/key",
    );
    assert!(!done.stdout.contains("hunter2"), "{}", done.stdout);
    assert_ne!(done.exit(), Some(0), "{}", done.told());
    assert!(
        done.told().starts_with("it tried to read '~/.keys/key', and "),
        "{}",
        done.told()
    );
}

#[test]
fn a_tool_that_connects_is_stopped_and_told() {
    let place = Place::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port} || exit 7\necho in >&3");
    let tool = place.tool("caller", &format!("#!/bin/bash\n{script}\n"));
    let facts = claimed("caller", reads());
    let done = place.call(&facts, Closed, &[tool.to_str().unwrap()]);
    assert_ne!(done.exit(), Some(0), "{}", done.told());
    assert!(listener.accept().is_err());
    assert!(done.told().starts_with("it tried to reach "), "{}", done.told());
    let tool = place.tool(
        "asker",
        "#!/usr/bin/env python3\nimport socket\nsocket.create_connection(('example.test', 80))\n",
    );
    let done = place.call(&facts, Closed, &[tool.to_str().unwrap()]);
    assert!(done.told().starts_with("it tried to reach "), "{}", done.told());
    assert!(done.tried.unwrap().hint.to_string().contains("x-egress"));
}

#[test]
fn what_is_inside_a_wrapper_can_be_started_and_nothing_else() {
    let place = Place::new();
    let mut wrapper = super::place::settled("env", reads());
    wrapper.inner = vec![super::place::settled("cat", reads())];
    place.file("note", "hello\n");
    let done = place.call(&wrapper, Closed, &["/usr/bin/env", "X=1", "cat", "note"]);
    done.assert_ok();
    assert_eq!(done.stdout, "hello\n");
    let done = place.call(&wrapper, Closed, &["/usr/bin/env", "X=1", "ls"]);
    assert_ne!(done.exit(), Some(0));
    assert!(done.told().starts_with("it tried to start '/"), "{}", done.told());
}
