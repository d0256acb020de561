//! A model for suites that are not in Rust: `fake-model SCRIPT LOG`.
//!
//! Prints `{"port":N}` when it listens on 127.0.0.1, writes each request as a line of JSON to LOG, and ends when its
//! standard input does.

use argrail_testkit::model::{Model, Script};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "fake-model: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [script, log] = words.as_slice() else {
        return Err(io::Error::other("SCRIPT LOG"));
    };
    let script = Script::read(&fs::read_to_string(script)?).map_err(io::Error::other)?;
    let model = Model::logging(script, Path::new(log))?;
    let mut out = io::stdout().lock();
    writeln!(out, r#"{{"port":{}}}"#, model.address().port())?;
    out.flush()?;
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
