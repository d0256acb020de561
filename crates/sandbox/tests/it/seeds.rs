//! The seeds of `fuzz/`, and random changes of them, through the functions that are fuzzed.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use argrail_testkit::{replay_seeds, replay_texts};
use proptest::prelude::*;

use crate::fuzzed::{
    caller_memory, dns_query, pattern, program_head, proxy_request, request_stream, socks_message, tls_hello,
};

#[test]
fn seeds_of_pattern_hold() {
    replay_texts("pattern", pattern);
}

/// What a fuzz target checks.
type Check = fn(&[u8]);

/// A fuzz target, by name.
type Target = (&'static str, Check);

/// What the host reads of what children write.
const TARGETS: &[Target] = &[
    ("caller_memory", caller_memory),
    ("dns_query", dns_query),
    ("program_head", program_head),
    ("proxy_request", proxy_request),
    ("request_stream", request_stream),
    ("socks_message", socks_message),
    ("tls_hello", tls_hello),
];

#[test]
fn seeds_of_what_children_write_hold() {
    for (target, check) in TARGETS {
        replay_seeds(target, check);
    }
}

fn seeds() -> Vec<(Check, Vec<u8>)> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let of = |(target, check): &Target| {
        let files = fs::read_dir(all.join(target)).unwrap();
        let mut seeds: Vec<_> = files
            .map(|file| fs::read(file.unwrap().path()).unwrap())
            .collect();
        seeds.sort();
        let check = *check;
        seeds
            .into_iter()
            .map(move |seed| (check, seed))
            .collect::<Vec<_>>()
    };
    TARGETS.iter().flat_map(of).collect()
}

proptest! {
    // Each case changes one of some two hundred seeds.
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn changed_seeds_hold(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
        again in any::<prop::sample::Index>(),
    ) {
        static SEEDS: OnceLock<Vec<(Check, Vec<u8>)>> = OnceLock::new();
        let seeds = SEEDS.get_or_init(seeds);
        let (check, seed) = which.get(seeds);
        let mut bytes = seed.clone();
        if !bytes.is_empty() {
            for (at, to) in changes {
                *at.get_mut(&mut bytes) = to;
            }
            // A part of it once more, somewhere: what is said twice is where readers differ.
            let part = bytes.get(again.index(bytes.len())..).unwrap_or_default().to_vec();
            let at = cut.index(bytes.len());
            bytes.splice(at..at, part);
        }
        check(&bytes);
    }
}
