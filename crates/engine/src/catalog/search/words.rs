//! A text as words that can be compared: lower case, without endings, with the words that mean the same.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Words that say nothing about what is wanted.
const EMPTY: [&str; 45] = [
    "a", "all", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "how", "i",
    "in", "into", "is", "it", "its", "me", "my", "of", "on", "or", "our", "please", "some", "that", "the",
    "their", "this", "to", "use", "want", "we", "what", "when", "where", "which", "will", "with", "you",
    "your",
];

/// Words that people use for the same act or thing. The first of each row stands for all.
const SAME: [&[&str]; 26] = [
    &[
        "delete",
        "remove",
        "rm",
        "destroy",
        "erase",
        "drop",
        "purge",
        "uninstall",
        "unset",
    ],
    &["list", "ls", "show", "display", "enumerate", "view", "print"],
    &["create", "new", "add", "make", "open", "init", "initialize"],
    &["get", "fetch", "download", "retrieve", "pull"],
    &["send", "upload", "push", "publish", "submit"],
    &["change", "edit", "modify", "update", "alter", "set", "patch"],
    &["search", "find", "grep", "look", "query", "locate"],
    &["run", "exec", "execute", "start", "launch", "invoke"],
    &["stop", "kill", "terminate", "end", "halt", "shutdown"],
    &["pr", "pullrequest"],
    &["directory", "folder", "dir"],
    &["repository", "repo", "project"],
    &["copy", "cp", "clone", "duplicate"],
    &["move", "mv", "rename"],
    &["compare", "diff", "difference"],
    &["login", "signin", "authenticate", "auth"],
    &["log", "history", "journal"],
    &["compress", "zip", "archive", "pack", "tar"],
    &["extract", "unzip", "unpack", "decompress", "untar"],
    &["permission", "chmod", "mode", "rights"],
    &["process", "ps", "task", "job"],
    &["container", "docker", "pod"],
    &["environment", "env", "variable"],
    &["configuration", "config", "setting", "preference"],
    &["issue", "ticket", "bug"],
    &["check", "verify", "validate", "test", "lint"],
];

/// The stem that stands for each stem of [`SAME`]; the first row that has it counts.
static CONCEPTS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut concepts = HashMap::new();
    for row in SAME {
        for same in row {
            let first = row.first().map_or_else(String::new, |first| stem(first));
            concepts.entry(stem(same)).or_insert(first);
        }
    }
    concepts
});

/// Several words that are one.
const PHRASES: [(&str, &str); 6] = [
    ("pull request", "pullrequest"),
    ("tear down", "destroy"),
    ("shut down", "shutdown"),
    ("sign in", "signin"),
    ("log in", "login"),
    ("set up", "init"),
];

/// The longest word that is looked at, in characters.
const MAX_WORD: usize = 40;

/// A word as it stands and as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// Lower case, without an ending.
    pub(super) stem: String,
    /// The word that stands for it and its like; the stem where there is none.
    pub(super) concept: String,
}

/// Returns the words of `text` that mean something.
pub(super) fn words(text: &str) -> Vec<Word> {
    let text = PHRASES.iter().fold(text.to_lowercase(), |text, (phrase, word)| {
        text.replace(phrase, word)
    });
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '+');
    parts
        .filter(|part| !part.is_empty() && !EMPTY.contains(part))
        .map(|part| word(&part.chars().take(MAX_WORD).collect::<String>()))
        .collect()
}

fn word(text: &str) -> Word {
    let stem = stem(text);
    let concept = CONCEPTS.get(&stem).unwrap_or(&stem).clone();
    Word { concept, stem }
}

/// Takes the endings off that English puts on: crude, and the same for both sides.
fn stem(word: &str) -> String {
    let long = |rest: &str| rest.chars().count() >= 3;
    let mut stem = word;
    for ending in ["ies", "ings", "ing", "ed", "es", "s"] {
        // `PRs` is a plural, too.
        let short_plural = |rest: &str| ending == "s" && rest.chars().count() == 2;
        let ends = stem.strip_suffix(ending);
        if let Some(rest) = ends.filter(|rest| long(rest) || short_plural(rest)) {
            // Words such as `process` end in two.
            if ending == "s" && rest.ends_with('s') {
                break;
            }
            stem = rest;
            break;
        }
    }
    stem.strip_suffix(['e', 'y'])
        .filter(|rest| long(rest))
        .unwrap_or(stem)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_mean_the_same_are_the_same() {
        let check = |one: &str, other: &str| {
            let concepts = |text: &str| {
                words(text)
                    .into_iter()
                    .map(|word| word.concept)
                    .collect::<Vec<_>>()
            };
            assert_eq!(concepts(one), concepts(other), "{one:?}, {other:?}");
        };
        check("Delete the branches", "removing a branch");
        check("pull request", "PR");
        check("listing files", "ls file");
        check("downloads", "fetched");
        check("processes", "process");
        check("copies", "copying");
        check("g++ 7z", "G++ 7Z");
        assert!(words("how do I").is_empty());
    }
}
