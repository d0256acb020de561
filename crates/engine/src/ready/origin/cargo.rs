//! cargo's list of what it installed: a crate, its source, and its programs, a line each.

use std::path::Path;

use super::lists::read;

/// Returns the crate of a registry that a program is of.
pub(super) fn owner(program: &Path) -> Option<String> {
    let name = program.file_name()?.to_str()?;
    let folder = program.parent()?;
    let list = read(&folder.parent()?.join(".crates.toml"))?;
    let list = String::from_utf8_lossy(&list);
    let quoted = format!("\"{name}\"");
    list.lines().find_map(|line| {
        let (about, programs) = line.split_once(" = [")?;
        let has = programs
            .trim_end_matches(']')
            .split(',')
            .any(|program| program.trim() == quoted);
        let about = about.trim_matches('"');
        let is_public = about.contains("(registry+") || about.contains("(sparse+");
        (has && is_public).then(|| about.split(' ').next().map(str::to_owned))?
    })
}
