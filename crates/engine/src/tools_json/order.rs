//! One call of a tool: started, fed, waited for, ended with everything that it started.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::policy::{Anchors, Policy, Protected};
use argrail_sandbox::{Cancel, Command, Launcher, Output, Stdin};

use super::answer::{Called, answer};
use super::environment::passed;
use crate::catalog::ManifestTool;
use crate::output::{Collector, End, Stream};
use crate::refusal::HOST_WORDS;

/// Everything that one call needs. Whether it may be made was decided before.
#[derive(Debug)]
pub struct Order<'a> {
    /// The tool.
    pub tool: &'a ManifestTool,
    /// What it reads: checked by [`ManifestTool::input`] or [`ManifestTool::check`].
    pub input: Vec<u8>,
    /// Our own variables, from which those that the manifest names are passed on.
    pub environment: &'a BTreeMap<OsString, OsString>,
    /// How long the caller allows. The manifest's own time comes first.
    pub timeout: Duration,
    /// What it may touch: [`profile`](super::profile), or what is known of its effects.
    pub policy: Policy,
    /// The user's home.
    pub home: &'a Path,
    /// What no grant reaches.
    pub protected: Protected,
    /// Who builds the sandbox.
    pub launcher: Launcher,
    /// Takes what it prints: what is shown of it is bounded, and the whole is kept.
    pub output: Collector,
    /// A switch that ends it.
    pub cancel: Option<Cancel>,
    /// How far it stands back where processors are short, from 0 to 19.
    pub niceness: u8,
}

/// Makes a call, in this thread. Input is written while output is read; a tool that does not read it is fine.
///
/// # Errors
/// When it could not be started, failed, took too long, or did not answer with one line of JSON.
pub fn call(order: Order<'_>) -> Result<Called, Error> {
    let Order { tool, .. } = order;
    let program = tool.program()?;
    let passed = passed(&tool.spec.env_passthrough, order.environment);
    let mut policy = order.policy;
    policy.env_pass.extend(passed.names.iter().cloned());
    let anchors = Anchors::new(order.home, tool.root.as_path())
        .map_err(|refusal| not_started(tool, argrail_sandbox::Error::Refused(refusal)))?;
    let argv =
        std::iter::once(program.into_os_string()).chain(tool.spec.command.iter().skip(1).map(OsString::from));
    let mut command = Command::confined(argv, policy, anchors)
        .launcher(order.launcher)
        .environment(
            order
                .environment
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        )
        .minimal_environment()
        .protected(order.protected)
        .stdin(Stdin::Bytes(order.input))
        .stdout(Output::Each(order.output.sink(Stream::Stdout)))
        .stderr(Output::Each(order.output.sink(Stream::Stderr)))
        .niceness(order.niceness)
        .timeout(tool.spec.timeout().unwrap_or(order.timeout));
    if let Some(cancel) = order.cancel {
        command = command.cancel_with(cancel);
    }
    let report = command.run().map_err(|error| not_started(tool, error))?;
    let output = order.output.finish(End::from(&report).ending());
    answer(tool, &passed, report, &output)
}

fn not_started(tool: &ManifestTool, error: argrail_sandbox::Error) -> Error {
    let code = match &error {
        argrail_sandbox::Error::Refused(refusal) if refusal.missing.is_some() => Code::SandboxUnavailable,
        argrail_sandbox::Error::Refused(_)
        | argrail_sandbox::Error::Program { .. }
        | argrail_sandbox::Error::Host { .. } => Code::ExecutionError,
    };
    let what = Text::new(match code {
        Code::ExecutionError => "Execution failed: tool {} was not started: {}",
        _ => "tool {} was not started: {}",
    })
    .value(&tool.spec.name)
    .value(error.to_string());
    Error::new(code, what).hint(Text::new("{}").value(error.hint().worded(HOST_WORDS)))
}
