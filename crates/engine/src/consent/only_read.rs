//! Whether a call only reads a file that its words name.
//!
//! What the sandbox does not let it write, it reads. Of the rest only a description can tell: a script that is run, or a
//! path beside those that are said to be written. On doubt it may be written, and stays the real one.

use std::path::Path;

use argrail_spec::atip::{Effects, claim};
use serde_json::Value;

use super::named_paths::{place, texts};
use crate::policy::{Basis, Facts};
use crate::profile::Profile;

/// Parameters that are read where a tool runs what it finds: names in the catalogue.
const READ: [&str; 6] = [
    "script",
    "program",
    "makefile",
    "requirement",
    "constraint",
    "env-file",
];

/// Whether every command that names the file only reads it.
pub(super) fn only_read(
    facts: &Facts,
    path: &Path,
    directory: &Path,
    home: &Path,
    profile: &Profile,
) -> bool {
    !is_writable(path, profile) || at(facts, path, directory, home)
}

/// Whether the sandbox lets it be written.
pub(super) fn is_writable(path: &Path, profile: &Profile) -> bool {
    profile.policy.write.iter().any(|pattern| pattern.matches(path))
}

fn at(facts: &Facts, path: &Path, directory: &Path, home: &Path) -> bool {
    let named = texts(&facts.invoked).any(|text| place(text, directory, home).as_deref() == Some(path));
    let all_read = facts.inner.len() >= facts.invoked.inner.len();
    let inside = facts.inner.iter().all(|inner| at(inner, path, directory, home));
    all_read && inside && (!named || reads(facts, path, directory, home))
}

fn reads(facts: &Facts, path: &Path, directory: &Path, home: &Path) -> bool {
    let effects = &facts.invoked.effects;
    if facts.basis == Basis::Undescribed || *effects == Effects::default() {
        return false;
    }
    let says = |key| claim(effects, key) == Some(true);
    if !says("filesystem.write") && !says("filesystem.delete") {
        return true;
    }
    let written = effects
        .filesystem
        .as_ref()
        .and_then(|files| files.paths.as_deref());
    match written.filter(|written| !written.is_empty()) {
        Some(written) => !written.iter().any(|text| holds(text, path, directory, home)),
        None => is_run(facts, path, directory, home),
    }
}

/// Whether a path that is said to be written is this one, or one above it.
fn holds(text: &str, path: &Path, directory: &Path, home: &Path) -> bool {
    let fixed = text.split(['*', '?', '[', '{']).next().unwrap_or_default();
    match place(fixed, directory, home) {
        // A glob stands for something beside its fixed part, too.
        Some(place) if fixed.len() < text.len() => place.parent().is_none_or(|above| path.starts_with(above)),
        Some(place) => path.starts_with(place),
        None => true,
    }
}

/// Whether it is what an interpreter runs.
fn is_run(facts: &Facts, path: &Path, directory: &Path, home: &Path) -> bool {
    let invoked = &facts.invoked;
    let runs = invoked.effects.extra.get("x-runs").and_then(Value::as_str) == Some("workspace-code");
    let is_it = |text: &str| place(text, directory, home).as_deref() == Some(path);
    let read = |name: &str| READ.contains(&name);
    let words = invoked.words.iter().filter(|word| is_it(&word.text));
    let words = words.map(|word| word.name.as_deref().is_some_and(read));
    let values = invoked.options.iter().flat_map(|option| {
        let values = option.values.iter().filter(|value| is_it(value));
        values.map(|_| read(&option.name))
    });
    let mut named = words.chain(values).peekable();
    runs && named.peek().is_some() && named.all(|read| read)
}
