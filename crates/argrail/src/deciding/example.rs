//! A question as tests use it.

use argrail_engine::policy::RequestId;
use argrail_engine::store::{Request, State};
use jiff::Timestamp;
use serde_json::{Value, json};

/// A moment.
pub(crate) const NOW: Timestamp = Timestamp::UNIX_EPOCH;

/// A question that a force push asks.
pub(crate) fn request() -> Request {
    Request {
        id: RequestId("k7m2qd".to_owned()),
        binding: "00".repeat(32),
        caller: "local:helper".to_owned(),
        shown: shown(),
        created: NOW,
        expires: NOW + jiff::SignedDuration::from_mins(10),
        times: 1,
        state: State::Pending,
    }
}

/// A question with these words and no danger.
pub(crate) fn of_words(words: &[&str]) -> Request {
    let mut request = request();
    request.shown["argv"] = json!(words);
    request.shown["destructive"] = json!(false);
    request
}

fn shown() -> Value {
    json!({
        "command": "git push",
        "tool": "git",
        "argv": ["/usr/bin/git", "push", "--force", "origin", "main"],
        "options": [{"name": "force", "spelt": "--force", "values": []}],
        "words": ["origin", "main"],
        "effects": ["network", "destructive"],
        "reasons": [{"rule": "danger", "origin": "catalogue:git", "effect": "destructive", "decision": "ask"}],
        "sandbox": {
            "confinement": "effects",
            "read": ["/srv/project"],
            "write": [],
            "egress": ["git.example.com"],
            "exec": "none",
            "env": ["HOME", "PATH"],
            "limits": {"timeMs": 60000},
        },
        "cwd": "/srv/project",
        "files": [{"path": "/srv/project/main", "sha256": "ab".repeat(32), "bytes": 7, "snapshot": true}],
        "destructive": true,
        "billable": false,
        "unread": false,
        "callerName": "helper",
        "suggest": "git push origin main --force",
        "scope": {
            "call": {
                "tool": "git",
                "subcommands": ["push"],
                "words": ["origin", "main"],
                "options": [{"spelt": "--force", "spellings": ["--force", "-f"], "values": [], "negated": false}],
                "unverified": [],
                "programs": [],
                "hosts": {"named": ["git.example.com"]},
                "paths": [],
                "dangers": ["destructive"],
            },
            "options": ["--force", "-f", "--tags", "--all"],
        },
    })
}
