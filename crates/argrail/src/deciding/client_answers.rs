//! Whether an MCP client's own answers count for a person's somewhere, as far as this process can see.
//!
//! Who asks through a client can make the client answer. So wherever a person switched elicitation on, an answer is worth
//! what the client is worth, and `doctor` has to say so, also to another user, who cannot look into our directories. A
//! server that takes such answers has a name in the abstract namespace of unix sockets for as long as it runs: everybody
//! can see it, and nobody can leave it behind. Who makes up such a name only makes `doctor` warn.

use std::fs;
use std::io::{self, Read};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::sync::OnceLock;

use argrail_engine::config::Config;
use argrail_engine::places::Places;
use argrail_spec::digest::Digest;

/// What every such name starts with.
const PREFIX: &str = "argrail-elicitation";
/// The names of all unix sockets that there are.
const NAMES: &str = "/proc/net/unix";
/// The most bytes of that list that are looked at.
const LONGEST: u64 = 16 << 20;

/// Whether answers of clients count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ClientAnswers {
    /// Nowhere that can be seen.
    Ignored,
    /// They do; why that is known.
    Count(&'static str),
}

impl ClientAnswers {
    /// Returns the word for it.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            Self::Ignored => "off",
            Self::Count(_) => "on",
        }
    }

    /// Looks at the configuration and at the servers that run.
    pub(crate) fn look(places: &Places) -> Self {
        let names = listed().unwrap_or_default();
        if names.lines().any(|line| is_named(line, places.state())) {
            return Self::Count("a server that takes clients' own answers is running (serve --elicitation)");
        }
        match Config::load(places) {
            Ok(config) if config.elicitation == Some(true) => {
                Self::Count("elicitation is switched on in config.json, so clients answer for themselves")
            }
            // Nothing is served by a configuration that cannot be read.
            Ok(_) | Err(_) => Self::Ignored,
        }
    }
}

/// What a server does to be seen.
#[derive(Debug, Default)]
pub(crate) struct Announcement(OnceLock<UnixDatagram>);

impl Announcement {
    /// Makes it seen, from now on and until the value is gone, that answers of clients count here.
    ///
    /// # Errors
    /// When the system gives it no name. Then they must not count.
    pub(crate) fn make(&self, state: &Path) -> io::Result<()> {
        if self.0.get().is_some() {
            return Ok(());
        }
        let name = format!("{}-{:016x}", name_of(state), getrandom::u64()?);
        let address = SocketAddr::from_abstract_name(name)?;
        // Another thread may have been faster; one name is enough.
        let _ = self.0.set(UnixDatagram::bind_addr(&address)?);
        Ok(())
    }
}

/// The name of servers that keep their state there, without what tells one from the next.
fn name_of(state: &Path) -> String {
    let digest = Digest::of(state.as_os_str().as_bytes()).to_string();
    let digits = digest.rsplit(':').next().unwrap_or_default();
    format!("{PREFIX}-{digits}")
}

/// Whether a line of the list names such a server. Abstract names stand there behind an `@`.
fn is_named(line: &str, state: &Path) -> bool {
    let name = line
        .split_whitespace()
        .last()
        .and_then(|name| name.strip_prefix('@'));
    name.is_some_and(|name| name.starts_with(&name_of(state)))
}

fn listed() -> io::Result<String> {
    let mut bytes = Vec::new();
    fs::File::open(NAMES)?.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_seen_for_as_long_as_it_is_there() {
        let home = argrail_testkit::Home::new();
        let state = home.root().join("state/argrail");
        let seen = || listed().unwrap().lines().any(|line| is_named(line, &state));
        assert!(!seen());
        let server = Announcement::default();
        assert!(!seen());
        server.make(&state).unwrap();
        server.make(&state).unwrap();
        assert!(seen());
        let another = Announcement::default();
        another.make(&state).unwrap();
        drop(server);
        assert!(seen());
        drop(another);
        assert!(!seen());
    }
}
