//! Names become addresses of the open internet, or nothing.

use std::net::SocketAddr;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use crate::config::{Loopback, NetworkOverrides};

/// Resolves, and leaves out what is not of the open internet.
#[derive(Debug)]
pub(super) struct Careful {
    inner: DefaultResolver,
    reach: NetworkOverrides,
    /// Hosts that may be anywhere: the one that a manifest names as an address, and the user's own proxy.
    named: Vec<String>,
}

/// Every address of a name is refused; this is the first.
#[derive(Debug, thiserror::Error)]
#[error("{address} is not of the open internet: {what}")]
pub(super) struct Closed {
    pub(super) address: String,
    pub(super) what: &'static str,
}

impl Careful {
    pub(super) fn new(reach: NetworkOverrides, named: Vec<String>) -> Self {
        Self {
            inner: DefaultResolver::default(),
            reach,
            named,
        }
    }

    fn judge(&self, host: &str, address: SocketAddr) -> Result<(), Closed> {
        if self.named.iter().any(|named| named == host) {
            return Ok(());
        }
        let judged = match self.reach.loopback {
            Loopback::Allowed if address.ip().to_canonical().is_loopback() => return Ok(()),
            Loopback::Allowed => argrail_sandbox::is_global(address.ip()),
            Loopback::Refused => argrail_sandbox::is_public(address.ip()),
        };
        match judged {
            Ok(_) => Ok(()),
            Err(what) => Err(Closed {
                address: address.ip().to_string(),
                what,
            }),
        }
    }
}

impl Resolver for Careful {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let host = uri.host().unwrap_or_default();
        let host = host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .to_ascii_lowercase();
        let port = uri.port_u16().unwrap_or(match uri.scheme_str() {
            Some("https") => 443,
            _ => 80,
        });
        let fixed = self
            .reach
            .resolve
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(&host));
        let mut found: Vec<SocketAddr> = fixed
            .map(|(_, address)| SocketAddr::new(*address, port))
            .collect();
        if found.is_empty() {
            found.extend(self.inner.resolve(uri, config, timeout)?.iter());
        }
        let mut open = self.empty();
        let mut closed = None;
        for address in found.into_iter().take(16) {
            match self.judge(&host, address) {
                Ok(()) => open.push(address),
                Err(why) => closed = closed.or(Some(why)),
            }
        }
        match (open.is_empty(), closed) {
            (false, _) => Ok(open),
            (true, Some(why)) => Err(ureq::Error::Other(Box::new(why))),
            (true, None) => Err(ureq::Error::HostNotFound),
        }
    }
}
