//! Measures the rows that the words on the command line name, all of them without one, and prints a table. `--full`
//! measures more where a row has more; `--against FILE` names what got worse since a run that was recorded.
//!
//! Each row stands in a file of its own under `rows/` and brings the floor it is held against. Progress goes
//! to stderr, so that stdout is the table and nothing else.

#![forbid(unsafe_code)]

mod against;
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

use against::Recorded;
use rows::ROWS;
use server::{Extent, Programs};

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Request {
    filters: Vec<String>,
    full: bool,
    against: Option<String>,
}

/// Measures, and returns how many lines got worse than recorded. A missed target is a finding in the table and no failure:
/// only what could not be measured is.
fn run() -> io::Result<usize> {
    let Request {
        filters,
        full,
        against,
    } = request(std::env::args().skip(1))?;
    let extent = if full { Extent::Full } else { Extent::Short };
    let recorded = against
        .map(|file| Recorded::parse(&std::fs::read_to_string(file)?))
        .transpose()?;
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
    table::print(&mut out, &lines)?;
    recorded.map_or(Ok(0), |recorded| recorded.compare(&mut out, &lines))
}

/// Whether a word names a row: by its whole name, or by a part of it that is no row's whole name.
fn is_meant(word: &str, name: &str) -> bool {
    let whole = ROWS.iter().any(|row| row.name == word);
    name == word || (!whole && name.contains(word))
}

fn request(words: impl Iterator<Item = String>) -> io::Result<Request> {
    let mut request = Request::default();
    let mut words = words;
    while let Some(word) = words.next() {
        match word.as_str() {
            "--full" => request.full = true,
            "--against" => {
                let file = words.next();
                let file =
                    file.ok_or_else(|| io::Error::other("--against wants the file of a recorded run"))?;
                request.against = Some(file);
            }
            flag if flag.starts_with('-') => {
                let what = format!("the flags are --full and --against FILE, got {flag:?}");
                return Err(io::Error::other(what));
            }
            _ => request.filters.push(word),
        }
    }
    Ok(request)
}

#[test]
fn the_command_line_is_rows_and_two_flags() {
    let read = |line: &str| request(line.split_whitespace().map(str::to_owned));
    let both = read("call --against f --full calls").unwrap();
    assert_eq!(both.filters, ["call", "calls"]);
    assert_eq!((both.full, both.against.as_deref()), (true, Some("f")));
    assert_eq!(read("").unwrap(), Request::default());
    assert!(read("--against").is_err() && read("--fast").is_err());
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
