//! `argrail doctor`: what the machine offers, and that escapes fail, for root and for a plain user.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Output;

use argrail_testkit::{Home, command};
use serde_json::Value;

use super::ARGRAIL;

/// A user that no machine has.
const PLAIN: u32 = 64_123;

/// Runs `argrail doctor` in a home that belongs to the user who runs it, possibly behind another program.
struct Doctor {
    home: Home,
    user: Option<u32>,
}

impl Doctor {
    fn new() -> Self {
        Self {
            home: Home::new(),
            user: None,
        }
    }

    /// As a plain user, where that can be chosen; whoever is one already stays who they are.
    fn plain() -> Self {
        let doctor = Self::new();
        let root = doctor.home.root().to_owned();
        if root.metadata().unwrap().uid() != 0 {
            return doctor;
        }
        fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
        for entry in fs::read_dir(&root).unwrap() {
            chown(entry.unwrap().path(), Some(PLAIN), Some(PLAIN)).unwrap();
        }
        Self {
            user: Some(PLAIN),
            ..doctor
        }
    }

    /// The binary where that user can reach it.
    fn binary(&self) -> PathBuf {
        let copy = self.home.root().join("argrail");
        if !copy.exists() {
            // By another process: a file that this one has open for writing cannot be started by a child of any test.
            assert!(command("cp").arg(ARGRAIL).arg(&copy).status().unwrap().success());
        }
        copy
    }

    fn run(&self, before: &[&str], arguments: &[&str]) -> Output {
        let binary = self.binary();
        let root = self.home.root();
        let words: Vec<&str> = before
            .iter()
            .copied()
            .chain([binary.to_str().unwrap()])
            .chain(arguments.iter().copied())
            .collect();
        let mut child = command(words[0]);
        child
            .args(&words[1..])
            .env_clear()
            .env("HOME", root.join("home"))
            .env("TMPDIR", root.join("tmp"))
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .current_dir(root.join("work"));
        if let Some(user) = self.user {
            child.uid(user).gid(user);
        }
        child.output().unwrap()
    }

    fn data(&self, before: &[&str], arguments: &[&str], exit: i32) -> Value {
        let output = self.run(before, arguments);
        assert_eq!(output.status.code(), Some(exit), "{output:?}");
        let envelope: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(envelope["success"], true);
        envelope["data"].clone()
    }
}

#[test]
fn the_machine_is_described() {
    for doctor in [Doctor::new(), Doctor::plain()] {
        let data = doctor.data(&[], &["doctor", "--json"], 0);
        assert_eq!(data["tier"], 1, "{data}");
        assert_eq!(data["approvalBoundary"], "advisory");
        assert!(
            data["approvalBoundaryWhy"]
                .as_str()
                .unwrap()
                .contains("can answer"),
            "{data}"
        );
        assert!(
            data["approvalBoundaryFix"]
                .as_str()
                .unwrap()
                .contains("another user"),
            "{data}"
        );
        assert!(data["landlockAbi"].as_u64().unwrap() >= 3);
        assert_eq!(data.get("attempts"), None);
        let features = data["features"].as_object().unwrap();
        assert!(features.len() >= 19, "{features:?}");
        for name in [
            "userNamespaces",
            "freshProc",
            "landlock",
            "seccomp",
            "pidfd",
            "notDumpable",
            "sandbox",
        ] {
            assert_eq!(features[name], true, "{name}: {data}");
        }
        let absent: Vec<&str> = features
            .iter()
            .filter(|(_, there)| **there == false)
            .map(|(name, _)| name.as_str())
            .collect();
        let missing = data["missing"].as_array().unwrap();
        let named: Vec<&str> = missing
            .iter()
            .map(|entry| entry["feature"].as_str().unwrap())
            .collect();
        assert_eq!(absent, named);
        for entry in missing {
            assert!(!entry["why"].as_str().unwrap().is_empty(), "{entry}");
            assert!(!entry["fix"].as_str().unwrap().is_empty(), "{entry}");
        }
    }
}

