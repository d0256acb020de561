//! Measures the rows that the words on the command line name, all of them without one, and prints a table. `--full`
//! measures more where a row has more.
//!
//! Each row stands in a file of its own under `rows/` and brings the floor it is held against. Progress goes
//! to stderr, so that stdout is the table and nothing else.

#![forbid(unsafe_code)]

mod client;
mod http;
#[cfg(feature = "tokens")]
mod names;
mod poll;
mod process;
mod rows;
mod samples;
mod server;
mod table;
mod tree;

use std::io::{self, Write};
use std::process::ExitCode;

use rows::ROWS;
use server::{Extent, Programs};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A missed target is a finding in the table and no failure: only what could not be measured is.
fn run() -> io::Result<()> {
    let (flags, filters): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with('-'));
    let extent = extent(&flags)?;
    let wanted = |name: &str| filters.is_empty() || filters.iter().any(|word| is_meant(word, name));
    let rows: Vec<_> = ROWS.iter().filter(|row| wanted(row.name)).collect();
    if rows.is_empty() {
        let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        return Err(io::Error::other(format!(
            "no such row; there are {}",
            names.join(", ")
        )));
    }
    let programs = Programs::find(extent)?;
    let mut lines = Vec::new();
    for row in rows {
        writeln!(io::stderr(), "bench: {} ({})", row.name, row.about)?;
        lines.extend((row.measure)(&programs)?);
    }
    let mut out = io::stdout().lock();
    table::print(&mut out, &lines)
}

/// Whether a word names a row: by its whole name, or by a part of it that is no row's whole name.
fn is_meant(word: &str, name: &str) -> bool {
    let whole = ROWS.iter().any(|row| row.name == word);
    name == word || (!whole && name.contains(word))
}

fn extent(flags: &[String]) -> io::Result<Extent> {
    match flags {
        [] => Ok(Extent::Short),
        [flag] if flag == "--full" => Ok(Extent::Full),
        _ => Err(io::Error::other(format!("the one flag is --full, got {flags:?}"))),
    }
}

#[test]
fn a_whole_name_means_one_row_and_a_part_means_all_that_have_it() {
    let meant = |word: &str| -> Vec<&str> {
        let names = ROWS.iter().map(|row| row.name);
        names.filter(|name| is_meant(word, name)).collect()
    };
    assert_eq!(meant("call"), ["call"]);
    assert_eq!(meant("cal"), ["calls", "call"]);
    assert_eq!(meant("nothing"), [""; 0]);
}
