//! What came of a call: the tool's answer, or why there is none.

use std::time::Duration;

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::{Denial, Ended, Report};
use argrail_spec::tools_json::{failure_line, result_line};
use serde_json::{Value, json};

use super::environment::Passed;
use crate::catalog::ManifestTool;
use crate::output::{Collected, mask_data, show};

/// What a model is told of a tool that took too long, as the draft's own program words it.
const TIMED_OUT: &str = "tool timed out";

/// How many refusals of the sandbox an error names.
const DENIALS: usize = 10;

/// A call that was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// The line that the tool printed, or the beginning of one that is too long. A stranger's words.
    pub data: Value,
    /// Where the rest is, if that is not all.
    pub rest: Option<Text>,
    /// The names of the variables that were passed on, for the record. Never a value.
    pub env_keys: Vec<String>,
    /// How long it took.
    pub duration: Duration,
    /// What it was refused meanwhile.
    pub denials: Vec<Denial>,
}

/// Reads what came of a call.
pub(super) fn answer(
    tool: &ManifestTool,
    passed: &Passed,
    report: Report,
    output: &Collected,
) -> Result<Called, Error> {
    let name = &tool.spec.name;
    if report.timed_out {
        let ms = u64::try_from(report.duration.as_millis()).unwrap_or(u64::MAX);
        // The words of ACLI's Appendix B; a provider's model gets those of the detail.
        return Err(Error::new(
            Code::Timeout,
            Text::new("Command timed out after {}ms").number(ms),
        )
        .hint("Try a simpler query: ask for less, or raise \"timeoutSec\" in tools.json")
        .detail("tool", name.as_str())
        .detail("detail", TIMED_OUT));
    }
    if report.cancelled {
        let what = Text::new("Execution failed: the call of {} was cancelled").value(name);
        return Err(Error::new(Code::ExecutionError, what).hint("Check input and retry: call it again"));
    }
    if report.truncated {
        let what = Text::new("tool {} wrote more than is read of it").value(name);
        return Err(Error::new(Code::OutputParseFailed, what).hint("Ask for less"));
    }
    if report.ended != Ended::Exit(0) {
        return Err(failed(tool, &report, &output.stderr.head));
    }
    let called = |(data, rest)| Called {
        data,
        rest,
        env_keys: passed.keys(),
        duration: report.duration,
        denials: report.denials.clone(),
    };
    // What is longer than stays in memory is too long to be shown, whatever it is.
    if !output.stdout.is_whole() {
        return Ok(called(beginning(report.ended, output)));
    }
    match result_line(&output.stdout.head) {
        Ok(mut data) => {
            mask_data(&mut data, output.secrets());
            let fits = serde_json::to_vec(&data).is_ok_and(|text| text.len() <= output.cap());
            Ok(called(match fits {
                true => (data, None),
                false => beginning(report.ended, output),
            }))
        }
        Err(error) => {
            let what = Text::new("tool {} answered no single line of JSON: {}")
                .value(name)
                .word(error.what);
            let hint = "Tools of tools.json print their result as one line of JSON on standard output";
            Err(Error::new(Code::OutputParseFailed, what)
                .hint(hint)
                .detail("seen", error.seen))
        }
    }
}

/// What is shown of an output that is too long to be shown, and where the rest of it is.
fn beginning(ended: Ended, output: &Collected) -> (Value, Option<Text>) {
    let shown = show(ended, output);
    (Value::Object(shown.data), shown.rest)
}

/// What the tool says of its failure stands in `detail`, as a stranger's words; the message is ours.
fn failed(tool: &ManifestTool, report: &Report, stderr: &[u8]) -> Error {
    let name = &tool.spec.name;
    let what = match report.ended {
        Ended::Exit(code) => Text::new("Execution failed: tool {} failed with exit code {}")
            .value(name)
            .number(code),
        Ended::Signal(signal) => Text::new("Execution failed: tool {} was ended by signal {}")
            .value(name)
            .number(signal),
    };
    let error = Error::new(Code::ExecutionError, what)
        .hint(
            Text::new("Check input and retry: read 'detail', check the arguments, or run: schema {}")
                .value(name),
        )
        .detail("detail", failure_line(stderr))
        .detail("untrusted", true);
    if report.denials.is_empty() {
        return error;
    }
    error.detail("denials", listed(&report.denials))
}

/// What was refused, as errors and answers list it.
fn listed(denials: &[Denial]) -> Vec<Value> {
    denials
        .iter()
        .take(DENIALS)
        .map(|denial| json!({"kind": denial.kind.as_str(), "target": denial.target}))
        .collect()
}

impl Called {
    /// Returns what it was refused meanwhile, if it was, for the answer's `_meta`.
    pub(crate) fn refused(&self) -> Option<Vec<Value>> {
        (!self.denials.is_empty()).then(|| listed(&self.denials))
    }
}
