//! One request: redirects are followed by hand, so that each is judged.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Body, Timeout};

use super::address::Address;
use super::error::FetchError;
use super::proxy::proxy;
use super::resolver::{Careful, Closed};
use super::roots::roots;
use crate::config::NetworkOverrides;
use crate::ready::install::wishes::Registries;

/// How long a connection may take, and how long nothing may come.
const CONNECT: Duration = Duration::from_secs(30);
const SILENCE: Duration = Duration::from_secs(60);
/// How often a file may have moved.
const REDIRECTS: usize = 10;

/// Asks servers.
#[derive(Debug)]
pub(super) struct Asker<'a> {
    environment: &'a BTreeMap<OsString, OsString>,
    reach: &'a NetworkOverrides,
    roots: RootCerts,
    registries: Registries,
}

impl<'a> Asker<'a> {
    pub(super) fn new(environment: &'a BTreeMap<OsString, OsString>, reach: &'a NetworkOverrides) -> Self {
        Self {
            environment,
            reach,
            roots: roots(environment),
            registries: Registries::Public,
        }
    }

    /// Says where hosts may be.
    pub(super) fn registries(mut self, registries: Registries) -> Self {
        self.registries = registries;
        self
    }

    /// Asks for `address` with these headers; returns the answer and who gave it.
    ///
    /// # Errors
    /// When nobody answers, or a redirect leads where nobody is asked.
    pub(super) fn get(
        &self,
        address: &Address,
        headers: &[(&'static str, String)],
    ) -> Result<(Response<Body>, Address), FetchError> {
        let mut at = address.clone();
        for hop in 0..=REDIRECTS {
            // Only what stands in the manifest may say that it is somewhere private.
            let anywhere = self.registries == Registries::Anywhere || (hop == 0 && at.is_literal());
            let named = anywhere.then(|| at.host.clone());
            let response = self.once(&at, named, headers)?;
            if !response.status().is_redirection() || response.status().as_u16() == 304 {
                return Ok((response, at));
            }
            let location = response.headers().get("location").and_then(|to| to.to_str().ok());
            at = at.redirect(location.unwrap_or_default())?;
        }
        Err(FetchError::Redirect {
            from: address.origin.clone(),
            to: at.origin,
            problem: "there are too many redirects",
        })
    }

    fn once(
        &self,
        at: &Address,
        named: Option<String>,
        headers: &[(&'static str, String)],
    ) -> Result<Response<Body>, FetchError> {
        let proxy = proxy(self.environment, at);
        let proxied = proxy.as_ref().map(|proxy| proxy.host().to_ascii_lowercase());
        let config = Agent::config_builder()
            .proxy(proxy)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(SILENCE))
            .timeout_per_read(Some(SILENCE))
            .tls_config(TlsConfig::builder().root_certs(self.roots.clone()).build())
            .user_agent(concat!("argrail/", env!("CARGO_PKG_VERSION")))
            .build();
        let resolver = Careful::new(self.reach.clone(), named.into_iter().chain(proxied).collect());
        let agent = Agent::with_parts(config, DefaultConnector::default(), resolver);
        let mut request = agent.get(&at.uri);
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        request.call().map_err(|error| failed(at, &error))
    }
}

/// Says why a request failed, in words that hold nothing of its path.
pub(super) fn failed(at: &Address, error: &ureq::Error) -> FetchError {
    let origin = at.origin.clone();
    let reason = match error {
        ureq::Error::Other(inner) => match inner.downcast_ref::<Closed>() {
            Some(Closed { address, what }) => {
                let address = address.clone();
                return FetchError::Private {
                    origin,
                    address,
                    what,
                };
            }
            None => "the request failed".to_owned(),
        },
        ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => "no connection in time".to_owned(),
        ureq::Error::Timeout(_) => "nothing came for too long".to_owned(),
        ureq::Error::HostNotFound => "there is no such host".to_owned(),
        ureq::Error::Io(error) => error.kind().to_string(),
        ureq::Error::Rustls(error) => error.to_string(),
        ureq::Error::Tls(reason) => (*reason).to_owned(),
        _ => "the request failed".to_owned(),
    };
    FetchError::Unreachable { origin, reason }
}
