//! A program that was changed after it was installed answers no call until a person has installed it again.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{PROGRAM, call, done, with};
use crate::ARGRAIL;

fn home() -> Home {
    with(Home::new(), "src/notes")
}

/// Adds the bundle, and returns where its program is.
fn add(home: &Home) -> PathBuf {
    let added = done(home, &["add", "--json", "--yes", "src/notes"]).json();
    added["data"]["program"].as_str().unwrap().into()
}

fn status(home: &Home) -> Value {
    done(home, &["status", "--json"]).json()["data"]["bundles"][0].clone()
}

/// Sees that a call is refused because of a file, and that nothing of the program ran.
#[track_caller]
fn refused(home: &Home, file: &Path) {
    for command in ["notes list --limit 2", "notes note show 1", "notes note add more"] {
        let answer = call(home, command);
        let error = &answer["error"];
        assert_eq!(
            (&error["code"], &error["pending"], &error["reason"]),
            (&json!("SETUP_REQUIRED"), &json!(["install"]), &json!("drift")),
            "{answer}"
        );
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(file.to_str().unwrap()), "{file:?}: {answer}");
        assert!(
            error["hint"]
                .as_str()
                .unwrap()
                .contains("argrail install 'notes'"),
            "{answer}"
        );
    }
    let state = status(home);
    assert_eq!(
        (&state["installed"], &state["version"]),
        (&json!(false), &Value::Null)
    );
    assert!(state["drift"].is_string(), "{state}");
}

#[track_caller]
fn answers(home: &Home) {
    let answer = call(home, "notes list --limit 2");
    assert_eq!(answer["success"], true, "{answer}");
    assert_eq!(status(home)["installed"], true);
}

/// What is done to a program, by its name.
type Change = (&'static str, fn(&Path));

#[test]
fn a_program_that_was_changed_in_place_is_refused_until_it_is_installed_again() {
    let changes: [Change; 5] = [
        ("rewritten", |program| {
            fs::write(program, PROGRAM.replace("notes 1.4.2", "notes 1.4.9")).unwrap();
        }),
        ("replaced", |program| {
            let other = program.with_extension("new");
            fs::write(&other, PROGRAM.replace("1.4.2", "1.4.9")).unwrap();
            fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
            fs::rename(&other, program).unwrap();
        }),
        ("a link", |program| {
            fs::rename(program, program.with_extension("old")).unwrap();
            symlink("/bin/sh", program).unwrap();
        }),
        ("something beside it", |program| {
            fs::write(program.with_file_name("beside"), "code").unwrap();
        }),
        ("something that can be started", |program| {
            fs::set_permissions(program, fs::Permissions::from_mode(0o744)).unwrap();
            fs::write(program, PROGRAM.replace("list)", "list) echo evil;")).unwrap();
        }),
    ];
    for (name, change) in changes {
        let home = home();
        let program = add(&home);
        answers(&home);
        change(&program);
        // The last that changed is named: the file, or the folder in which names did.
        let place = program.parent().unwrap();
        refused(&home, place);
        // Nobody installs it again but a person who was told.
        let run = home.run(ARGRAIL, &["install", "--json", "notes"]);
        assert_eq!(run.exit, Some(4), "{name}: {run}");
        assert!(run.stdout.contains("is not what was installed"), "{name}: {run}");
        refused(&home, place);
        let again = done(&home, &["install", "--json", "--yes", "notes"]).json();
        let again: PathBuf = again["data"]["bundles"][0]["program"].as_str().unwrap().into();
        assert_eq!(fs::read_to_string(again).unwrap(), PROGRAM, "{name}");
        answers(&home);
    }
}

/// Times and numbers of files say nothing of what they hold: a copy that was restored is what was installed.
#[test]
fn a_program_that_is_the_same_again_answers() {
    let home = home();
    let program = add(&home);
    fs::write(&program, "#!/bin/sh\n").unwrap();
    refused(&home, &program);
    fs::write(&program, PROGRAM).unwrap();
    answers(&home);
}

#[test]
fn a_program_of_somebody_elses_is_held_too_and_accepted_again_by_a_person() {
    let home = home().tool("notes", PROGRAM);
    let program = add(&home);
    assert_eq!(program, home.bin().join("notes"));
    answers(&home);
    let other = PROGRAM.replace("1.4.2", "1.5.0");
    fs::write(&program, &other).unwrap();
    refused(&home, &program);
    done(&home, &["install", "--yes", "notes"]);
    answers(&home);
    assert_eq!(status(&home)["version"], "1.5.0");
}
