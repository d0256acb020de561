//! `argrail serve`: the tool `cli` for agents, on stdio or HTTP, until told to stop.

use std::sync::Arc;

use argrail_acli::Error;
use argrail_engine::call::{NamedSecret, Wait};

use crate::args::ServeArgs;
use crate::delegation_file;
use crate::out::{self, Report};
use crate::serve::{CliServer, Commands, Shared, http, stdio};
use crate::setup::Setup;
use crate::token_file;

/// Serves, and returns the exit number.
pub(crate) fn run(args: &ServeArgs, report: Report) -> u8 {
    let outcome = ready(args).and_then(|setup| match &args.http {
        None => serve_stdio(&setup),
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

fn serve_stdio(setup: &Setup) -> Result<(), Error> {
    let handler = CliServer::new(shared(setup)).map_err(Error::execution)?;
    stdio::run(&stdio::Options::default(), handler).map_err(Error::execution)
}

fn serve_http(setup: &Setup, address: &str, args: &ServeArgs) -> Result<(), Error> {
    let explain = |error: http::Error| Error::execution(&error).hint(error.hint());
    let default_file = || setup.places.state().join("http-token");
    let options = http::Options {
        listen: address.parse().map_err(explain)?,
        token_file: args.token_file.clone().unwrap_or_else(default_file),
        allow_origins: args.allow_origins.clone(),
        limits: http::Limits::default(),
    };
    let shared = shared(setup);
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

fn shared(setup: &Setup) -> Shared {
    let door = Arc::clone(&setup.door);
    Shared::new(Commands::new(move || door.cli()), setup.roots.clone())
}
