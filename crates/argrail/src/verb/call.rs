//! `argrail call`: exactly what the MCP tool answers, on stdout.

use argrail_acli::{Envelope, Request};

use crate::args::CallArgs;
use crate::out::{self, Layout};
use crate::runtime;
use crate::setup::Setup;

/// Answers one command and returns the exit number of its envelope.
pub(crate) fn run(args: &CallArgs) -> u8 {
    let envelope = match Setup::new() {
        Ok(setup) => {
            let request = Request::new(args.command.as_str(), setup.caller("call", "argrail call"));
            runtime::block_on(setup.cli.answer(request))
        }
        Err(error) => Ok(Envelope::new(&args.command, Err(error), None)),
    };
    let envelope = envelope.unwrap_or_else(|error| Envelope::new(&args.command, Err(error), None));
    out::envelope(&envelope, Layout::of_stdout());
    envelope.exit()
}
