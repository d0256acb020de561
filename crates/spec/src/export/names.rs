//! The name of a function: `gh pr create` is `gh_pr_create`, for every provider, today and tomorrow.
//!
//! It depends on the tool and the path alone. Words without `_` joined by it can be told apart, so the plain form is
//! used where every word is plain. Anything else (a word that holds `_` or another character, a name that is too
//! long or starts with a digit) gets two underscores and a digest of the words, which no plain form contains:
//! `gh pr_create` can never take the name of `gh pr create`.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::provider::NAME_LENGTH;

/// How many bytes of the digest are shown, twice as many characters.
const SHOWN: usize = 5;

/// Returns the name of the function for these words, the tool's name first.
pub(crate) fn function<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    let plain = words.join("_");
    let is_plain = words
        .iter()
        .all(|word| !word.is_empty() && word.chars().all(is_kept))
        && plain.len() <= NAME_LENGTH
        && plain.starts_with(|c: char| c.is_ascii_alphabetic());
    if is_plain {
        return plain;
    }
    with_digest(&plain, &words)
}

/// Returns `shown`, made fit and short enough, followed by a digest of `words`.
pub(crate) fn with_digest(shown: &str, words: &[&str]) -> String {
    let mut hash = Sha256::new();
    for word in words {
        // With its length first, no other words have the same bytes.
        hash.update((word.len() as u64).to_be_bytes());
        hash.update(word.as_bytes());
    }
    let mut suffix = String::from("__");
    for byte in hash.finalize().iter().take(SHOWN) {
        // Writing to a String cannot fail.
        let _ = write!(suffix, "{byte:02x}");
    }
    let mut name = fit(shown);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.insert(0, '_');
    }
    name.truncate(NAME_LENGTH - suffix.len());
    name + &suffix
}

/// Returns `text` with `_` for everything but letters, digits and `-`. It is ASCII.
pub(crate) fn fit(text: &str) -> String {
    text.chars().map(|c| if is_kept(c) { c } else { '_' }).collect()
}

fn is_kept(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_words_are_joined_and_others_get_a_digest() {
        let check = |words: &[&str], want: &str| assert_eq!(function(words.iter().copied()), want);
        check(&["gh", "pr", "create"], "gh_pr_create");
        check(&["curl"], "curl");
        check(&["apt-get", "install"], "apt-get_install");
        // These are an interface: a change of any is a breaking one.
        check(&["gh", "pr_create"], "gh_pr_create__a7aacdab5a");
        check(&["gh_pr", "create"], "gh_pr_create__8e05e598c7");
        check(&["g++"], "g____8dbb85bebf");
        check(&["7z", "x"], "_7z_x__132cb8c3fb");
        check(&["python3.11"], "python3_11__b5bebff4fa");
        check(&["größe"], "gr__e__c36db57bc3");
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let long = "x".repeat(80);
        let (one, two) = (function(["t", &long, "a"]), function(["t", &long, "b"]));
        assert_eq!((one.len(), two.len()), (64, 64));
        assert_ne!(one, two);
    }

    fn is_valid(name: &str) -> bool {
        name.len() <= 64
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    }

    proptest! {
        #[test]
        fn every_name_is_valid(words in prop::collection::vec(any::<String>(), 1..5)) {
            let name = function(words.iter().map(String::as_str));
            prop_assert!(is_valid(&name), "{}", name);
        }

        #[test]
        fn different_words_have_different_names(
            all in prop::collection::vec(prop::collection::vec("[ab_.-]{0,3}", 1..4), 2..20),
        ) {
            let mut seen: HashMap<String, &Vec<String>> = HashMap::new();
            for words in &all {
                let name = function(words.iter().map(String::as_str));
                let first = seen.entry(name).or_insert(words);
                prop_assert_eq!(&*first, &words);
            }
        }
    }
}
