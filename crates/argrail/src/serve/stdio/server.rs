//! The stdio server: one thread, one connection, and an end that is clean.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use argrail_engine::consent::Leaving;
use rmcp::ServerHandler;
use rmcp::service::serve_directly_with_ct;

use super::backlog::Most;
use super::descriptor::{Input, Output};
use super::transport::{Limits, LineTransport};
use crate::serve::stop::Stop;

/// How a stdio server behaves. The default suits everybody.
#[derive(Debug, Clone)]
pub struct Options {
    /// The longest message that is read, in bytes. A longer one is refused without being held.
    pub message_limit: usize,
    /// The most calls in flight. Beyond it requests wait until one is answered.
    pub calls_in_flight: usize,
    /// How long running calls may go on after the input has ended or a signal came.
    pub grace: Duration,
    /// Told at the first signal, for calls that only wait for a person.
    pub leaving: Arc<Leaving>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            message_limit: 4 * 1024 * 1024,
            calls_in_flight: 1024,
            grace: Duration::from_secs(10),
            leaving: Arc::default(),
        }
    }
}

/// Why a stdio server could not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused something that every server needs.
    #[error("cannot serve on stdin and stdout: {0}")]
    Io(#[from] io::Error),
    /// rmcp's loop broke.
    #[error("the protocol loop failed: {0}")]
    Loop(#[from] tokio::task::JoinError),
}

/// Serves `handler` on descriptors 0 and 1 until the input ends or a signal comes.
///
/// The thread that calls this is the server's only one, except where a descriptor is a file or a terminal.
pub fn run(options: &Options, handler: impl ServerHandler) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(serve(options, handler));
    // A read of a terminal cannot be called off, so its thread is left behind.
    runtime.shutdown_background();
    outcome
}

async fn serve(options: &Options, handler: impl ServerHandler) -> Result<(), Error> {
    let stop = Stop::on_signals(Arc::clone(&options.leaving))?;
    let limits = Limits {
        line: options.message_limit,
        calls: options.calls_in_flight,
        waiting: Most::default(),
        grace: options.grace,
    };
    let transport = LineTransport::new(Input::stdin()?, Output::stdout()?, limits, stop.clone());
    // "Directly" leaves the handshake to the handler. rmcp's own handshake ends the process when a
    // client begins with anything but a request.
    let running = serve_directly_with_ct(handler, transport, None, stop.now.clone());
    running.waiting().await?;
    Ok(())
}
