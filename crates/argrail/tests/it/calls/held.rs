//! Reads run without a question; changes are held, and nothing is started for them.

use std::fs;

use argrail_testkit::Home;
use serde_json::Value;

use super::ground::{call, connect, envelope, home, is_held, record};

/// Commands that change something, and what they would change.
const CHANGES: &[&str] = &[
    "touch new",
    "rm note",
    "rm -f note",
    "rmdir empty",
    "mkdir new",
    "cp note new",
    "mv note new",
    "ln -s note new",
    "chmod 600 note",
    "tee new",
    "dd if=note of=new",
    "sort -o new note",
    "sed -i s/hello/bye/ note",
];

fn ground() -> Home {
    let home = home().file("note", "hello\nworld\n").file("empty/.keep", "");
    fs::remove_file(home.work().join("empty/.keep")).unwrap();
    home
}

/// Everything in the work directory, with what is in it.
fn state(home: &Home) -> Vec<(String, Option<String>, u32)> {
    use std::os::unix::fs::PermissionsExt;
    let mut entries: Vec<_> = fs::read_dir(home.work())
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let mode = entry.metadata().unwrap().permissions().mode();
            let name = entry.file_name().to_str().unwrap().to_owned();
            (name, fs::read_to_string(entry.path()).ok(), mode)
        })
        .collect();
    entries.sort();
    entries
}

#[test]
fn an_agent_reads_without_a_question() {
    let home = ground();
    let mut client = connect(&home, &[]);
    for (command, stdout) in [
        ("ls", "empty\nnote\n"),
        ("cat note", "hello\nworld\n"),
        ("grep world note", "world\n"),
        ("wc -l note", "2 note\n"),
        ("head -n 1 note", "hello\n"),
        ("sort -r note", "world\nhello\n"),
        ("sed -n 2p note", "world\n"),
        ("find . -name note", "./note\n"),
        ("nice cat note", "hello\nworld\n"),
        ("echo a 'b  c'", "a b  c\n"),
    ] {
        let answer = envelope(&client.call(command));
        assert_eq!(answer["success"], true, "{command}: {answer:#}");
        assert_eq!(answer["data"]["stdout"], stdout, "{command}");
        assert_eq!(answer["data"]["exitCode"], 0, "{command}");
        assert_eq!(answer["_meta"]["untrusted"], true, "{command}");
    }
}

#[test]
fn an_agents_change_is_held_and_nothing_is_changed() {
    let home = ground();
    let before = state(&home);
    let mut client = connect(&home, &[]);
    for command in CHANGES {
        is_held(&envelope(&client.call(command)));
        assert_eq!(state(&home), before, "{command}");
    }
    let record = record(&home);
    assert_eq!(of(&record, "approval.asked").count(), CHANGES.len());
    assert_eq!(of(&record, "cli.invoked").count(), CHANGES.len());
    assert_eq!(record.len(), 2 * CHANGES.len());
    for (line, command) in of(&record, "cli.invoked").zip(CHANGES) {
        assert!(line["metadata"]["approval"].is_string(), "{line}");
        assert_eq!(line["metadata"]["command"], *command);
        assert_eq!(line["metadata"]["error_code"], "PERMISSION_DENIED");
        assert_eq!(
            line["metadata"]["intent"],
            Value::Null,
            "nothing was to be started: {line}"
        );
        assert_eq!(line["policy"]["decision"], "require-approval");
    }
}

#[test]
fn what_is_held_has_an_exit_number_of_its_own() {
    let home = ground();
    let before = state(&home);
    for command in ["touch new", "rm note", "nice touch new"] {
        let run = call(&home, command);
        assert_eq!(run.exit, Some(5), "{run}");
        is_held(&run.json());
        assert_eq!(state(&home), before, "{command}");
    }
    let run = call(&home, "cat note");
    assert_eq!(run.exit, Some(0), "{run}");
}

#[test]
fn a_program_that_is_held_is_never_started() {
    // Ours stand before the system's on PATH, so these are what the names mean. Whoever runs may write here.
    let names = ["touch", "rm", "mkdir", "cp", "ls", "cat"];
    let home = names.iter().fold(ground(), |home, name| {
        home.tool(name, &format!("#!/bin/sh\necho started {name}\n: > started\n"))
    });
    let before = state(&home);
    let mut client = connect(&home, &[]);
    for held in [
        "touch new",
        "rm note",
        "mkdir new",
        "cp note new",
        "env touch new",
    ] {
        is_held(&envelope(&client.call(held)));
        assert_eq!(state(&home), before, "{held}");
    }
    // Nothing starts without a record that says so before.
    assert_eq!(of(&record(&home), "cli.intended").count(), 0);
    let reads = ["ls", "cat note", "env ls"];
    for read in reads {
        let answer = envelope(&client.call(read)).to_string();
        assert!(answer.contains("started "), "{read}: {answer}");
    }
    assert_eq!(of(&record(&home), "cli.intended").count(), reads.len());
}

/// The lines of a record that tell of this.
fn of<'r>(record: &'r [Value], action: &'r str) -> impl Iterator<Item = &'r Value> {
    record.iter().filter(move |line| line["action"] == action)
}

#[test]
fn a_program_of_the_workspace_is_not_what_a_name_means() {
    let home = ground()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("bin/ls", "#!/bin/sh\necho taken over\n");
    let program = home.work().join("bin/ls");
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:.:/usr/bin:/bin", home.work().join("bin").display());
    let home = home.env("PATH", path);
    let run = call(&home, "ls");
    assert_eq!(run.json()["data"]["stdout"], "bin\nempty\nnote\n", "{run}");
    let inner = call(&home, "nice ls");
    assert_eq!(inner.json()["data"]["stdout"], "bin\nempty\nnote\n", "{inner}");
}
