//! A home whose store has questions in it.

use std::ffi::OsString;
use std::time::Duration;

use argrail_engine::places::Places;
use argrail_engine::policy::RequestId;
use argrail_engine::store::{Asked, Caps, NewRequest, Request, SqliteStore, State, Store};
use argrail_testkit::{Home, Run, Screen, Size};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::ARGRAIL;

/// As most terminals are.
pub(super) const USUAL: Size = Size {
    rows: 24,
    columns: 80,
};

/// So high that nothing scrolls away.
pub(super) const TALL: Size = Size {
    rows: 120,
    columns: 80,
};

/// A home, and its store.
pub(super) struct Ground {
    pub(super) home: Home,
    pub(super) store: SqliteStore,
}

impl Ground {
    pub(super) fn new() -> Self {
        let home = Home::new().env("TERM", "xterm-256color");
        let root = home.root().to_owned();
        let places = Places::new(|name| {
            let folder = match name {
                "HOME" => "home",
                "XDG_STATE_HOME" => "state",
                _ => return None,
            };
            Some(OsString::from(root.join(folder)))
        });
        let store = SqliteStore::new(&places.unwrap());
        Self { home, store }
    }

    /// Asks as a call would.
    pub(super) fn ask(&self, shown: &Value) -> String {
        self.ask_for(shown, Duration::from_secs(600))
    }

    /// Asks, for so long.
    pub(super) fn ask_for(&self, shown: &Value, lives: Duration) -> String {
        let new = NewRequest {
            binding: format!("{:064x}", getrandom_like(shown)),
            caller: "local:helper".to_owned(),
            shown: shown.clone(),
            lives,
        };
        let caps = Caps {
            per_caller: 16,
            all: 128,
        };
        match self.store.ask(&new, caps, Timestamp::now()).unwrap() {
            Asked::Waits(request) => request.id.to_string(),
            Asked::Full(caps) => panic!("{caps:?}"),
        }
    }

    /// What became of a question.
    pub(super) fn state(&self, id: &str) -> State {
        self.request(id).state
    }

    pub(super) fn request(&self, id: &str) -> Request {
        let id = RequestId(id.to_owned());
        self.store.request(&id, Timestamp::now()).unwrap().unwrap()
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Run {
        self.home.run(ARGRAIL, arguments)
    }

    /// Runs to the end and returns the exit code and the envelope.
    pub(super) fn json(&self, arguments: &[&str]) -> (Option<i32>, Value) {
        let run = self.run(arguments);
        let envelope = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"));
        (run.exit, envelope)
    }

    /// Approves something dangerous at a terminal, with the code that is shown there.
    #[track_caller]
    pub(super) fn approve_with_code(&self, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
        let mut terminal = self.at_terminal(arguments, TALL);
        type_code(&mut terminal);
        terminal.wait()
    }

    /// Approves something harmless at a terminal: reads it, and says yes.
    #[track_caller]
    pub(super) fn approve(&self, id: &str, more: &[&str]) -> (Option<i32>, Vec<String>) {
        let arguments: Vec<&str> = ["approve", id].iter().chain(more).copied().collect();
        let mut terminal = self.at_terminal(&arguments, TALL);
        say_yes(&mut terminal);
        terminal.wait()
    }

    pub(super) fn at_terminal(&self, arguments: &[&str], size: Size) -> Screen {
        self.home.spawn_on_screen(ARGRAIL, arguments, size)
    }
}

/// Waits until a yes is asked for, and types it.
#[track_caller]
pub(super) fn say_yes(terminal: &mut Screen) {
    // Nothing foreign begins a line.
    terminal.expect_that("the last question", |lines| {
        lines
            .iter()
            .any(|line| line.starts_with("Run this, with all its "))
    });
    terminal.type_in("y\n");
}

/// Waits for the code of a dangerous question, and types it.
#[track_caller]
pub(super) fn type_code(terminal: &mut Screen) {
    let lines = terminal.expect_that("a code", |lines| lines.iter().any(|line| code(line).is_some()));
    let code = lines.iter().find_map(|line| code(line)).unwrap();
    terminal.type_in(&format!("{code}\n"));
}

/// The code at the end of a line that asks for it.
fn code(line: &str) -> Option<String> {
    let (_, code) = line.split_once("words, type ")?;
    let code = code.strip_suffix(':')?;
    (code.len() == 4).then(|| code.to_owned())
}

/// A number that is the same for the same question only.
fn getrandom_like(shown: &Value) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};

    let mut hasher = DefaultHasher::new();
    shown.to_string().hash(&mut hasher);
    hasher.finish()
}

/// What a harmless push asks.
pub(super) fn push() -> Value {
    json!({
        "command": "git push",
        "tool": "git",
        "argv": ["/usr/bin/git", "push", "--tags", "origin", "main"],
        "options": [{"name": "tags", "spelt": "--tags", "values": []}],
        "words": ["origin", "main"],
        "effects": ["network", "changes a remote"],
        "reasons": [{"rule": "change", "origin": "catalogue:git", "effect": "network", "decision": "ask"}],
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
        "files": [],
        "destructive": false,
        "billable": false,
        "unread": false,
        "callerName": "helper",
        "suggest": "git push origin main --tags= host=git.example.com path=/srv/project",
        "scope": {
            "call": {
                "tool": "git",
                "subcommands": ["push"],
                "words": ["origin", "main"],
                "options": [{"spelt": "--tags", "spellings": ["--tags"], "values": [], "negated": false}],
                "unverified": [],
                "programs": [],
                "hosts": {"named": ["git.example.com"]},
                "paths": [],
                "dangers": [],
            },
            "options": ["--tags", "--force"],
        },
    })
}

/// The same, dangerous.
pub(super) fn force_push() -> Value {
    let mut shown = push();
    shown["destructive"] = json!(true);
    shown["suggest"] =
        json!("git push origin main --tags= host=git.example.com path=/srv/project +destructive");
    shown["scope"]["call"]["dangers"] = json!(["destructive"]);
    shown
}

/// A question with these words and nothing else about it.
pub(super) fn of_words(words: &[&str]) -> Value {
    let mut shown = push();
    shown["argv"] = json!(words);
    shown["options"] = json!([]);
    shown["words"] = json!([]);
    shown
}
