//! `argrail call`: exactly what the MCP tool answers, on stdout.

use std::ffi::OsStr;
use std::path::Path;

use argrail_acli::{Answer, Envelope, Error, Mask, Request};
use argrail_spec::tools_json::JSON_OPTION;

use super::bundle_call::bundle_words;
use super::provider_call::{provided, read};
use crate::args::command_line::CallArgs;
use crate::out::{self, Layout, Report};
use crate::runtime::{self, Ended};
use crate::setup::Setup;

/// Answers one command and returns the exit number of its envelope.
pub(crate) fn run(args: &CallArgs, report: Report) -> u8 {
    if let (Some(provider), Some(input)) = (args.provider, &args.input) {
        // Held until the answer is out: see below.
        let (outcome, _setup) = match provided(provider, Path::new(input), args, report) {
            Ok((Ended::Interrupted(exit), _)) => return exit,
            Ok((Ended::Done(data), setup)) => (Ok(Answer::new(data)), setup),
            Err(error) => (Err(error), None),
        };
        return out::envelope(&Envelope::new("call", outcome, None), Layout::of(report));
    }
    // Without a provider or a tool clap wants a command; an empty one is answered as such.
    let command = args
        .command
        .as_deref()
        .or(args.tool.as_deref())
        .unwrap_or_default();
    // The end of the setup waits for the disk and for programs that tell people; the answer does not. What was recorded
    // outlives this process already.
    let (envelope, _setup) = match answer(command, args) {
        Ok((Ended::Done(envelope), setup)) => (envelope, Some(setup)),
        Ok((Ended::Interrupted(exit), _)) => return exit,
        Err(error) => {
            let mask = Setup::mask();
            let envelope = Envelope::new(&mask.mask(command), Err(error.masked(&mask)), None);
            (envelope, None)
        }
    };
    out::envelope(&envelope, Layout::of(report))
}

fn answer(command: &str, args: &CallArgs) -> Result<(Ended<Envelope>, Setup), Error> {
    let setup = Setup::waiting(None, args.waits())?;
    let cli = setup.cli()?;
    setup.warn_of_rules(&cli);
    let caller = setup.caller("call", args.caller.as_deref().unwrap_or("argrail call"));
    let request = match (&args.tool, &args.input) {
        (Some(tool), Some(input)) => {
            let input = given(input)?;
            let words = match bundle_words(tool, &input)? {
                Some(words) => words,
                None => vec![tool.clone(), JSON_OPTION.to_owned(), input],
            };
            Request::of_words(words, caller)
        }
        (Some(_) | None, _) => Request::new(command, caller),
    };
    let ended = runtime::block_on(cli.answer(request))?;
    Ok((ended, setup))
}

/// The arguments of a tool: the text itself, or standard input for `-`.
fn given(input: &OsStr) -> Result<String, Error> {
    let bytes = match input.to_str() {
        Some("-") => read(Path::new("-")).map_err(Error::execution)?,
        Some(text) => return Ok(text.to_owned()),
        None => input.as_encoded_bytes().to_vec(),
    };
    String::from_utf8(bytes).map_err(|_| Error::invalid("the input is no UTF-8", "Pass JSON"))
}
