//! `argrail call`: exactly what the MCP tool answers, on stdout; or the command line that a provider's tool call means.

use std::io::Read;
use std::path::Path;

use argrail_acli::{Answer, Code, Envelope, Error, Request, Text};
use argrail_spec::doc::Limits;
use argrail_spec::export::{Format, ProviderCall, argv};
use serde_json::{Value, json};

use crate::args::{CallArgs, Provider};
use crate::exported::tools;
use crate::metadata_file::bounded;
use crate::out::{self, Layout, Report};
use crate::runtime::{self, Ended};
use crate::setup::Setup;

/// Answers one command and returns the exit number of its envelope.
pub(crate) fn run(args: &CallArgs, report: Report) -> u8 {
    if let (Some(provider), Some(input)) = (args.provider, &args.input) {
        let outcome = provided(provider, input, args, report).map(Answer::new);
        return out::envelope(&Envelope::new("call", outcome, None), Layout::of(report));
    }
    // Without a provider clap wants a command; an empty one is answered as such.
    let command = args.command.as_deref().unwrap_or_default();
    let envelope = match answer(command, args.caller.as_deref()) {
        Ok(Ended::Done(envelope)) => envelope,
        Ok(Ended::Interrupted(exit)) => return exit,
        Err(error) => Envelope::new(command, Err(error), None),
    };
    out::envelope(&envelope, Layout::of(report))
}

fn answer(command: &str, caller: Option<&str>) -> Result<Ended<Envelope>, Error> {
    let setup = Setup::new(None)?;
    let cli = setup.cli()?;
    setup.warn_of_rules(&cli);
    let request = Request::new(command, setup.caller("call", caller.unwrap_or("argrail call")));
    runtime::block_on(cli.answer(request))
}

/// The command lines that the provider's message means. Nothing is run.
fn provided(provider: Provider, input: &Path, args: &CallArgs, report: Report) -> Result<Value, Error> {
    let format = match provider {
        Provider::Openai => Format::Openai,
        Provider::Anthropic => Format::Anthropic,
        Provider::Gemini => Format::Gemini,
        Provider::Mcp => Format::Mcp,
    };
    let message = read(input).map_err(|error| {
        let shown = input.to_string_lossy();
        Error::new(
            Code::ExecutionError,
            Text::new("{}: {}").value(&shown).value(error.to_string()),
        )
        .hint(Text::new("Check that {} is a file that you may read").value(&shown))
    })?;
    let tools = tools(&[], &args.files, report)?;
    let calls = argv(&tools, format, &message)?;
    let shown =
        |call: &ProviderCall| json!({"id": call.id, "tool": call.tool, "path": call.path, "argv": call.argv});
    Ok(json!({"calls": calls.iter().map(shown).collect::<Vec<_>>(), "executed": false}))
}

fn read(input: &Path) -> std::io::Result<Vec<u8>> {
    let most = Limits::default().bytes;
    if input != Path::new("-") {
        return bounded(input, most);
    }
    let mut message = Vec::new();
    let most = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    std::io::stdin().lock().take(most).read_to_end(&mut message)?;
    Ok(message)
}
