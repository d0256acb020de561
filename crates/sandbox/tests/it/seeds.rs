//! The seeds of `fuzz/`, replayed through the functions that are fuzzed.

use argrail_testkit::replay_texts;

use crate::fuzzed::pattern;

#[test]
fn seeds_of_pattern_hold() {
    replay_texts("pattern", pattern);
}
