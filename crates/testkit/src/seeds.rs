//! The seeds of `fuzz/`, replayed on a stable toolchain through the functions that are fuzzed.

use std::path::Path;

/// How few seeds are not worth a replay.
const FEWEST: usize = 25;

/// Hands every seed of a fuzz target to `check`, as bytes.
///
/// # Panics
/// When there are hardly any: a replay of nothing proves nothing.
pub fn replay_seeds(target: &str, check: impl Fn(&[u8])) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(target);
    let mut count = 0;
    for seed in std::fs::read_dir(&seeds).expect("the directory of the seeds") {
        let path = seed.expect("an entry").path();
        check(&std::fs::read(path).expect("a seed"));
        count += 1;
    }
    assert!(count >= FEWEST, "only {count} seeds in {}", seeds.display());
}

/// The same for a target that takes text, as the fuzzer hands it over: what is not UTF-8 is not a string.
///
/// # Panics
/// As above.
pub fn replay_texts(target: &str, check: impl Fn(&str)) {
    replay_seeds(target, |bytes| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            check(text);
        }
    });
}
