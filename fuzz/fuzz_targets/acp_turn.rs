//! `cargo +nightly fuzz run acp_turn fuzz/corpus/acp_turn fuzz/seeds/acp_turn`

#![no_main]

#[path = "../../crates/agents/tests/it/fuzzed/acp_turn.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::acp_turn(bytes));
