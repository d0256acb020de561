//! Who says which effect of one command: the nearest word on the way down to it.

use argrail_spec::doc::pointer_step;
use indexmap::IndexMap;

/// Origins whose word settles effects: argrail itself, the system, the user.
const SETTLE: [&str; 4] = ["catalogue:", "system:", "config:", "override:"];

/// Returns the origin of each effect of the command that `path` leads to, by its name with dots: `filesystem.write`.
pub(super) fn origins(provenance: &IndexMap<String, String>, path: &[String]) -> IndexMap<String, String> {
    let mut at = String::new();
    let mut places = vec![at.clone()];
    for step in path {
        at = format!("{at}/commands/{}", pointer_step(step));
        places.push(at.clone());
    }
    // The command that is called by the empty name is the group's own call.
    places.push(format!("{at}/commands/"));
    let mut found = IndexMap::new();
    for place in places {
        let prefix = format!("{place}/effects/");
        for (pointer, origin) in provenance {
            if let Some(effect) = pointer.strip_prefix(&prefix) {
                found.insert(effect.replace('/', "."), origin.clone());
            }
        }
    }
    found
}

/// Whether every effect is said by somebody whose word settles it, and there is one.
pub(super) fn are_settled(origins: &IndexMap<String, String>) -> bool {
    let settles = |origin: &String| SETTLE.iter().any(|known| origin.starts_with(known));
    !origins.is_empty() && origins.values().all(settles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_the_one_that_counts() {
        let provenance = IndexMap::from_iter(
            [
                ("/name", "native:gh"),
                ("/effects/network", "native:gh"),
                ("/effects/idempotent", "native:gh"),
                ("/commands/pr/commands/list/effects/network", "override:gh"),
                (
                    "/commands/pr/commands/list/effects/filesystem/write",
                    "override:gh",
                ),
                ("/commands/pr/commands/lister/effects/network", "shim:gh"),
                ("/commands/pr/commands//effects/network", "system:gh"),
            ]
            .map(|(pointer, origin)| (pointer.to_owned(), origin.to_owned())),
        );
        let check = |path: &[&str], want: &[(&str, &str)], settled: bool| {
            let path: Vec<String> = path.iter().map(|step| (*step).to_owned()).collect();
            let found = origins(&provenance, &path);
            let pairs: Vec<(&str, &str)> = found.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
            assert_eq!(pairs, want);
            assert_eq!(are_settled(&found), settled);
        };
        check(
            &[],
            &[("network", "native:gh"), ("idempotent", "native:gh")],
            false,
        );
        check(
            &["pr", "list"],
            &[
                ("network", "override:gh"),
                ("idempotent", "native:gh"),
                ("filesystem.write", "override:gh"),
            ],
            false,
        );
        check(
            &["pr"],
            &[("network", "system:gh"), ("idempotent", "native:gh")],
            false,
        );
        assert!(!are_settled(&IndexMap::new()));
        let only = IndexMap::from_iter([("network".to_owned(), "override:~/x".to_owned())]);
        assert!(are_settled(&only));
    }
}
