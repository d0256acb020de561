//! What no child changes, wherever calls happen.

use argrail_sandbox::policy::Protected;

use super::ground::Ground;

/// Whether a child is git itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Git {
    /// It is, or starts it: what is git's in the workspaces is left to it.
    Itself,
    /// It is not.
    Other,
}

/// Returns what is protected from a child: the list, for the home, the working directory and the roots; where programs
/// are looked for and installed; what is argrail's own.
pub(crate) fn protected(ground: &Ground, git: Git) -> Protected {
    let all = Protected::standard(&ground.home, &ground.directory);
    let all = ground.roots.iter().fold(all, |all, root| all.workspace(root));
    let all = all
        .search_path(ground.search.iter().cloned().chain([ground.installed.clone()]))
        .hide("it belongs to argrail", ground.own.iter().cloned());
    match git {
        Git::Other => all,
        Git::Itself => {
            let workspaces = std::iter::once(&ground.directory).chain(&ground.roots);
            workspaces.fold(all, |all, root| all.for_git(root))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use serde_json::Value;

    use super::*;
    use crate::catalog::shipped;

    /// Paths in a home that a description says its tool writes.
    fn written(value: &Value, paths: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => {
                let files = members.get("filesystem").and_then(Value::as_object);
                let writes = |key| files.is_some_and(|files| files.get(key) == Some(&Value::Bool(true)));
                if writes("write") || writes("delete") {
                    let list = files.and_then(|files| files.get("paths")?.as_array());
                    let texts = list.into_iter().flatten().filter_map(Value::as_str);
                    paths.extend(
                        texts
                            .filter_map(|text| text.strip_prefix("~/"))
                            .map(str::to_owned),
                    );
                }
                members.values().for_each(|value| written(value, paths));
            }
            Value::Array(items) => items.iter().for_each(|value| written(value, paths)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// A list that is too long gets in the way of what argrail itself describes.
    #[test]
    fn what_shipped_tools_write_in_a_home_is_not_protected() {
        let protected = Protected::standard(Path::new("/h"), Path::new("/w"));
        let mut kept = BTreeSet::new();
        for name in shipped::names() {
            let text = shipped::find(name).unwrap().text();
            let mut paths = BTreeSet::new();
            written(&serde_json::from_slice(text.as_ref()).unwrap(), &mut paths);
            for path in paths {
                let mut known = protected.iter().map(|(known, ..)| known);
                if known.any(|known| Path::new("/h").join(&path).starts_with(known)) {
                    kept.insert(format!("{name} {path}"));
                }
            }
        }
        // Which directories direnv trusts is a person's word, and so is which machines ssh knows.
        let expected = ["direnv .local/share/direnv/", "minikube .ssh/"];
        assert_eq!(kept, expected.map(str::to_owned).into());
    }
}
