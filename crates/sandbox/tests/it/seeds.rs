//! The seeds of `fuzz/`, replayed on a stable toolchain through the functions that are fuzzed.

use std::path::Path;

use crate::fuzzed::pattern;

fn replay(target: &str, check: fn(&str)) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(target);
    let mut count = 0;
    for seed in std::fs::read_dir(&seeds).unwrap() {
        let path = seed.unwrap().path();
        // As the fuzzer hands it over: what is not UTF-8 is not a string.
        if let Ok(text) = std::str::from_utf8(&std::fs::read(&path).unwrap()) {
            check(text);
            count += 1;
        }
    }
    assert!(count >= 25, "only {count} seeds in {}", seeds.display());
}

#[test]
fn seeds_of_pattern_hold() {
    replay("pattern", pattern);
}
