//! The seeds of `fuzz/`, replayed through the functions that are fuzzed.

use argrail_testkit::replay_seeds;

use crate::fuzzed::{output, record_line};

#[test]
fn seeds_of_output_hold() {
    replay_seeds("output", output);
}

#[test]
fn seeds_of_record_line_hold() {
    replay_seeds("record_line", record_line);
}
