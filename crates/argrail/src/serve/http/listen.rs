//! What to listen on, and the listening.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

use super::error::Error;
use super::guard::ENDPOINT;
use super::socket::{self, SocketFile};

/// A place on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    /// A port of a loopback address; 0 for any free one.
    Port(SocketAddr),
    /// A unix socket.
    Socket(PathBuf),
}

impl std::str::FromStr for Listen {
    type Err = Error;

    /// Reads `127.0.0.1:PORT`, `[::1]:PORT`, `localhost:PORT` or `unix:PATH`.
    ///
    /// Other addresses are refused: whoever reaches the port needs only the token, and over a network
    /// that would travel in the clear.
    fn from_str(given: &str) -> Result<Self, Error> {
        if let Some(path) = given.strip_prefix("unix:") {
            if path.is_empty() {
                return Err(Error::Address {
                    given: given.to_owned(),
                });
            }
            return Ok(Self::Socket(PathBuf::from(path)));
        }
        let address = parse_address(given).ok_or_else(|| Error::Address {
            given: given.to_owned(),
        })?;
        if !address.ip().is_loopback() {
            return Err(Error::NotLoopback {
                given: given.to_owned(),
            });
        }
        Ok(Self::Port(address))
    }
}

fn parse_address(given: &str) -> Option<SocketAddr> {
    match given.strip_prefix("localhost:") {
        Some(port) => Some(SocketAddr::new(
            IpAddr::V4(Ipv4Addr::LOCALHOST),
            port.parse().ok()?,
        )),
        None => given.parse().ok(),
    }
}

/// A place that is listened on.
pub(super) enum Listener {
    Port(TcpListener, SocketAddr),
    Socket(UnixListener, SocketFile),
}

/// A client.
pub(super) enum Accepted {
    Port(TcpStream),
    Socket(UnixStream),
}

impl Listener {
    pub(super) async fn bind(listen: &Listen, us: u32) -> Result<Self, Error> {
        match listen {
            Listen::Port(address) => {
                let failed = |source| Error::Bind {
                    place: address.to_string(),
                    source,
                };
                let listener = TcpListener::bind(address).await.map_err(failed)?;
                let real = listener.local_addr().map_err(failed)?;
                Ok(Self::Port(listener, real))
            }
            Listen::Socket(path) => {
                let (listener, file) = socket::bind(path, us).await?;
                Ok(Self::Socket(listener, file))
            }
        }
    }

    /// Returns where a client finds it.
    pub(super) fn url(&self) -> String {
        match self {
            Self::Port(_, address) => format!("http://{address}{ENDPOINT}"),
            Self::Socket(_, file) => format!("unix:{}:{ENDPOINT}", file.path().display()),
        }
    }

    /// Waits for a client. `None` for one that was turned away.
    pub(super) async fn accept(&self, us: u32) -> std::io::Result<Option<Accepted>> {
        match self {
            Self::Port(listener, _) => {
                let (stream, _) = listener.accept().await?;
                // Events are small and should not wait for more.
                stream.set_nodelay(true)?;
                Ok(Some(Accepted::Port(stream)))
            }
            Self::Socket(listener, _) => {
                let (stream, _) = listener.accept().await?;
                // The kernel's word on who connected stands in for the token.
                let ours = stream.peer_cred().is_ok_and(|peer| peer.uid() == us);
                Ok(ours.then_some(Accepted::Socket(stream)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_listened_on() {
        for good in ["127.0.0.1:0", "127.1.2.3:80", "[::1]:8931", "localhost:8931"] {
            assert!(matches!(good.parse(), Ok(Listen::Port(_))), "{good}");
        }
        assert_eq!(
            "unix:/run/a b".parse::<Listen>().unwrap(),
            Listen::Socket("/run/a b".into())
        );
        for far in ["0.0.0.0:80", "192.168.1.1:80", "[::]:80", "8.8.8.8:0"] {
            assert!(
                matches!(far.parse::<Listen>(), Err(Error::NotLoopback { .. })),
                "{far}"
            );
        }
        for bad in [
            "",
            "unix:",
            "80",
            "localhost",
            "localhost:x",
            "example.org:80",
            "127.0.0.1",
        ] {
            assert!(
                matches!(bad.parse::<Listen>(), Err(Error::Address { .. })),
                "{bad}"
            );
        }
    }
}
