//! The examples of `corpus/atip/examples`: our own equivalents of those in the draft, and a few it does not have.

use std::sync::LazyLock;

use argrail_spec::atip::{Metadata, load};

macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        /// Every example, by the name of its file.
        pub(crate) const EXAMPLES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../../../corpus/atip/examples/", $name, ".json")))),*
        ];
    };
}

examples![
    "curl",
    "fields",
    "gh",
    "go_style",
    "itself",
    "kubectl",
    "object_form",
    "odd_names",
    "terraform",
];

/// All of them, loaded once: property tests ask often.
static LOADED: LazyLock<Vec<Metadata>> = LazyLock::new(|| {
    let loaded = EXAMPLES.iter().map(|(_, text)| load(text.as_bytes()).unwrap());
    loaded.map(|loaded| loaded.metadata).collect()
});

/// Returns one example.
pub(crate) fn example(name: &str) -> Metadata {
    let at = EXAMPLES.iter().position(|(known, _)| *known == name).unwrap();
    LOADED[at].clone()
}

/// Returns all of them.
pub(crate) fn all() -> Vec<Metadata> {
    LOADED.clone()
}

#[test]
fn every_example_loads_and_is_emitted_again() {
    for (name, text) in EXAMPLES {
        let given: serde_json::Value = serde_json::from_str(text).unwrap();
        let emitted = serde_json::to_value(example(name)).unwrap();
        assert_eq!(emitted, given, "{name}");
    }
}

#[test]
fn no_example_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/atip/examples");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let known: Vec<String> = EXAMPLES.iter().map(|(name, _)| format!("{name}.json")).collect();
    assert_eq!(files, known);
}
