//! `argrail call --provider`: the tool calls of a provider's message, made one after the other, and their answers in the
//! shape in which the provider takes them. With `--file` the command lines are only told, and nothing is run.

use std::io::Read;
use std::path::Path;

use argrail_acli::{Cli, Code, Envelope, Error, Request, Text};
use argrail_spec::doc::Limits;
use argrail_spec::export::{FailedCall, Format, ProviderCall, answer, each_argv};
use serde_json::{Value, json};

use crate::args::command_line::{CallArgs, Provider};
use crate::metadata_file::bounded;
use crate::out::Report;
use crate::runtime::{self, Ended};
use crate::setup::Setup;
use crate::verb::exported::tools;

/// Answers the calls of a message. What comes with the answers is to be held until they are out.
///
/// # Errors
/// When the message cannot be read, or its only call is none. One bad call among several does not stop the others.
pub(crate) fn provided(
    provider: Provider,
    input: &Path,
    args: &CallArgs,
    report: Report,
) -> Result<(Ended<Value>, Option<Setup>), Error> {
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
    let tools = tools(&[], &args.files, report)?.tools;
    let mut calls = each_argv(&tools, format, &message)?;
    if let [Err(_)] = calls.as_slice()
        && let Some(Err(failed)) = calls.pop()
    {
        return Err(Error::from(*failed.error));
    }
    if !args.files.is_empty() {
        let told = |call: &ProviderCall| json!({"id": call.id, "tool": call.tool, "path": call.path, "argv": call.argv});
        let told = |call: &Result<ProviderCall, FailedCall>| match call {
            Ok(call) => told(call),
            Err(failed) => {
                json!({"id": failed.id, "function": failed.function, "error": Error::from((*failed.error).clone()).to_json()})
            }
        };
        let calls: Vec<Value> = calls.iter().map(told).collect();
        return Ok((Ended::Done(json!({"calls": calls, "executed": false})), None));
    }
    let setup = Setup::waiting(None, args.waits())?;
    let cli = setup.cli()?;
    let ended = runtime::block_on(executed(&setup, &cli, format, calls))?;
    Ok((ended, Some(setup)))
}

/// Makes the calls in their order, each by the one path.
async fn executed(
    setup: &Setup,
    cli: &Cli,
    format: Format,
    calls: Vec<Result<ProviderCall, FailedCall>>,
) -> Value {
    let (mut made, mut results) = (Vec::new(), Vec::new());
    for call in calls {
        let call = match call {
            Ok(call) => call,
            Err(failed) => {
                let (called, error) = (failed.function.as_str(), Error::from((*failed.error).clone()));
                let envelope = Envelope::new(called, Err(error), None);
                results.push(answer(format, (failed.id.as_ref(), called), Err(&why(&envelope))));
                made.push(json!({"id": failed.id, "function": called, "envelope": envelope.into_json()}));
                continue;
            }
        };
        let called = (call.id.as_ref(), call.function.as_str());
        let request = Request::of_words(call.argv.clone(), setup.caller("call", "argrail call"));
        let envelope = cli.answer(request).await;
        results.push(match envelope.outcome() {
            Ok(answered) => answer(format, called, Ok(answered.data())),
            Err(_) => answer(format, called, Err(&why(&envelope))),
        });
        made.push(
            json!({"id": call.id, "tool": call.tool, "argv": call.argv, "envelope": envelope.into_json()}),
        );
    }
    json!({"calls": made, "executed": true, "results": results})
}

/// What went wrong, for the model: in the tool's own words if it has some.
fn why(envelope: &Envelope) -> String {
    let error = envelope.to_json()["error"].take();
    let own = error["detail"].as_str().filter(|text| !text.is_empty());
    own.or(error["message"].as_str()).unwrap_or_default().to_owned()
}

/// Reads a file, or standard input for `-`, and no more of it than can be used.
pub(crate) fn read(input: &Path) -> std::io::Result<Vec<u8>> {
    let most = Limits::default().bytes;
    if input != Path::new("-") {
        return bounded(input, most);
    }
    let mut message = Vec::new();
    let most = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    std::io::stdin().lock().take(most).read_to_end(&mut message)?;
    Ok(message)
}
