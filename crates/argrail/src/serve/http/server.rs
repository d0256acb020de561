//! The HTTP server: binding, accepting, and an end that answers what is running.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServerHandler;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::connection;
use super::connection_slots::ConnectionSlots;
use super::error::Error;
use super::front::Front;
use super::guard::{Access, Guard};
use super::listen::{Accepted, Listener};
use super::options::{Limits, Options, Ready};
use super::sessions::Sessions;
use super::socket::own_uid;
use crate::serve::stop::Stop;
use crate::token_file::{self, Origin};

/// How long to leave the system in peace when it has no descriptor left for a client.
const BREATH: Duration = Duration::from_millis(100);

/// How long connections may take to close once their answers are out.
const CLOSING: Duration = Duration::from_secs(1);

/// Serves until a signal comes. Each session, and each request without one, gets a handler from `make`.
///
/// `announce` is called once the server listens.
pub fn run<H: ServerHandler>(
    options: &Options,
    make: impl Fn() -> io::Result<H> + Send + Sync + 'static,
    announce: impl FnOnce(&Ready<'_>),
) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(serve(options, make, announce));
    runtime.shutdown_background();
    outcome
}

async fn serve<H: ServerHandler>(
    options: &Options,
    make: impl Fn() -> io::Result<H> + Send + Sync + 'static,
    announce: impl FnOnce(&Ready<'_>),
) -> Result<(), Error> {
    let stop = Stop::on_signals(Arc::clone(&options.ending.leaving))?;
    let us = own_uid()?;
    let listener = Listener::bind(&options.listen, us).await?;
    let guard = open(options, &listener, us, announce)?;
    let ends = (stop, options.ending.cut.clone());
    answer_all(listener, us, guard, options.limits.clone(), make, ends).await
}

/// Answers whoever the guard lets in, until told to stop. What is left then is cut.
pub(super) async fn answer_all<H: ServerHandler>(
    listener: Listener,
    us: u32,
    guard: Guard,
    limits: Limits,
    make: impl Fn() -> io::Result<H> + Send + Sync + 'static,
    (stop, cut): (Stop, CancellationToken),
) -> Result<(), Error> {
    let streams = CancellationToken::new();
    let sessions = Arc::new(Sessions::new(limits.clone()));
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(streams.clone())
        .with_max_request_body_bytes(limits.body)
        .with_json_response(true)
        .with_sse_retry(limits.reconnect)
        // The guard has judged the host, with the port, and without exceptions.
        .disable_allowed_hosts();
    let front = Arc::new(Front {
        guard,
        rmcp: StreamableHttpService::new(make, Arc::clone(&sessions), config),
        sessions,
        limits: limits.clone(),
        answers: TaskTracker::new(),
    });
    let sweeping = tokio::spawn(sweep(Arc::clone(&front.sessions), limits.session_idle));
    let connections = TaskTracker::new();
    accept(&listener, us, &front, &connections, &stop).await;
    drain(&front, &limits, &stop).await;
    cut.cancel();
    // Their errors go out before the streams end.
    let _ = tokio::time::timeout(CLOSING, front.answers.wait()).await;
    sweeping.abort();
    streams.cancel();
    connections.close();
    let _ = tokio::time::timeout(CLOSING, connections.wait()).await;
    Ok(())
}

/// Builds the guard for what is listened on, and says where that is.
fn open(
    options: &Options,
    listener: &Listener,
    us: u32,
    announce: impl FnOnce(&Ready<'_>),
) -> Result<Guard, Error> {
    let url = listener.url();
    let Listener::Port(_, address) = listener else {
        let guard =
            Guard::new(Access::Owner, &options.allow_origins)?.also_made(options.person_credentials.clone());
        announce(&Ready {
            url,
            token_file: None,
            new_token: None,
        });
        return Ok(guard);
    };
    let (token, origin) = token_file::obtain(&options.token_file, us)?;
    let access = Access::Token {
        address: *address,
        token: token.clone(),
    };
    let guard = Guard::new(access, &options.allow_origins)?.also_made(options.person_credentials.clone());
    let new_token = match origin {
        Origin::Made => Some(token.secret()),
        Origin::Read => None,
    };
    announce(&Ready {
        url,
        token_file: Some(&options.token_file),
        new_token,
    });
    Ok(guard)
}

/// Takes clients in until told to stop.
async fn accept<H: ServerHandler>(
    listener: &Listener,
    us: u32,
    front: &Arc<Front<H>>,
    connections: &TaskTracker,
    stop: &Stop,
) {
    let slots = ConnectionSlots::new(front.limits.connections);
    let next = async || {
        let accepted = listener.accept(us).await;
        // One that is turned away, or none, needs no place.
        let slot = match &accepted {
            Ok(Some(_)) => slots.take().await,
            Ok(None) | Err(_) => None,
        };
        (accepted, slot)
    };
    loop {
        let (accepted, slot) = tokio::select! {
            () = stop.soon.cancelled() => return,
            next = next() => next,
        };
        let front = Arc::clone(front);
        let soon = stop.soon.clone();
        match (accepted, slot) {
            (Ok(Some(Accepted::Port(stream))), Some(slot)) => {
                connections.spawn(connection::serve(stream, front, soon, slot));
            }
            (Ok(Some(Accepted::Socket(stream))), Some(slot)) => {
                connections.spawn(connection::serve(stream, front, soon, slot));
            }
            (Ok(_), _) => {}
            (Err(_), _) => tokio::time::sleep(BREATH).await,
        }
    }
}

/// Waits for the answers that are under way, within the grace.
async fn drain<H: ServerHandler>(front: &Front<H>, limits: &Limits, stop: &Stop) {
    front.answers.close();
    let answered = async {
        front.answers.wait().await;
        // Calls whose client has hung up have no answer to wait for, but may be half done.
        front.sessions.idle().await;
    };
    tokio::select! {
        () = answered => {}
        () = tokio::time::sleep(limits.grace) => {}
        () = stop.now.cancelled() => {}
    }
}

/// Ends idle sessions, for as long as the server runs.
async fn sweep(sessions: Arc<Sessions>, idle: Duration) {
    let mut ticks = tokio::time::interval((idle / 8).max(Duration::from_millis(10)));
    loop {
        ticks.tick().await;
        sessions.expire().await;
    }
}
