//! How a server that is an address is spoken to: one request for each thing that is said.
//!
//! No redirect is followed, no proxy of the environment is used, and the headers that were configured go to the address
//! that they were configured for.

use std::time::Duration;

use argrail_spec::config::Secret;
use indexmap::IndexMap;
use serde_json::Value;
use ureq::http::Response;
use ureq::http::header::{HeaderName, HeaderValue};
use ureq::{Agent, Body};

use super::error::Problem;
use super::url::Address;

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);
/// How long the goodbye may take.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long something may take that nobody waits for.
const MENTION: Duration = Duration::from_secs(5);
pub(super) const SESSION_HEADER: &str = "mcp-session-id";
const REVISION_HEADER: &str = "mcp-protocol-version";
/// Headers that are ours to set.
const OURS: [&str; 12] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    REVISION_HEADER,
    SESSION_HEADER,
    "te",
    "transfer-encoding",
];

/// What is needed to say something.
#[derive(Debug, Clone)]
pub(super) struct Voice {
    agent: Agent,
    pub(super) address: Address,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// The session, once the server has named it.
    pub(super) session: Option<HeaderValue>,
    /// The revision, once it is agreed on.
    pub(super) revision: Option<&'static str>,
}

impl Voice {
    /// Checks what is configured. Nothing is said yet.
    pub(super) fn new(address: Address, headers: &IndexMap<String, Secret>) -> Result<Self, Problem> {
        Ok(Self {
            agent: agent(),
            address,
            headers: checked(headers)?,
            session: None,
            revision: None,
        })
    }

    /// Says something.
    pub(super) fn post(&self, message: &Value, most: Duration) -> Result<Response<Body>, ureq::Error> {
        let mut request = self
            .agent
            .post(&self.address.uri)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        for (name, value) in self.headers.iter().chain(&self.own_headers()) {
            request = request.header(name, value);
        }
        let request = request.config().timeout_global(Some(most)).build();
        request.send(message.to_string().as_bytes())
    }

    /// Says something whose answer nobody reads.
    pub(super) fn mention(&self, message: &Value) {
        drop(self.post(message, MENTION));
    }

    /// Ends the session, if there is one. Whatever comes back says nothing about the tools.
    pub(super) fn leave(&self) {
        if self.session.is_none() {
            return;
        }
        let mut request = self.agent.delete(&self.address.uri);
        for (name, value) in self.headers.iter().chain(&self.own_headers()) {
            request = request.header(name, value);
        }
        let _ = request.config().timeout_global(Some(FAREWELL)).build().call();
    }

    /// What names the session and the revision, once they are known.
    fn own_headers(&self) -> Vec<(HeaderName, HeaderValue)> {
        let session = self
            .session
            .clone()
            .map(|id| (HeaderName::from_static(SESSION_HEADER), id));
        let revision = self.revision.map(|revision| {
            (
                HeaderName::from_static(REVISION_HEADER),
                HeaderValue::from_static(revision),
            )
        });
        session.into_iter().chain(revision).collect()
    }
}

fn agent() -> Agent {
    let config = Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .timeout_connect(Some(CONNECT))
        .user_agent(concat!("argrail/", env!("CARGO_PKG_VERSION")))
        .build();
    config.new_agent()
}

/// Reads the configured headers. Their values are never shown.
fn checked(headers: &IndexMap<String, Secret>) -> Result<Vec<(HeaderName, HeaderValue)>, Problem> {
    let check = |(name, value): (&String, &Secret)| {
        let refuse = |reason| Problem::Configuration {
            field: "headers",
            given: Some(name.clone()),
            reason,
        };
        let name = HeaderName::try_from(name.as_str()).map_err(|_| refuse("it is no name of a header"))?;
        if OURS.contains(&name.as_str()) {
            return Err(refuse("it is set by argrail"));
        }
        let mut value = HeaderValue::try_from(value.expose())
            .map_err(|_| refuse("its value holds characters that no header may have"))?;
        value.set_sensitive(true);
        Ok((name, value))
    };
    headers.iter().map(check).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_checked_and_their_values_never_shown() {
        let check = |name: &str, value: &str, want: Option<&str>| {
            let outcome = checked(&IndexMap::from([(name.to_owned(), Secret::new(value))]));
            match (outcome, want) {
                (Ok(_), None) => {}
                (Err(problem), Some(part)) => {
                    let said = format!("{problem:?}");
                    assert!(said.contains(part) && !said.contains("s3cret"), "{said}");
                }
                (came, want) => panic!("{name}: {came:?}, not {want:?}"),
            }
        };
        check("Authorization", "Bearer s3cret", None);
        check("X-Key", "s3cret", None);
        check("X Key", "s3cret", Some("no name"));
        check("X-Key", "s3cret\r\nHost: x", Some("characters"));
        check("HOST", "s3cret", Some("set by argrail"));
        check("Mcp-Session-Id", "s3cret", Some("set by argrail"));
    }
}
