//! `cargo +nightly fuzz run socks_message fuzz/corpus/socks_message fuzz/seeds/socks_message`

#![no_main]

#[path = "../../crates/sandbox/tests/it/fuzzed/socks_message.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::socks_message(bytes));
