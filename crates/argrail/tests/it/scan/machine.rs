//! A machine to scan: a home, programs on its `PATH`, and what is left of them afterwards.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use argrail_testkit::{Run, Terminal};
use serde_json::Value;

use crate::attacks::harness::{Host, Target};

/// What belongs to argrail, below the home's root.
const OWN: [&str; 4] = [
    "cache/agent-tools",
    "config/agent-tools",
    "data/agent-tools",
    "state/argrail",
];

/// A home with programs.
pub(super) struct Machine {
    pub(super) target: Target,
}

/// The metadata of a tool, on one line.
pub(super) fn metadata(name: &str) -> String {
    format!(r#"{{"atip":"0.1","name":"{name}","version":"1.2","description":"Does {name}"}}"#)
}

/// A script that answers `--agent` and nothing else.
pub(super) fn answering(name: &str) -> String {
    format!(
        "#!/bin/sh\n[ \"$1\" = --agent ] || exit 1\ncat <<'EOF'\n{}\nEOF\n",
        metadata(name)
    )
}

impl Machine {
    pub(super) fn new(host: Host) -> Self {
        Self {
            target: Target::new(host),
        }
    }

    /// Puts a script on `PATH`.
    pub(super) fn tool(self, name: &str, script: &str) -> Self {
        Self {
            target: self.target.tool(name, script),
        }
    }

    /// Writes a file below the home's root, readable to its owner.
    pub(super) fn file(self, relative: &str, text: &str) -> Self {
        Self {
            target: self.target.file(relative, text),
        }
    }

    pub(super) fn env(self, name: &str, value: &str) -> Self {
        Self {
            target: self.target.env(name, value),
        }
    }

    /// Something below the home's root.
    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.target.home().root().join(relative)
    }

    pub(super) fn mode(&self, relative: &str, mode: u32) {
        fs::set_permissions(self.path(relative), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Runs `argrail` with these words as the machine's user.
    pub(super) fn run(&self, words: &[&str]) -> Run {
        self.run_from(&[], words)
    }

    /// The same, started in a special way.
    pub(super) fn run_from(&self, start: &[&str], words: &[&str]) -> Run {
        let words = self.words(start, words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.target.home().run(self.target.hostile(), &words)
    }

    /// Starts `argrail` on a terminal.
    pub(super) fn on_terminal(&self, words: &[&str]) -> Terminal {
        let words = self.words(&[], words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.target
            .home()
            .spawn_on_terminal(self.target.hostile(), &words)
    }

    fn words(&self, start: &[&str], words: &[&str]) -> Vec<String> {
        self.target.own();
        let mut all = self.target.start_words();
        all.splice(1..1, start.iter().map(|word| (*word).to_owned()));
        all.push(self.target.path("programs/argrail"));
        all.extend(words.iter().map(|word| (*word).to_owned()));
        all
    }

    /// Scans with these words and returns what was found.
    #[track_caller]
    pub(super) fn scan(&self, words: &[&str]) -> Found {
        let mut all: Vec<&str> = ["scan", "--json"]
            .into_iter()
            .chain(words.iter().copied())
            .collect();
        // A machine that is busy with other tests is slow; only those that are about time say so.
        if all.contains(&"--probe") && !all.contains(&"--timeout") {
            all.extend(["--timeout", "30s"]);
        }
        let run = self.run(&all);
        assert_eq!(run.exit, Some(0), "{run}");
        Found(run.json()["data"].clone())
    }

    /// A JSON file of ours.
    pub(super) fn json(&self, relative: &str) -> Value {
        let text =
            fs::read_to_string(self.path(relative)).unwrap_or_else(|error| panic!("{relative}: {error}"));
        serde_json::from_str(&text).unwrap()
    }

    pub(super) fn registry(&self) -> Value {
        self.json("data/agent-tools/registry.json")
    }

    /// Every path below the home's root that is not argrail's own, with its size.
    pub(super) fn everything_else(&self) -> BTreeSet<(PathBuf, u64)> {
        let mut all = BTreeSet::new();
        let root = self.target.home().root().to_owned();
        let own: Vec<PathBuf> = OWN.iter().map(|own| root.join(own)).collect();
        walk(&root, &own, &mut all);
        all
    }
}

fn walk(directory: &Path, own: &[PathBuf], all: &mut BTreeSet<(PathBuf, u64)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if own.contains(&path) {
            continue;
        }
        let meta = path.symlink_metadata().unwrap();
        // Directories grow when ours are made in them.
        let size = if meta.is_dir() { 0 } else { meta.len() };
        all.insert((path.clone(), size));
        if meta.is_dir() {
            walk(&path, own, all);
        }
    }
}

/// Whether a process runs whose command line holds this word.
pub(super) fn runs(word: &str) -> bool {
    let holds = |entry: fs::DirEntry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|part| part == word.as_bytes())
    };
    fs::read_dir("/proc").unwrap().flatten().any(holds)
}

/// What a scan said.
pub(super) struct Found(pub(super) Value);

impl Found {
    /// Name, source and dialect of what was found.
    pub(super) fn tools(&self) -> Vec<String> {
        let list = self.0["found"].as_array().unwrap();
        list.iter()
            .map(|found| {
                let text = |key: &str| found[key].as_str().unwrap_or("-").to_owned();
                [text("name"), text("source"), text("dialect")].join(" ")
            })
            .collect()
    }

    pub(super) fn names(&self, list: &str) -> Vec<&str> {
        let items = self.0[list].as_array().unwrap();
        let name = |item: &'_ Value| item.as_str().is_some();
        assert!(items.iter().all(|item| name(item) || item["name"].is_string()));
        items
            .iter()
            .map(|item| item.as_str().unwrap_or_else(|| item["name"].as_str().unwrap()))
            .collect()
    }

    /// Why a path, known by its end, is in one of the lists of reasons.
    pub(super) fn reason(&self, list: &str, path: &str) -> Option<&str> {
        let items = self.0[list].as_array().unwrap();
        let item = items
            .iter()
            .find(|item| item["path"].as_str().unwrap().ends_with(path))?;
        item["reason"].as_str()
    }

    #[track_caller]
    pub(super) fn says(&self, list: &str, path: &str, reason: &str) {
        let said = self.reason(list, path);
        assert!(
            said.is_some_and(|said| said.contains(reason)),
            "{path}: {said:?} in {}",
            self.0
        );
    }

    pub(super) fn executed(&self) -> u64 {
        self.0["executed"].as_u64().unwrap()
    }
}
