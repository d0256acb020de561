//! What came of a call: the tool's answer, or why there is none.

use std::time::Duration;

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::{Denial, Ended, Report};
use argrail_spec::tools_json::{failure_line, result_line};
use serde_json::{Value, json};

use super::environment::Passed;
use super::manifest_tool::ManifestTool;

/// How many refusals of the sandbox an error names.
const DENIALS: usize = 10;

/// A call that was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// The line that the tool printed. A stranger's words.
    pub data: Value,
    /// The names of the variables that were passed on, for the record. Never a value.
    pub env_keys: Vec<String>,
    /// How long it took.
    pub duration: Duration,
    /// What it was refused meanwhile.
    pub denials: Vec<Denial>,
}

/// Reads what came of a call.
pub(super) fn answer(tool: &ManifestTool, passed: &Passed, report: Report) -> Result<Called, Error> {
    let name = &tool.spec.name;
    if report.timed_out {
        // The draft's words, to the letter.
        return Err(Error::new(Code::Timeout, "tool timed out")
            .hint("Ask for less, or raise \"timeoutSec\" in tools.json")
            .detail("tool", name.as_str()));
    }
    if report.cancelled {
        let what = Text::new("the call of {} was cancelled").value(name);
        return Err(Error::new(Code::ExecutionError, what).hint("Call it again"));
    }
    if report.truncated {
        let what = Text::new("tool {} wrote more than is read of it").value(name);
        return Err(Error::new(Code::OutputParseFailed, what).hint("Ask for less"));
    }
    if report.ended != Ended::Exit(0) {
        return Err(failed(tool, &report));
    }
    match result_line(&report.stdout) {
        Ok(data) => Ok(Called {
            data,
            env_keys: passed.keys(),
            duration: report.duration,
            denials: report.denials,
        }),
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

/// What the tool says of its failure stands in `detail`, as a stranger's words; the message is ours.
fn failed(tool: &ManifestTool, report: &Report) -> Error {
    let name = &tool.spec.name;
    let what = match report.ended {
        Ended::Exit(code) => Text::new("tool {} failed with exit code {}")
            .value(name)
            .number(code),
        Ended::Signal(signal) => Text::new("tool {} was ended by signal {}")
            .value(name)
            .number(signal),
    };
    let error = Error::new(Code::ExecutionError, what)
        .hint(Text::new("Read 'detail', check the arguments, or run: schema {}").value(name))
        .detail("detail", failure_line(&report.stderr))
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
