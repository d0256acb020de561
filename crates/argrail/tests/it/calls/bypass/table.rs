//! What all rows are tried on, and what is seen of each.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use argrail_testkit::Home;

use super::super::ground::{connect, envelope, home, is_held};

/// What an attempt is answered with.
#[derive(Debug, Clone, Copy)]
pub(super) enum Answer {
    /// A person has to approve it.
    Held,
    /// The words are refused, with how to write them.
    Refused,
    /// The line was written for a shell, and there is none.
    ForShell,
    /// There is no such command.
    Unknown,
    /// It runs, the words are plain text to it, and it fails of them.
    PlainText,
}

/// Programs that need not be installed for these tests. If one of these was started where it could write, it would
/// leave a mark.
const STAND_INS: &[&str] = &[
    "awk", "bash", "busybox", "cc", "curl", "dash", "gawk", "git", "install", "mawk", "nohup", "perl",
    "python3", "node", "rsync", "scp", "script", "setsid", "split", "ssh", "stdbuf", "strace", "sudo", "tar",
    "truncate", "wget", "zip",
];

fn ground() -> Home {
    let home = home()
        .file("f", "one\ntwo\n")
        .file("names", "m\n")
        .file("sub/g", "three\n")
        .file("script.sh", "#!/bin/sh\n: > m\n")
        .file("t.tar", "");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(home.work().join("script.sh"), mode).unwrap();
    STAND_INS
        .iter()
        .fold(home, |home, name| home.tool(name, "#!/bin/sh\n: > m\n"))
}

/// Every file below a directory and what is in it, as one text.
fn state(directory: &Path) -> String {
    let mut entries: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    let describe = |path: &std::path::PathBuf| match fs::symlink_metadata(path).unwrap().is_dir() {
        true => format!("{}/\n{}", path.display(), state(path)),
        false => {
            let meta = fs::symlink_metadata(path).unwrap();
            let text = fs::read(path).unwrap();
            format!("{} {:o} {text:?}\n", path.display(), meta.permissions().mode())
        }
    };
    entries.iter().map(describe).collect()
}

/// Tries each row through a server, and sees that it is answered so and changes nothing.
pub(super) fn check(rows: &[(&str, Answer)]) {
    let home = ground();
    let before = state(&home.work());
    let mut client = connect(&home, &[]);
    for (command, expected) in rows {
        let answer = envelope(&client.call(command));
        assert_eq!(
            state(&home.work()),
            before,
            "{command:?} changed something: {answer:#}"
        );
        let error = &answer["error"];
        let code = match expected {
            Answer::Held => {
                is_held(&answer);
                continue;
            }
            Answer::Refused => "VALIDATION_ERROR",
            Answer::ForShell => "PARSE_ERROR",
            Answer::Unknown => "COMMAND_NOT_FOUND",
            Answer::PlainText => "EXECUTION_ERROR",
        };
        assert_eq!(error["code"], code, "{command:?}: {answer:#}");
        assert!(error["hint"].is_string(), "{command:?}: {answer:#}");
    }
    // The same ground can be read: what was stopped was stopped for what it does.
    let answer = envelope(&client.call("cat f"));
    assert_eq!(answer["data"]["stdout"], "one\ntwo\n", "{answer:#}");
}
