//! `argrail serve`: the tool `cli` for agents, on stdio or HTTP, until told to stop.

use std::sync::Arc;

use argrail_acli::{Error, Text};
use argrail_engine::call::{NamedSecret, Wait};
use argrail_engine::store::{SqliteStore, Store};

use crate::args::command_line::ServeArgs;
use crate::deciding::{Announcement, token};
use crate::delegation_file;
use crate::out::{self, Report};
use crate::serve::http::SpeaksForAPerson;
use crate::serve::{CliServer, Commands, Elicitation, Ending, Shared, http, stdio};
use crate::setup::Setup;
use crate::token_file;

/// Serves, and returns the exit number.
pub(crate) fn run(args: &ServeArgs, report: Report) -> u8 {
    let outcome = ready(args).and_then(|setup| match &args.http {
        None => serve_stdio(&setup, args),
        Some(address) => serve_http(&setup, address, args),
    });
    match outcome {
        Ok(()) => 0,
        Err(error) => out::refuse(error, report),
    }
}

/// Reads everything once before anybody is served, so that what is wrong is said at once.
fn ready(args: &ServeArgs) -> Result<Setup, Error> {
    let delegation = args
        .delegation
        .as_deref()
        .map(delegation_file::read)
        .transpose()?;
    let wait = args.wait.map_or(Wait::AsConfigured, Wait::For);
    let setup = Setup::waiting(delegation, wait)?;
    setup.warn_of_rules(&*setup.cli()?);
    Ok(setup)
}

fn serve_stdio(setup: &Setup, args: &ServeArgs) -> Result<(), Error> {
    let announcement = Announcement::default();
    let elicitation = match is_switched_on(setup, args)? {
        true => {
            announcement
                .make(setup.places.state())
                .map_err(|error| unseen(&error))?;
            Elicitation::Client
        }
        false => Elicitation::Tells,
    };
    let shared = shared(setup).elicitation(elicitation);
    let handler = CliServer::new(shared).map_err(Error::execution)?;
    let options = stdio::Options {
        leaving: Arc::clone(&setup.leaving),
        ..stdio::Options::default()
    };
    stdio::run(&options, handler).map_err(Error::execution)
}

fn serve_http(setup: &Setup, address: &str, args: &ServeArgs) -> Result<(), Error> {
    let explain = |error: http::Error| Error::execution(&error).hint(error.hint());
    let default_file = || setup.places.state().join("http-token");
    let made = match is_switched_on(setup, args)? {
        true => Some(made_by_a_person(setup)?),
        false => None,
    };
    let elicitation = match &made {
        Some(_) => Elicitation::MadeCredential,
        None => Elicitation::Tells,
    };
    let options = http::Options {
        listen: address.parse().map_err(explain)?,
        token_file: args.token_file.clone().unwrap_or_else(default_file),
        allow_origins: args.allow_origins.clone(),
        person_credentials: made,
        limits: http::Limits::default(),
        ending: Ending {
            leaving: Arc::clone(&setup.leaving),
            ..Ending::default()
        },
    };
    let shared = shared(setup)
        .elicitation(elicitation)
        .cut_by(options.ending.cut.clone());
    let announce = |ready: &http::Ready<'_>| {
        // It may have been made just now, and then nobody knows yet that it is a secret.
        let us = rustix::process::geteuid().as_raw();
        let token = ready.token_file.map(|path| token_file::read(path, us));
        if let Some(Ok(Some(token))) = token {
            let secret = NamedSecret::new("argrail/http-token", token.secret());
            setup.door.conceal([secret]);
        }
        out::show(ready);
    };
    http::run(&options, move || CliServer::new(shared.clone()), announce).map_err(explain)
}

/// Whether the person who runs this said that clients may answer for them: on the command line, or in the configuration.
fn is_switched_on(setup: &Setup, args: &ServeArgs) -> Result<bool, Error> {
    match (args.elicitation, setup.elicitation) {
        (true, Some(false)) => Err(Error::invalid(
            Text::new("--elicitation: it is switched off in {}")
                .value(setup.places.config_file().to_string_lossy()),
            "Leave --elicitation out, or take \"elicitation\": false out of the file",
        )),
        (true, Some(true) | None) | (false, Some(true)) => Ok(true),
        (false, Some(false) | None) => Ok(false),
    }
}

/// Returns what tells credentials that people made for clients. The first that is there, or comes, makes it seen that
/// clients answer here; one that cannot be seen does not count.
fn made_by_a_person(setup: &Setup) -> Result<SpeaksForAPerson, Error> {
    let store = SqliteStore::new(&setup.places);
    let state = setup.places.state().to_owned();
    let announcement = Announcement::default();
    if token::any_for_elicitation(&store)? {
        announcement.make(&state).map_err(|error| unseen(&error))?;
    }
    let store: Arc<dyn Store> = Arc::new(store);
    Ok(Arc::new(move |secret| {
        token::is_for_elicitation(secret, &*store) && announcement.make(&state).is_ok()
    }))
}

fn unseen(error: &std::io::Error) -> Error {
    Error::execution(error)
        .hint("Serve without --elicitation: doctor could not tell that clients answer here")
}

fn shared(setup: &Setup) -> Shared {
    let door = Arc::clone(&setup.door);
    let delegated = Arc::clone(&door);
    let commands = Commands::new(move || door.cli());
    let commands = commands.reachable(move |caller, tool| delegated.shop().is_delegated(caller, tool));
    Shared::new(commands, setup.roots.clone())
}
