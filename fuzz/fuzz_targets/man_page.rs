//! `cargo +nightly fuzz run man_page fuzz/corpus/man_page fuzz/seeds/man_page`

#![no_main]

#[path = "../../crates/spec/tests/it/fuzzed/man_page.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::man_page(text));
