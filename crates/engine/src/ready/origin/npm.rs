//! npm's folders: a program of a package lies in it, and the package says that it is its program.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::lists::read;

/// Returns the package of a registry that the file is a program of; of nested ones the outermost, which was installed by
/// name.
pub(super) fn owner(real: &Path) -> Option<String> {
    let (modules, folder) = outermost(real)?;
    let package = modules.join(&folder);
    let said = json(&package.join("package.json"))?;
    if said.get("private") == Some(&Value::Bool(true)) || !has_program(&said, &package, real) {
        return None;
    }
    let name = said.get("name")?.as_str()?;
    let is_alias = name != folder;
    // What npm noted when it put the package there. It notes nothing of global ones.
    let notes = json(&modules.join(".package-lock.json"));
    let note = notes.as_ref().and_then(|notes| {
        let packages = notes.get("packages")?;
        packages.get(format!("node_modules/{folder}"))
    });
    match note {
        Some(note) => {
            let from = note.get("resolved").and_then(Value::as_str).unwrap_or_default();
            let is_public = from.starts_with("https://") && from.ends_with(".tgz");
            let noted = note.get("name").and_then(Value::as_str);
            let is_noted = !is_alias || noted == Some(name);
            (is_public && is_noted).then(|| name.to_owned())
        }
        None => (!is_alias).then(|| name.to_owned()),
    }
}

/// The first `node_modules` of a path, and the folder of a package in it: `tool`, `@acme/tool`.
fn outermost(real: &Path) -> Option<(PathBuf, String)> {
    let mut modules = PathBuf::new();
    let mut parts = real.iter();
    for part in parts.by_ref() {
        modules.push(part);
        if part == "node_modules" {
            break;
        }
    }
    let first = parts.next()?.to_str()?;
    if !first.starts_with('@') {
        return Some((modules, first.to_owned()));
    }
    let second = parts.next()?.to_str()?;
    Some((modules, format!("{first}/{second}")))
}

/// Whether a package names a file as one of its programs.
fn has_program(said: &Value, package: &Path, real: &Path) -> bool {
    let files: Vec<&str> = match said.get("bin") {
        Some(Value::String(file)) => vec![file],
        Some(Value::Object(programs)) => programs.values().filter_map(Value::as_str).collect(),
        Some(_) | None => Vec::new(),
    };
    let is_it = |file: &&str| package.join(file).canonicalize().is_ok_and(|file| file == real);
    files.iter().any(is_it)
}

fn json(path: &Path) -> Option<Value> {
    serde_json::from_slice(&read(path)?).ok()
}
