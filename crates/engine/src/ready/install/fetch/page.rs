//! A small answer, read whole: what an index says about itself.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;

use super::address::Address;
use super::agent::{Asker, failed};
use super::error::FetchError;
use crate::config::NetworkOverrides;
use crate::ready::install::wishes::Registries;

/// The longest page.
const LONGEST: u64 = 32 << 20;

/// Reads the page at `address`.
///
/// # Errors
/// When it cannot be got, or is too long.
pub(in crate::ready::install) fn page(
    address: &Address,
    at: Registries,
    accept: &str,
    environment: &BTreeMap<OsString, OsString>,
    reach: &NetworkOverrides,
) -> Result<String, FetchError> {
    let asker = Asker::new(environment, reach).registries(at);
    let (mut response, at) = asker.get(address, &[("accept", accept.to_owned())])?;
    if !response.status().is_success() {
        return Err(FetchError::Status {
            origin: at.origin,
            status: response.status().as_u16(),
        });
    }
    let mut bytes = Vec::new();
    let mut reader = response.body_mut().as_reader().take(LONGEST + 1);
    reader
        .read_to_end(&mut bytes)
        .map_err(|error| failed(&at, &error.into()))?;
    match u64::try_from(bytes.len()).unwrap_or(u64::MAX) > LONGEST {
        true => Err(FetchError::Size {
            origin: at.origin,
            problem: "the page is longer than 32 MiB".to_owned(),
        }),
        false => Ok(String::from_utf8_lossy(&bytes).into_owned()),
    }
}