#[test]
fn a_user_who_cannot_write_the_state_is_kept_from_answering() {
    let doctor = Doctor::plain();
    // Only root can make a directory that is somebody else's than the doctor's.
    let (hold, fixable) = match doctor.user {
        Some(_) => ("enforced", false),
        None => ("advisory", true),
    };
    let state = doctor.home.root().join("home/.local/state/argrail");
    fs::create_dir_all(&state).unwrap();
    let data = doctor.data(&[], &["doctor", "--json"], 0);
    assert_eq!(data["approvalBoundary"], hold, "{data}");
    assert_eq!(data.get("approvalBoundaryFix").is_some(), fixable, "{data}");
    fs::set_permissions(&state, fs::Permissions::from_mode(0o777)).unwrap();
    let data = doctor.data(&[], &["doctor", "--json"], 0);
    assert_eq!(data["approvalBoundary"], "advisory", "{data}");
}

#[test]
fn every_escape_is_blocked_for_root_and_for_a_plain_user() {
    for doctor in [Doctor::new(), Doctor::plain()] {
        let data = doctor.data(&[], &["doctor", "--prove", "--json"], 0);
        let attempts = data["attempts"].as_array().unwrap();
        assert!(attempts.len() >= 30, "{}", attempts.len());
        for attempt in attempts {
            assert_eq!(attempt["result"], "blocked", "{attempt}");
            assert!(!attempt["attempted"].as_str().unwrap().is_empty());
            assert!(!attempt["detail"].as_str().unwrap().is_empty());
        }
        let left = fs::read_dir(doctor.home.root().join("tmp")).unwrap().count();
        assert_eq!(left, 0, "the scratch ground is gone");
    }
}

#[test]
fn a_person_gets_tables() {
    let output = Doctor::new().run(&[], &["doctor", "--prove"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("tier 1: everything a policy says can be held\n"),
        "{text}"
    );
    assert!(text.contains("\nuserNamespaces    yes\n"), "{text}");
    assert!(text.contains("\nblocked   read-key-outside "), "{text}");
    assert!(text.contains(" 0 escaped, 0 unproven\n"), "{text}");
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "",
        "a pipe gets no progress"
    );
}

/// A user namespace in which no further one may be made.
const NO_NAMESPACES: &[&str] = &[
    "unshare",
    "--user",
    "--map-root-user",
    "sh",
    "-c",
    "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"",
    "sh",
];

#[test]
fn without_user_namespaces_the_second_tier_and_the_fix_are_named() {
    let data = Doctor::plain().data(NO_NAMESPACES, &["doctor", "--json"], 0);
    assert_eq!(data["tier"], 2, "{data}");
    assert_eq!(data["features"]["userNamespaces"], false);
    assert_eq!(data["features"]["landlock"], true);
    let missing = data["missing"].as_array().unwrap();
    for name in ["userNamespaces", "networkNamespace", "freshProc"] {
        let entry = missing.iter().find(|entry| entry["feature"] == name).unwrap();
        let fix = entry["fix"].as_str().unwrap();
        assert!(fix.contains("user.max_user_namespaces="), "{entry}");
    }
    let whole = missing
        .iter()
        .find(|entry| entry["feature"] == "sandbox")
        .unwrap();
    assert!(
        whole["why"]
            .as_str()
            .unwrap()
            .contains("cannot make a user namespace"),
        "{whole}"
    );
}

#[test]
fn the_second_tier_lets_nothing_through_either() {
    let data = Doctor::plain().data(NO_NAMESPACES, &["doctor", "--prove", "--json"], 0);
    let attempts = data["attempts"].as_array().unwrap();
    let escaped: Vec<&str> = attempts
        .iter()
        .filter(|attempt| attempt["result"] != "blocked")
        .map(|attempt| attempt["name"].as_str().unwrap())
        .collect();
    assert_eq!(escaped, [""; 0], "{data}");
    // What cannot be held is not started.
    let denied = attempts
        .iter()
        .find(|attempt| attempt["name"] == "read-denied-key")
        .unwrap();
    assert!(
        denied["detail"]
            .as_str()
            .unwrap()
            .starts_with("nothing was started: "),
        "{denied}"
    );
}
