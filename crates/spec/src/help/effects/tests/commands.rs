//! Commands by their names and descriptions.

use serde_json::json;

use super::super::{Class, Place};
use super::check::{check, estimated};
use Class::{Change, Destructive, Read, Unknown};

#[test]
fn a_verb_in_the_name_tells_what_it_does() {
    check("frob delete", "", Destructive);
    check("frob volume rm", "", Destructive);
    check("frob bucket purge", "", Destructive);
    check("frob terminate-instances", "", Destructive);
    check("frob schedule-key-deletion", "", Destructive);
    check("frob autoremove", "", Destructive);
    check("frob pay", "", Destructive);
    check("frob create", "", Change);
    check("frob reinstall", "", Change);
    check("frob pr merge", "", Change);
    check("frob run", "", Change);
    check("frob list", "", Read);
    check("frob pr status", "", Read);
    check("frob getConfig", "", Read);
    check("frob list_buckets", "", Read);
    check("frob quux", "", Unknown);
    check("frob", "", Unknown);
}

#[test]
fn the_worst_part_of_a_name_counts() {
    check("frob show-and-delete", "", Destructive);
    check("frob get-or-create", "", Change);
    check("frob list-and-frobnicate", "", Unknown);
    check("frob remove-tag", "", Destructive);
    check("frob reset-password", "", Destructive);
    check("frob set-status", "", Change);
    check("frob delete pod", "", Destructive);
    check("frob set version", "", Unknown);
}

#[test]
fn a_noun_that_could_be_a_verb_is_what_the_command_is_about() {
    check("frob release list", "", Read);
    check("frob stash show", "", Read);
    check("frob list-tags", "", Read);
    check("frob bucket-list", "", Read);
    // Nobody can tell it from `create-view`.
    check("frob tag-list", "", Change);
    check("frob list-deleted", "", Read);
    check("frob verify-commit", "", Unknown);
    check("frob-get frobnicate", "", Unknown);
    check("frob history quux", "", Unknown);
    check("frob search code", "", Read);
}

#[test]
fn a_description_tells_what_the_name_does_not() {
    check(
        "frob",
        "Overwrite a file so that nothing is left of it",
        Destructive,
    );
    check("frob", "make a small file system on a device", Destructive);
    check("frob", "Format a disk", Destructive);
    check("frob", "Format source code", Change);
    check("frob quux", "Log in to a server", Change);
    check("frob quux", "Shows what is installed", Read);
    check("frob quux", "This command can be used to list files", Read);
    check("frob quux", "A tool for listing open files", Read);
    check("frob quux", "frob-quux - list open files", Read);
    check("frob quux", "Frobnicate the quux", Unknown);
    check("frob quux", "A list of things", Unknown);
    check("frob quux", "Tell the kernel about a partition", Unknown);
    check("frob quux", "Tell whether it is there", Read);
}

#[test]
fn the_worst_word_of_a_description_counts() {
    check("frob list", "List, create or delete branches", Destructive);
    check("frob list", "List files. Old ones are deleted", Destructive);
    check("frob list", "List files and then upload them", Change);
    check("frob show", "Print or set the clock", Change);
    check("frob show", "Show or frobnicate the clock", Unknown);
    check("frob get", "Download modules", Change);
    check("frob view", "View it in a browser", Unknown);
    check("frob apply", "Apply the plan; this cannot be undone", Destructive);
    check("frob publish", "Publish irreversibly", Destructive);
    check("frob bump", "Bump it. What was there is lost", Destructive);
}

#[test]
fn what_is_denied_does_not_count() {
    check("frob list", "List files; does not delete them", Read);
    check("frob list", "List files without removing any", Read);
    check("frob list", "List files and never modify or delete them", Read);
    check("frob list", "List files. Don't permanently delete them", Read);
    check(
        "frob list",
        "List files. Not only shows, also deletes",
        Destructive,
    );
    check("frob list", "List files. No questions, deletes them", Destructive);
    check("frob list", "List files without asking, delete them", Destructive);
}

#[test]
fn things_that_were_changed_are_not_changed_now() {
    check("frob list", "List what was built", Read);
    check("frob list", "Show files that they change", Read);
    check("frob log", "Show changes, tags and commits", Read);
    // A word to be wary of is, wherever it stands.
    check("frob list", "List what is deleted", Destructive);
}

#[test]
fn a_read_is_claimed_only_if_name_and_description_agree() {
    let check = |path: &str, about: &str, want: Option<bool>| {
        assert_eq!(estimated(path, about).effects.idempotent, want, "{path}: {about}");
    };
    check("frob list", "List files", Some(true));
    check("frob pr view", "Display a request", Some(true));
    check("frob list", "", None);
    check("frob list", "Files", None);
    check("frob quux", "List files", None);
    check("frob", "Print a file", None);
    check("frob check", "Check the code", None);
    check("frob config get", "Print a value", None);
    check("frob list", "Check and list files", None);
}

#[test]
fn nothing_but_the_read_itself_is_claimed_to_be_safe() {
    for (path, about) in [
        ("frob list", "List files"),
        ("frob quux", "Quux"),
        ("frob rm", "Remove files"),
    ] {
        let effects = serde_json::to_value(estimated(path, about).effects).unwrap();
        for safe in [
            "/network",
            "/destructive",
            "/filesystem/write",
            "/filesystem/delete",
            "/cost/billable",
        ] {
            assert_ne!(effects.pointer(safe), Some(&json!(false)), "{path}: {effects}");
        }
    }
    let unknown = estimated("frob quux", "Frobnicate the quux");
    assert_eq!(serde_json::to_value(&unknown.effects).unwrap(), json!({}));
}

#[test]
fn what_shows_a_secret_says_so_and_is_no_read() {
    let check = |path: &str, about: &str| {
        let found = estimated(path, about);
        assert_eq!(found.effects.extra["x-prints"], "credentials", "{path}");
        assert_eq!((found.class, found.claims_read()), (Unknown, false), "{path}");
    };
    check("frob get-password", "Print it");
    check("frob auth token", "Print it");
    check("frob show", "Show the private key");
}

#[test]
fn effects_have_their_fields_and_their_reasons() {
    let found = estimated("frob bucket delete", "Permanently remove files from a bucket");
    assert_eq!(
        serde_json::to_value(&found.effects).unwrap(),
        json!({
            "filesystem": {"delete": true},
            "destructive": true,
            "modifies": ["remove"],
            "deletes": ["bucket", "files"],
        })
    );
    let why = |field: &str| {
        let reason = found.reasons.iter().find(|reason| reason.field == field).unwrap();
        (reason.place, reason.word.as_str())
    };
    assert_eq!(why("destructive"), (Place::Name, "delete"));
    assert_eq!(why("filesystem.delete"), (Place::Description, "remove"));
    let marks = found.marks();
    assert_eq!(marks["class"], "destructive");
    assert_eq!(
        marks["because"][0],
        json!({"field": "deletes", "in": "name", "word": "delete"})
    );

    let sent = estimated("frob", "Send a mail").effects;
    assert_eq!((sent.network, sent.reversible), (Some(true), Some(false)));
    let run = estimated("frob exec", "").effects;
    assert_eq!((run.subprocess, run.idempotent), (Some(true), Some(false)));
    let paid = estimated("frob charge", "").effects;
    assert_eq!(paid.cost.and_then(|cost| cost.billable), Some(true));
    let listed = estimated("frob list", "List packages of the registry").effects;
    assert_eq!((listed.network, listed.idempotent), (Some(true), Some(true)));
}
