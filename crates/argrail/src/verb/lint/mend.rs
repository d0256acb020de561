//! `--fix`: a file is replaced as a whole or not at all, keeps its mode, and what was changed is said.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use argrail_acli::Error;
use argrail_engine::files::atomic::{Access, Durability, replace};
use argrail_engine::files::untrusted::{Contents, FileError};
use argrail_spec::doc::{Diagnostic, place};
use argrail_spec::lint::{Strictness, fix};

use super::files::told;
use crate::foreign::one_line;
use crate::out;

/// Mends what can be mended without a thought; returns how many changes were made.
pub(super) fn mend(
    path: &Path,
    name: &str,
    contents: &mut Contents,
    strictness: Strictness,
) -> Result<usize, Error> {
    // What is no text cannot be mended; checking it says so.
    let Ok(text) = std::str::from_utf8(&contents.bytes) else {
        return Ok(0);
    };
    let (mended, done) = fix(name, text, strictness);
    if done.is_empty() {
        return Ok(0);
    }
    // Through a symlink to the file it stands for: replacing the link would leave the file as it was.
    let file = path
        .canonicalize()
        .map_err(|error| told(&FileError::io(path, error)))?;
    let access = Access::Mode(contents.metadata.permissions().mode() & 0o777);
    replace(&file, mended.as_bytes(), access, Durability::Synced).map_err(|error| told(&error))?;
    for change in &done {
        out::say(&one_line(&say(name, &contents.bytes, change)));
    }
    contents.bytes = mended.into_bytes();
    Ok(done.len())
}

fn say(name: &str, text: &[u8], change: &Diagnostic) -> String {
    let at = place(text, change.span.start);
    format!("{name}:{at}: mended [{}]: {}", change.code, change.message)
}
