//! The authorities that this machine trusts: its own list, where it has one.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use ureq::tls::{Certificate, PemItem, RootCerts, parse_pem};

use crate::files::untrusted::{self, Keeper, Links, Reading};

/// Where systems keep the list.
const LISTS: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];
/// The longest list.
const LONGEST: u64 = 16 << 20;

/// Returns the authorities: of `SSL_CERT_FILE`, else of the system, else those that the program was built with.
pub(super) fn roots(environment: &BTreeMap<OsString, OsString>) -> RootCerts {
    let named = environment.get(OsStr::new("SSL_CERT_FILE")).map(PathBuf::from);
    let lists = named.into_iter().chain(LISTS.iter().map(PathBuf::from));
    let found = lists.map(|list| read(&list)).find(|list| !list.is_empty());
    found.map_or(RootCerts::WebPki, RootCerts::from)
}

fn read(path: &Path) -> Vec<Certificate<'static>> {
    let reading = Reading {
        keeper: Keeper::Trusted,
        links: Links::Follow,
        limit: LONGEST,
    };
    let Ok(Some(list)) = untrusted::read(path, &reading) else {
        return Vec::new();
    };
    let items = parse_pem(&list.bytes).filter_map(Result::ok);
    items
        .filter_map(|item| match item {
            PemItem::Certificate(certificate) => Some(certificate),
            PemItem::PrivateKey(_) => None,
            _ => None,
        })
        .collect()
}
