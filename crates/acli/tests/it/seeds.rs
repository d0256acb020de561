//! The seeds of `fuzz/`, replayed through the functions that are fuzzed.

use argrail_testkit::replay_texts;

use crate::fuzzed::{answer, tokenize};

#[test]
fn seeds_of_tokenize_hold() {
    replay_texts("tokenize", tokenize);
}

#[test]
fn seeds_of_answer_hold() {
    replay_texts("answer", answer);
}
