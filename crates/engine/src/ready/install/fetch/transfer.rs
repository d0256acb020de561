//! One file, from its address to an open file that is what was promised.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use argrail_sandbox::Cancel;
use ureq::Body;
use ureq::http::Response;

use super::address::{Address, Promise};
use super::agent::{Asker, failed};
use super::error::FetchError;
use super::partial::{Partial, sweep};
use crate::ready::install::cancelled::is_cancelled;
use crate::ready::install::progress::Progress;
use crate::run::Reach;

/// The largest file.
const LARGEST: u64 = 8 << 30;
/// How often a broken connection is tried again, as long as something came.
const TRIES: usize = 5;

/// What is downloaded, and what is known about it.
#[derive(Debug, Clone, Copy)]
pub(in crate::ready::install) struct Source<'a> {
    /// Where it is.
    pub(in crate::ready::install) url: &'a str,
    /// Its SHA-256, in digits.
    pub(in crate::ready::install) expected: Option<&'a str>,
    /// Where parts are kept.
    pub(in crate::ready::install) folder: &'a Path,
    /// Our own variables, which may name a proxy.
    pub(in crate::ready::install) environment: &'a BTreeMap<OsString, OsString>,
    /// What is different about the network.
    pub(in crate::ready::install) reach: &'a Reach,
}

/// How one request ended.
enum Came {
    /// The file is whole.
    All,
    /// The connection broke.
    Part(FetchError),
}

/// Downloads a file, from where an earlier try stopped. It has no name any more: when it is closed, it is gone.
///
/// # Errors
/// When it cannot be got whole, or is not what was promised: then nothing of it is kept.
pub(in crate::ready::install) fn fetch(
    source: &Source<'_>,
    progress: &dyn Progress,
    cancel: Option<&Cancel>,
) -> Result<File, FetchError> {
    let promise = match source.expected {
        Some(_) => Promise::Hash,
        None => Promise::Nothing,
    };
    let address = Address::parse(source.url, promise)?;
    sweep(source.folder, SystemTime::now());
    let mut partial = Partial::open(source.folder, source.url, source.expected)?;
    let asker = Asker::new(source.environment, source.reach);
    let mut resumed = partial.length > 0;
    loop {
        receive(&asker, &address, source, &mut partial, progress, cancel)?;
        let digits = partial.digest().to_string().replace("sha256:", "");
        match source.expected {
            Some(expected) if expected != digits => {
                if resumed {
                    // The beginning was of another file. The whole one is judged by itself.
                    resumed = false;
                    partial.restart()?;
                    continue;
                }
                partial.remove();
                return Err(FetchError::Hash {
                    url: source.url.to_owned(),
                    expected: expected.to_owned(),
                    got: digits,
                });
            }
            Some(_) | None => {
                return Ok(partial.take()?);
            }
        }
    }
}

/// Fills the part until it is whole.
fn receive(
    asker: &Asker<'_>,
    address: &Address,
    source: &Source<'_>,
    partial: &mut Partial,
    progress: &dyn Progress,
    cancel: Option<&Cancel>,
) -> Result<(), FetchError> {
    let mut tries = 0;
    loop {
        let before = partial.length;
        let broke = match request(asker, address, source, partial, progress, cancel)? {
            Came::All => return Ok(()),
            Came::Part(error) => error,
        };
        tries = if partial.length > before { 0 } else { tries + 1 };
        if tries >= TRIES {
            return Err(broke);
        }
    }
}

fn request(
    asker: &Asker<'_>,
    address: &Address,
    source: &Source<'_>,
    partial: &mut Partial,
    progress: &dyn Progress,
    cancel: Option<&Cancel>,
) -> Result<Came, FetchError> {
    let mark = partial.mark();
    // Without a mark, only the hash can tell that the rest belongs to the beginning.
    if partial.length > 0 && mark.is_none() && source.expected.is_none() {
        partial.restart()?;
    }
    let mut headers = vec![("accept-encoding", "identity".to_owned())];
    if partial.length > 0 {
        headers.push(("range", format!("bytes={}-", partial.length)));
        headers.extend(mark.map(|mark| ("if-range", mark)));
    }
    let (response, at) = asker.get(address, &headers)?;
    let total = match response.status().as_u16() {
        206 if continues(&response, partial.length) => {
            length(&response).map(|rest| partial.length.saturating_add(rest))
        }
        // All that there is was there already; the hash says whether it is right.
        416 if partial.length > 0 && source.expected.is_some() => return Ok(Came::All),
        200 => {
            partial.restart()?;
            partial.set_mark(mark_of(&response).as_deref())?;
            length(&response)
        }
        status => {
            partial.restart()?;
            return Err(FetchError::Status {
                origin: at.origin,
                status,
            });
        }
    };
    let body = Incoming { response, at, total };
    body.store(partial, progress, cancel)
}

/// The body of an answer.
struct Incoming {
    response: Response<Body>,
    at: Address,
    total: Option<u64>,
}

impl Incoming {
    fn store(
        mut self,
        partial: &mut Partial,
        progress: &dyn Progress,
        cancel: Option<&Cancel>,
    ) -> Result<Came, FetchError> {
        let size = |problem: String| FetchError::Size {
            origin: self.at.origin.clone(),
            problem,
        };
        if self.total.is_some_and(|total| total > LARGEST) {
            partial.remove();
            return Err(size("it is longer than 8 GiB".to_owned()));
        }
        let mut reader = self.response.body_mut().as_reader();
        let mut buffer = vec![0; 128 << 10];
        loop {
            if is_cancelled(cancel) {
                return Err(FetchError::Cancelled);
            }
            let count = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Ok(Came::Part(failed(&self.at, &error.into()))),
            };
            partial.write(buffer.get(..count).unwrap_or_default())?;
            if partial.length > LARGEST {
                partial.restart()?;
                return Err(size("it is longer than 8 GiB".to_owned()));
            }
            progress.bytes(partial.length, self.total);
        }
        match self.total {
            Some(total) if partial.length < total => Ok(Came::Part(size(format!(
                "{} of {total} bytes came",
                partial.length
            )))),
            Some(total) if partial.length > total => {
                partial.restart()?;
                Err(size("more came than was announced".to_owned()))
            }
            Some(_) | None => Ok(Came::All),
        }
    }
}

fn length(response: &Response<Body>) -> Option<u64> {
    let length = response.headers().get("content-length")?;
    length.to_str().ok()?.parse().ok()
}

/// Whether an answer goes on at this byte.
fn continues(response: &Response<Body>, from: u64) -> bool {
    let range = response
        .headers()
        .get("content-range")
        .and_then(|range| range.to_str().ok());
    let start = range
        .and_then(|range| range.strip_prefix("bytes "))
        .and_then(|range| range.split_once('-'));
    start.is_some_and(|(start, _)| start.parse() == Ok(from))
}

/// The mark of a file, if it is one that says "these very bytes".
fn mark_of(response: &Response<Body>) -> Option<String> {
    let mark = response.headers().get("etag")?.to_str().ok()?;
    (!mark.starts_with("W/")).then(|| mark.to_owned())
}
