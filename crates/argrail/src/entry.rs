//! From the process's arguments to a verb and its exit number.

use std::process::ExitCode;

use argrail_acli::{Envelope, Error, Text};
use clap::Parser;
use clap::error::{ContextKind, ErrorKind};

use crate::address_space;
use crate::agent;
use crate::args::command_line::{CommandLine, Verb};
use crate::out::{self, Layout, Report};
use crate::verb;

/// Runs the verb that the command line names.
pub fn main() -> ExitCode {
    let words = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned());
    if let Some(exit) = agent::answer(words) {
        return ExitCode::from(exit);
    }
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => return refuse(&error),
    };
    if let Err(error) = address_space::check() {
        return too_small(error, &line);
    }
    let report = if line.json { Report::Envelope } else { Report::Text };
    ExitCode::from(match &line.verb {
        Verb::Serve(args) => verb::serve::run(args, report),
        Verb::Call(args) => verb::call::run(args, report),
        Verb::Run(args) => verb::run::run(args, report),
        Verb::Why(args) => verb::why::run(args, report),
        Verb::Repl => verb::repl::run(report),
        Verb::Sandbox(args) => verb::sandbox::run(args, report),
        Verb::Infer(args) => verb::infer::run(args, report),
        Verb::New(args) => verb::new::run(args, report),
        Verb::Lint(args) => verb::lint::run(args, report),
        Verb::List(args) => verb::list::run(args, report),
        Verb::Show(args) => verb::show::run(args, report),
        Verb::Search(args) => verb::search::run(args, report),
        Verb::Export(args) => verb::export::run(args, report),
        Verb::Diff(args) => verb::diff::run(args, report),
        Verb::Trust(args) => verb::trust::run(args, report),
        Verb::Add(args) => verb::bundle::add(args, report),
        Verb::Install(args) => verb::bundle::install(args, report),
        Verb::Status(args) => verb::bundle::status(args, report),
        Verb::Agent(args) => verb::agent::act(args, report),
        Verb::Approvals(args) => verb::approvals::run(args, report),
        Verb::Approve(args) => verb::approve::run(args, report),
        Verb::Deny(args) => verb::deny::run(args, report),
        Verb::Grants(args) => verb::grants::run(args, report),
        Verb::Grant(args) => verb::grant::run(args, report),
        Verb::Revoke(args) => verb::revoke::run(args, report),
        Verb::Scan(args) => verb::scan::run(args, report),
        Verb::Audit(args) => verb::audit::run(args, report),
        Verb::Doctor(args) => verb::doctor::run(args, report),
    })
}

/// A command line that does not parse. With `--json` even that is an envelope.
/// Says that there is too little memory for anything else.
fn too_small(error: Error, line: &CommandLine) -> ExitCode {
    if line.json || matches!(line.verb, Verb::Call(_)) {
        let envelope = Envelope::new("argrail", Err(error), None);
        return ExitCode::from(out::envelope(&envelope, Layout::Compact));
    }
    let hint = error.hint_text().unwrap_or_default();
    out::say(&format!("{error}\n{hint}"));
    ExitCode::from(error.exit())
}

fn refuse(error: &clap::Error) -> ExitCode {
    let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let words = || std::env::args_os().skip(1);
    let wants_json = words()
        .take_while(|word| word != "--")
        .any(|word| word == "--json");
    if wants_json && !asked {
        let line: Vec<String> = words().map(|word| word.to_string_lossy().into_owned()).collect();
        let detail = error
            .kind()
            .as_str()
            .unwrap_or("the command line is not understood");
        let text = |kind| error.get(kind).map(ToString::to_string);
        let mut what = Text::new("{}").word(detail);
        for named in [ContextKind::InvalidArg, ContextKind::InvalidValue]
            .into_iter()
            .filter_map(text)
        {
            what = what.then(": ", Text::new("{}").value(named));
        }
        let error = Error::invalid(what, "Run 'argrail --help' for the verbs and their flags");
        let envelope = Envelope::new(&argrail_acli::join(&line), Err(error), None);
        return ExitCode::from(out::envelope(&envelope, Layout::Compact));
    }
    // Clap prints help and version to stdout, everything else to stderr. A closed pipe is no error of ours.
    let _ = error.print();
    ExitCode::from(if asked { 0 } else { 2 })
}
