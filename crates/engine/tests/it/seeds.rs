//! The seeds of `fuzz/`, replayed on a stable toolchain through the functions that are fuzzed.

use std::path::Path;

use crate::fuzzed::output;

fn replay(target: &str, check: fn(&[u8])) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(target);
    let mut count = 0;
    for seed in std::fs::read_dir(&seeds).unwrap() {
        check(&std::fs::read(seed.unwrap().path()).unwrap());
        count += 1;
    }
    assert!(count >= 25, "only {count} seeds in {}", seeds.display());
}

#[test]
fn seeds_of_output_hold() {
    replay("output", output);
}
