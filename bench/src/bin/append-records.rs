//! Appends records to a chain: `append-records DIRECTORY COUNT`. One of many that do so at once.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use argrail_engine::audit::{Action, Chain, Durability, Event};

fn main() -> ExitCode {
    match append() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "append-records: {error}");
            ExitCode::FAILURE
        }
    }
}

fn append() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [directory, count] = words.as_slice() else {
        return Err(io::Error::other("DIRECTORY COUNT"));
    };
    let count: u64 = count.parse().map_err(io::Error::other)?;
    let chain = Chain::open(Path::new(directory), None)?;
    for number in 0..count {
        let event = Event::new(Action::CliInvoked, "bench", "cli", Some("cat")).with("number", number);
        chain.append(&event, Durability::Soon)?;
    }
    Ok(())
}
