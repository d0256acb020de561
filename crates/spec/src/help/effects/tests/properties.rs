//! What holds for every text: more danger never makes an estimate better, and no text does harm.

use proptest::prelude::*;

use super::super::{Class, estimate, estimate_option};
use super::options::option;
use crate::help::Page;

/// Words that are nothing but dangerous.
const DANGERS: &[&str] = &[
    "delete",
    "remove",
    "destroy",
    "purge",
    "erase",
    "wipe",
    "overwrite",
    "terminate",
];

/// Words as descriptions have them, with all that could turn the sense of a sentence.
const WORDS: &[&str] = &[
    "list",
    "show",
    "prints",
    "create",
    "creates",
    "updated",
    "set",
    "run",
    "reset",
    "send",
    "files",
    "branches",
    "the",
    "a",
    "not",
    "never",
    "without",
    "no",
    "does",
    "and",
    "or",
    "nor",
    "to",
    "be",
    "is",
    "are",
    "that",
    "which",
    "it",
    "only",
    "will",
    "can",
    "quickly",
    "permanently",
    ",",
    ".",
    ";",
    "-",
    "/",
    "(",
    "deleted",
    "removing",
    "undone",
    "cannot",
    "tag",
    "instead",
    "of",
    "tool",
    "this",
    "command",
    "log",
    "in",
    "up",
    "disk",
    "format",
    "frobnicate",
    "token",
];

fn sentence() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(WORDS), 0..14)
}

fn of(name: &str, about: &str, page: &Page) -> Class {
    estimate(&["frob", name], page, Some(about)).class
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_dangerous_word_in_a_description_never_makes_it_better(
        words in sentence(), name in prop::sample::select(&["list", "quux", "set", "status"][..]),
        danger in prop::sample::select(DANGERS), at in any::<prop::sample::Index>(),
    ) {
        let before = of(name, &words.join(" "), &Page::default());
        let mut more = words.clone();
        more.insert(at.index(words.len() + 1), danger);
        let after = of(name, &more.join(" "), &Page::default());
        prop_assert!(after >= before, "{words:?} is {before:?}, {more:?} is {after:?}");
    }

    #[test]
    fn a_dangerous_word_in_a_name_makes_it_destructive(
        parts in prop::collection::vec("[a-z]{1,8}", 0..4), danger in prop::sample::select(DANGERS),
        at in any::<prop::sample::Index>(), about in sentence(),
    ) {
        let mut parts = parts;
        parts.insert(at.index(parts.len() + 1), danger.to_owned());
        prop_assert_eq!(of(&parts.join("-"), &about.join(" "), &Page::default()), Class::Destructive);
    }

    #[test]
    fn options_never_make_it_better(
        about in sentence(), flags in prop::collection::vec(("--[a-z]{1,6}(-[a-z]{1,6})?( FILE)?", sentence()), 0..4),
        known in prop::sample::subsequence(vec!["--force", "--dry-run", "--delete", "--output FILE", "--yes"], 0..5),
    ) {
        let mut page = Page::default();
        let before = of("list", &about.join(" "), &page);
        page.options.extend(flags.iter().map(|(spec, about)| option(spec, &about.join(" "))));
        page.options.extend(known.iter().map(|spec| option(spec, "")));
        prop_assert!(of("list", &about.join(" "), &page) >= before);
    }

    #[test]
    fn no_text_does_harm(name in "\\PC*", above in ".{0,40}", about in "(?s).*", flag in ".{0,20}") {
        let page = Page { options: vec![option(&flag, &about)], about: Some(name.clone()), ..Page::default() };
        let found = estimate(&[&above, &name], &page, Some(&about));
        prop_assert!(found.reasons.len() <= 32);
        estimate_option(&option(&flag, &about), &name);
    }

    #[test]
    fn a_claimed_read_has_no_danger_beside_it(about in sentence(), name in "(list|get|show)(-[a-z]{1,6})?") {
        let found = estimate(&["frob", &name], &Page::default(), Some(&about.join(" ")));
        if found.claims_read() {
            prop_assert_eq!(found.class, Class::Read);
            prop_assert_eq!(Class::of(&found.effects), Class::Read);
        }
    }
}

#[test]
fn long_texts_are_cut_and_cost_no_more() {
    let count = |text: String| {
        estimate(&["frob", &text], &Page::default(), Some(&text))
            .reasons
            .len()
    };
    for piece in ["delete ", "the ", "not or ", "- ", "a.", "undone ", "é"] {
        assert!(count(piece.repeat(1_000_000)) <= 32, "{piece:?}");
    }
}
