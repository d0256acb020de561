//! The verb itself: what is written is told.

use argrail_acli::{Answer, Envelope};

use super::cli;
use crate::args::new::{New, NewArgs};
use crate::out::{self, Layout, Report};

/// Writes what the arguments name; returns the exit number.
pub(crate) fn run(args: &NewArgs, report: Report) -> u8 {
    let done = match &args.what {
        New::Cli(args) => cli::write(args),
    };
    match (done, report) {
        (Ok(written), Report::Envelope) => {
            let answer = Answer::new(written.data());
            out::envelope(&Envelope::new("new", Ok(answer), None), Layout::Compact)
        }
        (Ok(written), Report::Text) => out::data(&written.text()),
        (Err(error), report) => out::refuse(error, report),
    }
}
