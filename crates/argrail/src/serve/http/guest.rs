//! A server for one driven agent, in the process that drives it: on a unix socket to which the agent's sandbox leads one
//! name, opened by a token made for the session.
//!
//! The socket stands where no tool reads, and is gone with the value. Those of processes that were killed are removed by
//! the next that comes.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rmcp::ServerHandler;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::error::Error;
use super::guard::{Access, ENDPOINT, Guard};
use super::listen::{Listen, Listener};
use super::options::Limits;
use super::server::answer_all;
use super::socket::own_uid;
use crate::serve::stop::Stop;
use crate::token_file::Token;

/// The name by which the agent finds the server. Nobody else has it: `internal` is kept for private use.
pub(crate) const GUEST_HOST: &str = "argrail.internal";

/// What sockets of sessions end in.
const SUFFIX: &str = "sock";

/// How many left-over sockets are looked at.
const LOOKED_AT: usize = 256;

/// A server that listens.
pub(crate) struct GuestDoor {
    socket: PathBuf,
    token: Token,
    stop: Stop,
    answering: JoinHandle<Result<(), Error>>,
}

impl GuestDoor {
    /// Listens at a socket named after the session. Each session of MCP gets a handler from `make`.
    ///
    /// # Errors
    /// When the directory is not ours alone, or the socket cannot be made.
    pub(crate) async fn open<H: ServerHandler>(
        directory: &Path,
        session: &str,
        make: impl Fn() -> io::Result<H> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let us = own_uid()?;
        sweep(directory);
        let socket = directory.join(format!("{session}.{SUFFIX}"));
        let listener = Listener::bind(&Listen::Socket(socket.clone()), us).await?;
        let token = Token::random()?;
        let access = Access::Guest {
            name: GUEST_HOST,
            token: token.clone(),
        };
        let guard = Guard::new(access, &[])?;
        let limits = Limits {
            // The agent has ended by then.
            grace: Duration::ZERO,
            // gemini is one that stumbles; and nothing breaks between two processes of one machine.
            reconnect: None,
            ..Limits::default()
        };
        let stop = Stop::default();
        let answering = tokio::spawn(answer_all(
            listener,
            us,
            guard,
            limits,
            make,
            (stop.clone(), CancellationToken::new()),
        ));
        Ok(Self {
            socket,
            token,
            stop,
            answering,
        })
    }

    /// Returns where the socket is.
    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    /// Returns where the agent finds the server.
    pub(crate) fn url() -> String {
        format!("http://{GUEST_HOST}{ENDPOINT}")
    }

    /// Returns the header that opens it. Mind where it goes.
    pub(crate) fn authorization(&self) -> (String, String) {
        (
            "Authorization".to_owned(),
            format!("Bearer {}", self.token.secret()),
        )
    }

    /// Ends what is running and takes the socket away.
    pub(crate) async fn close(self) {
        self.stop.soon.cancel();
        self.stop.now.cancel();
        // It has served; that it could not end well changes nothing.
        let _ = self.answering.await;
    }
}

/// Removes sockets on which nobody listens.
fn sweep(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else {
        return; // There is none yet.
    };
    for entry in entries.take(LOOKED_AT).filter_map(Result::ok) {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != SUFFIX) {
            continue;
        }
        let dead =
            UnixStream::connect(&path).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused);
        if dead {
            // Another process may have been faster.
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use argrail_acli::{Cli, TokioHost};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;
    use crate::serve::{CliServer, Commands, Shared};

    /// Says it on a connection of its own, and returns what comes back.
    async fn ask(socket: &Path, request: String) -> String {
        let mut stream = tokio::net::UnixStream::connect(socket).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    fn request(host: &str, header: &str) -> String {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
        format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\n{header}Content-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    }

    #[tokio::test]
    async fn a_guest_is_served_and_leaves_nothing_behind() {
        let home = argrail_testkit::Home::new();
        let directory = home.root().join("agents");
        fs::create_dir(&directory).unwrap();
        let left_over = directory.join("old.sock");
        drop(std::os::unix::net::UnixListener::bind(&left_over).unwrap());
        let shared = Shared::new(
            Commands::fixed(Arc::new(
                Cli::builder("argrail", "0", "", Arc::new(TokioHost::default()))
                    .build()
                    .unwrap(),
            )),
            vec![home.work()],
        );
        let door = GuestDoor::open(&directory, "one", move || CliServer::new(shared.clone()))
            .await
            .unwrap();
        assert!(!left_over.exists());
        let (name, value) = door.authorization();
        let good = ask(
            door.socket(),
            request(GUEST_HOST, &format!("{name}: {value}\r\n")),
        )
        .await;
        assert!(
            good.starts_with("HTTP/1.1 200 ") && good.contains("serverInfo"),
            "{good}"
        );
        let without = ask(door.socket(), request(GUEST_HOST, "")).await;
        assert!(without.starts_with("HTTP/1.1 401 "), "{without}");
        let socket = door.socket().to_owned();
        door.close().await;
        assert!(!socket.exists());
    }
}
