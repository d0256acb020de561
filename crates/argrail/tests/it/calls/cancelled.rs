//! A call that is given up is ended with everything it started.
//!
//! The tool reads a pipe, and so does what it starts. The test holds the other end: opening it waits for the first
//! reader, and writing into it fails when the last one is gone.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use argrail_testkit::{Home, with_time_to_begin};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;

use super::ground::{connect, home, reads, vouched};
use crate::ARGRAIL;

/// How long what must come may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Makes a pipe with a name.
pub(super) fn pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
}

/// A home with a tool that starts another process and waits, both for ever.
fn ground() -> Home {
    let mut effects = reads();
    effects["subprocess"] = json!(true);
    effects["x-exec"] = json!("any");
    let script = "exec 3< life\necho begun\n( read line < never ) &\nread line < never";
    let home = vouched(home(), "waiter", script, &json!({"effects": effects}));
    pipe(&home.work().join("life"));
    pipe(&home.work().join("never"));
    home
}

/// Waits until the tool reads the pipe.
fn started(home: &Home) -> File {
    starting(home)
        .recv_timeout(PATIENCE)
        .expect("the tool was started")
}

/// Tells when the tool reads the pipe.
fn starting(home: &Home) -> mpsc::Receiver<File> {
    let path = home.work().join("life");
    let (tell, told) = mpsc::channel();
    thread::spawn(move || tell.send(OpenOptions::new().write(true).open(path).unwrap()));
    told
}

/// Waits until nobody reads the pipe any more.
fn gone(mut pipe: File) {
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        // Waits when the pipe is full, as long as somebody could read it.
        let ended = loop {
            if let Err(error) = pipe.write_all(&[0; 4096]) {
                break error.kind();
            }
        };
        tell.send(ended)
    });
    let ended = told.recv_timeout(PATIENCE).expect("everything is gone");
    assert_eq!(ended, ErrorKind::BrokenPipe);
}

#[test]
fn a_cancelled_call_leaves_nothing_behind() {
    let home = ground();
    let mut client = connect(&home, &[]);
    let id = client.start_call("waiter");
    let life = started(&home);
    client.notify(
        "notifications/cancelled",
        json!({"requestId": id, "reason": "enough"}),
    );
    gone(life);
    // The server goes on.
    let answer = super::ground::envelope(&client.call("echo here"));
    assert_eq!(answer["data"]["stdout"], "here\n", "{answer:#}");
}

#[test]
fn a_client_that_leaves_takes_its_calls_with_it() {
    let home = ground();
    let mut client = connect(&home, &[]);
    client.start_call("waiter");
    let life = started(&home);
    client.finish();
    gone(life);
}

#[test]
fn a_call_that_is_killed_leaves_nothing_behind() {
    for words in [["call", "waiter"], ["run", "waiter"]] {
        let home = ground();
        let child = home.spawn(ARGRAIL, &words);
        drop_stdin_and_kill(child, &home);
    }
}

fn drop_stdin_and_kill(mut child: argrail_testkit::Child, home: &Home) {
    child.close_stdin();
    let life = started(home);
    child.kill();
    gone(life);
}

#[test]
fn a_call_that_takes_too_long_is_ended() {
    with_time_to_begin(|time| {
        let call = format!("{}ms", time.as_millis());
        let home = ground().config(&json!({"timeouts": {"call": call}}).to_string());
        let starting = starting(&home);
        let run = home.run(ARGRAIL, &["call", "waiter"]);
        assert_eq!(run.exit, Some(124), "{run}");
        let error = run.json()["error"].clone();
        assert_eq!(error["code"], "TIMEOUT", "{run}");
        if error["output"]["stdout"] != "begun\n" {
            // Whoever waits for a reader shall not wait for ever.
            drop(
                OpenOptions::new()
                    .read(true)
                    .write(true)
                    .open(home.work().join("life")),
            );
            return None;
        }
        gone(starting.recv_timeout(PATIENCE).unwrap());
        Some(())
    });
}
