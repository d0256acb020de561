//! Manifests that nobody would write: damaged, endless, and made of anything.

use proptest::prelude::*;

use super::cases;
use super::fields::{FILES, assembled};
use crate::fuzzed::manifest;

/// Every manifest of the corpus.
fn texts() -> Vec<String> {
    let all = FILES.iter().map(|(_, text)| cases(text));
    all.flat_map(|(base, cases)| {
        cases
            .into_iter()
            .map(move |case| assembled(&base, &case))
            .collect::<Vec<_>>()
    })
    .collect()
}

#[test]
fn every_manifest_of_the_corpus_is_held_by_the_fuzzed_rules_as_every_kind() {
    for text in texts().iter().step_by(7) {
        manifest(text.as_bytes());
    }
}

#[test]
fn a_flood_of_everything_is_bounded() {
    let many = |line: &str| format!("---\ninstall:\n{}---\n", line.repeat(900));
    manifest(many("  - { method: nix, experimental: true }\n").as_bytes());
    manifest(many("  - { method: \"\\0\", x: \"\\u202e\" }\n").as_bytes());
    let nested = format!(
        "---\ncommands: {}a: b{}\n---\n",
        "{ a: ".repeat(60),
        " }".repeat(60)
    );
    manifest(nested.as_bytes());
    let words = format!(
        "---\nid: {}\nname: {}\n---\n",
        "é".repeat(90_000),
        "\u{200b}".repeat(9_000)
    );
    manifest(words.as_bytes());
    let unknown: String = (0..3_000).map(|index| format!("field{index}: 1\n")).collect();
    manifest(format!("---\n{unknown}---\n").as_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_text_is_refused_or_read(text in "(---\n)?[a-z:\\[\\]{}\"'|>&*!%@`,?# \t\n\\-0-9ö\u{feff}]{0,200}(\n---\n)?.{0,8}") {
        manifest(text.as_bytes());
    }

    #[test]
    fn any_bytes_are_refused_or_read(mut text in prop::collection::vec(any::<u8>(), 0..200)) {
        manifest(&text);
        text.splice(0..0, *b"---\n");
        text.extend(b"\n---\n");
        manifest(&text);
    }

    #[test]
    fn damaged_manifests_are_refused_or_read(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        cut in 0usize..30,
        put in "[a-z:\\[\\]{}\"'|>&*!\n \\-0-9]{0,10}",
    ) {
        let texts = texts();
        let text = &texts[which.index(texts.len())];
        let start = at.index(text.len());
        let mut bytes = text.clone().into_bytes();
        let end = (start + cut).min(bytes.len());
        bytes.splice(start..end, put.bytes());
        manifest(&bytes);
    }
}
