//! `argrail call`: exactly what the MCP tool answers, on stdout.

use argrail_acli::{Envelope, Error, Request};

use crate::args::CallArgs;
use crate::out::{self, Layout, Report};
use crate::runtime::{self, Ended};
use crate::setup::Setup;

/// Answers one command and returns the exit number of its envelope.
pub(crate) fn run(args: &CallArgs, report: Report) -> u8 {
    let envelope = match answer(&args.command) {
        Ok(Ended::Done(envelope)) => envelope,
        Ok(Ended::Interrupted(exit)) => return exit,
        Err(error) => Envelope::new(&args.command, Err(error), None),
    };
    out::envelope(&envelope, Layout::of(report))
}

fn answer(command: &str) -> Result<Ended<Envelope>, Error> {
    let setup = Setup::new()?;
    let request = Request::new(command, setup.caller("call", "argrail call"));
    runtime::block_on(setup.cli.answer(request))
}
