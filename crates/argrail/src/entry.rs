//! From the process's arguments to a verb and its exit number.

use std::process::ExitCode;

use argrail_acli::{Code, Envelope, Error, Text};
use clap::Parser;
use clap::error::ErrorKind;

use crate::args::{CommandLine, Verb};
use crate::out::{self, Layout};
use crate::verb;

/// Runs the verb that the command line names.
pub fn main() -> ExitCode {
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => return refuse(&error),
    };
    ExitCode::from(match &line.verb {
        Verb::Serve(args) => verb::serve::run(args),
        Verb::Call(args) => verb::call::run(args),
        Verb::Repl => verb::repl::run(),
    })
}

/// A command line that does not parse. With `--json` even that is an envelope.
fn refuse(error: &clap::Error) -> ExitCode {
    let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let wants_json = std::env::args_os()
        .skip(1)
        .take_while(|word| word != "--")
        .any(|word| word == "--json");
    if wants_json && !asked {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let detail = error
            .kind()
            .as_str()
            .unwrap_or("the command line is not understood");
        let error = Error::new(
            Code::ValidationError,
            Text::new("Invalid argument: {}").word(detail),
        );
        let error = error.hint("Run 'argrail --help' for the verbs and their flags");
        out::envelope(
            &Envelope::new(&argrail_acli::join(&words), Err(error), None),
            Layout::of_stdout(),
        );
        return ExitCode::from(2);
    }
    // Clap prints help and version to stdout, everything else to stderr. A closed pipe is no error of ours.
    let _ = error.print();
    ExitCode::from(if asked { 0 } else { 2 })
}
