//! From the arguments to what is meant: this project, that tool, the list.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use argrail_acli::{Answer, Envelope, Error, Text};
use argrail_engine::audit::{Action, Durability, Event};
use argrail_engine::catalog::{registry, trust};
use argrail_engine::places::Places;
use argrail_spec::trust::TrustFile;

use super::{list, project, tool};
use crate::args::command_line::TrustArgs;
use crate::ask::Consent;
use crate::deciding::{Office, user_name};
use crate::out::{self, Layout, Report};

/// What a verb of trust did, for programs and for people.
pub(crate) struct Told {
    /// The `data` of the envelope.
    pub(crate) data: serde_json::Value,
    /// The same for a person.
    pub(crate) text: String,
}

/// What all of them need.
pub(super) struct Ground {
    pub(super) places: Places,
    pub(super) trust: TrustFile,
    pub(super) report: Report,
    pub(super) consent: Consent,
}

/// What is meant.
enum Target {
    Directory(PathBuf),
    Tool(String),
}

/// Does what the arguments say; returns the exit number.
pub(crate) fn run(args: &TrustArgs, report: Report) -> u8 {
    let told = match attempt(args, report) {
        Ok(told) => told,
        Err(error) => return out::refuse(error, report),
    };
    match report {
        Report::Envelope => {
            let answer = Answer::new(told.data);
            out::envelope(&Envelope::new("trust", Ok(answer), None), Layout::Compact)
        }
        Report::Text => out::data(&told.text),
    }
}

/// Writes down that a person accepts a project or a tool. What cannot be recorded is not accepted.
///
/// # Errors
/// When the record cannot be kept.
pub(crate) fn record_accepted(
    consent: Consent,
    kind: &'static str,
    name: &str,
    digest: Option<String>,
) -> Result<(), Error> {
    let means = match consent {
        Consent::Given => "--yes",
        Consent::Ask => "terminal",
    };
    let event = Event::new(Action::TrustAccepted, &user_name(), kind, Some(name))
        .role("approver")
        .with("means", means)
        .with("digest", digest);
    let kept = Office::open()?.record()?.append(&event, Durability::Durable);
    kept.map(drop).map_err(|error| Error::from(&error))
}

/// Accepts the project of a directory, as `argrail trust` does.
pub(crate) fn accept_project(directory: &Path, consent: Consent, report: Report) -> Result<Told, Error> {
    project::accept(&ground(consent, report)?, directory)
}

fn ground(consent: Consent, report: Report) -> Result<Ground, Error> {
    let places = Places::new(|name| std::env::var_os(name)).map_err(|error| {
        Error::execution(error).hint("Set HOME to the home directory of the user that runs argrail")
    })?;
    Ok(Ground {
        trust: trust::read(&places).map_err(|error| Error::from(&error))?,
        places,
        report,
        consent,
    })
}

fn attempt(args: &TrustArgs, report: Report) -> Result<Told, Error> {
    let ground = ground(Consent::of(args.yes), report)?;
    if args.list {
        return Ok(list::list(&ground.trust));
    }
    let target = target(args.what.as_deref(), &ground)?;
    match (target, args.revoke) {
        (Target::Directory(directory), false) => project::accept(&ground, &directory),
        (Target::Directory(directory), true) => project::revoke(&ground, &directory),
        (Target::Tool(name), false) => tool::accept(&ground, &name),
        (Target::Tool(name), true) => tool::revoke(&ground, &name),
    }
}

/// A word with a slash, or nothing, is a directory; another is a tool if one is known by it, else a directory.
fn target(what: Option<&OsStr>, ground: &Ground) -> Result<Target, Error> {
    let Some(what) = what else {
        let directory = std::env::current_dir().map_err(|error| {
            Error::execution(error).hint("Start argrail in a directory that exists and that you may read")
        })?;
        return Ok(Target::Directory(directory));
    };
    let path = Path::new(what);
    let plain = what
        .to_str()
        .filter(|name| !name.contains('/') && !matches!(*name, "" | "." | ".."));
    let Some(name) = plain else {
        return Ok(Target::Directory(path.to_owned()));
    };
    // A registry that cannot be read must not keep trust from being taken back.
    let registered =
        || registry::read(&ground.places).is_ok_and(|loaded| loaded.registry.tools.contains_key(name));
    let is_tool = ground.trust.tools.contains_key(name) || registered();
    match (is_tool, path.is_dir()) {
        (true, false) => Ok(Target::Tool(name.to_owned())),
        (false, true) => Ok(Target::Directory(path.to_owned())),
        (true, true) => Err(Error::invalid(
            Text::new("{} is a tool and a directory").value(name),
            Text::new("Write ./{} for the directory, or start elsewhere for the tool").value(name),
        )),
        (false, false) => Err(Error::invalid(
            Text::new("{} is no directory, and no tool of this name is known").value(name),
            "Run 'argrail scan' to find tools, or name a directory: argrail trust .",
        )),
    }
}
