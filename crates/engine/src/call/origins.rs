//! Whose word about effects settles them.

use indexmap::IndexMap;

/// Origins whose word settles effects: argrail itself, the system, the user.
const SETTLE: [&str; 4] = ["catalogue:", "system:", "config:", "override:"];

/// Whether every effect is said by somebody whose word settles it, and there is one.
pub(super) fn are_settled(origins: &IndexMap<String, String>) -> bool {
    let settles = |origin: &String| SETTLE.iter().any(|known| origin.starts_with(known));
    !origins.is_empty() && origins.values().all(settles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_settles_says_everything_there_is() {
        let check = |said: &[&str], settled: bool| {
            let origins = said
                .iter()
                .map(|origin| ((*origin).to_owned(), (*origin).to_owned()));
            assert_eq!(are_settled(&origins.collect()), settled, "{said:?}");
        };
        check(&[], false);
        check(&["override:~/x"], true);
        check(&["catalogue:gh", "config:x"], true);
        check(&["catalogue:gh", "shim:gh"], false);
    }
}
