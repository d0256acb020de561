//! A home with tools that print help, and what `argrail infer` says about them.

use std::fs;
use std::path::PathBuf;

use argrail_testkit::{Home, Run};
use serde_json::Value;

use crate::ARGRAIL;

/// A home with tools.
pub(super) struct Ground {
    pub(super) home: Home,
}

/// A script that prints `text` for these words, and complains about others.
pub(super) fn printing(cases: &[(&str, &str)]) -> String {
    let mut script = "#!/bin/sh\ncase \"$*\" in\n".to_owned();
    for (words, text) in cases {
        script.push_str(&format!("'{words}') cat <<'EOF'\n{text}\nEOF\n;;\n"));
    }
    script.push_str("*) echo \"error: unrecognized option: $*\" >&2; exit 2;;\nesac\n");
    script
}

/// A tool with two commands, one of which has one below it.
pub(super) const NOTES: &[(&str, &str)] = &[
    (
        "--help",
        "Keeps notes.\n\nUsage: argnotes [OPTIONS] COMMAND\n\nCommands:\n  list     List all notes\n  box      Work with boxes\n\n\
         Options:\n  -q, --quiet          Say less\n      --colour WHEN    Use colours [possible values: always, never]\n  \
         -V, --version        Print the version",
    ),
    ("--version", "argnotes 3.1.4"),
    (
        "list --help",
        "List all notes\n\nUsage: argnotes list [OPTIONS] [WORD]...\n\nOptions:\n  -l, --long    Show more of each",
    ),
    (
        "box --help",
        "Work with boxes\n\nUsage: argnotes box COMMAND\n\nCommands:\n  empty    Delete every note in a box",
    ),
    (
        "box empty --help",
        "Delete every note in a box\n\nUsage: argnotes box empty [OPTIONS] BOX\n\nOptions:\n  -f, --force    Do not ask",
    ),
];

impl Ground {
    pub(super) fn new() -> Self {
        Self { home: Home::new() }
    }

    /// A home with the tool `argnotes`.
    pub(super) fn with_notes() -> Self {
        Self::new().tool("argnotes", &printing(NOTES))
    }

    pub(super) fn tool(self, name: &str, script: &str) -> Self {
        Self {
            home: self.home.tool(name, script),
        }
    }

    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.home.root().join(relative)
    }

    /// Writes a file below the home's root.
    pub(super) fn put(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(super) fn run(&self, words: &[&str]) -> Run {
        self.home.run(ARGRAIL, words)
    }

    /// Infers, and returns the data of the envelope. A machine that is busy with other tests is slow.
    #[track_caller]
    pub(super) fn infer(&self, words: &[&str]) -> Value {
        let mut all = vec!["infer", "--json"];
        all.extend(words);
        if !words.contains(&"--timeout") {
            all.extend(["--timeout", "50s"]);
        }
        let run = self.run(&all);
        assert_eq!(run.exit, Some(0), "{run}");
        run.json()["data"].clone()
    }
}

/// The flags of the options at a place of metadata.
#[track_caller]
pub(super) fn flags(metadata: &Value, pointer: &str) -> Vec<String> {
    let options = metadata
        .pointer(pointer)
        .and_then(Value::as_array)
        .unwrap_or_else(|| panic!("{pointer} in {metadata:#}"));
    let flags = options
        .iter()
        .flat_map(|option| option["flags"].as_array().unwrap());
    let mut flags: Vec<String> = flags.map(|flag| flag.as_str().unwrap().to_owned()).collect();
    flags.sort();
    flags
}

/// The names of the commands at a place of metadata.
pub(super) fn commands(metadata: &Value, pointer: &str) -> Vec<String> {
    let commands = metadata.pointer(pointer).and_then(Value::as_object);
    let mut names: Vec<String> = commands
        .map(|commands| commands.keys().cloned().collect())
        .unwrap_or_default();
    names.sort();
    names
}
