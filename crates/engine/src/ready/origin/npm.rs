//! npm's folders: a program of a package lies in it.

use std::path::Path;

/// Returns the package that the file lies in; of nested ones the outermost, which was installed by name.
pub(super) fn owner(real: &Path) -> Option<String> {
    let mut parts = real.iter().map(|part| part.to_str());
    parts.find(|part| *part == Some("node_modules"))?;
    let first = parts.next()??;
    if !first.starts_with('@') {
        return Some(first.to_owned());
    }
    Some(format!("{first}/{}", parts.next()??))
}
