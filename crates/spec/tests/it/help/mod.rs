//! Help texts of every family, written for these tests, and what is read from them.

mod argparse;
mod bsd;
mod busybox;
mod clap;
mod click;
mod cobra;
mod cplusplus;
mod docopt;
mod git;
mod gnu;
mod go_flag;
mod hostile;
mod java;
mod metadata;
mod node;
mod notation;
mod npm;
mod php;
mod powershell;
mod ruby;
mod single_dash;
mod sketch;
mod tables;

use argrail_spec::help::{Subject, read_help};
use sketch::sketch;

/// Reads `text` as the help of `command` and compares what was found with `want`.
fn check(command: &str, text: &str, want: &str) {
    let mut words = command.split(' ');
    let name = words.next().unwrap_or_default();
    let path: Vec<&str> = words.collect();
    let page = read_help(text, &Subject { name, path: &path });
    let found = sketch(&page);
    assert_eq!(found, want, "\n--- found\n{found}\n--- wanted\n{want}\n");
    crate::fuzzed::help(text);
}
