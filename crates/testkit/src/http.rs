//! One request of HTTP/1.1, read from a connection: as much of it as a server in a test needs.
//!
//! What a request may be long is bounded. A body has a length in its head, or there is none.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;

/// Bytes that a head may have.
const HEAD: u64 = 64 * 1024;
/// Bytes that a body may have.
const BODY: u64 = 16 * 1024 * 1024;

/// A request.
#[derive(Debug)]
pub(crate) struct Request {
    /// `GET`, `POST`.
    pub(crate) method: String,
    /// The path, with what follows a question mark.
    pub(crate) path: String,
    /// Headers, their names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    /// What came with it.
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// Reads one; `None` if the client went away, wrote no HTTP, or wrote too much of it.
    pub(crate) fn read(stream: &TcpStream) -> Option<Self> {
        let mut reader = BufReader::new(stream);
        let mut lines = (&mut reader).take(HEAD).lines();
        let first = lines.next()?.ok()?;
        let mut words = first.split(' ');
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut headers = BTreeMap::new();
        loop {
            let line = lines.next()?.ok()?;
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = match headers.get("content-length") {
            Some(length) => length.parse().ok().filter(|length| *length <= BODY)?,
            None => 0,
        };
        let mut body = Vec::new();
        reader.take(length).read_to_end(&mut body).ok()?;
        let whole = u64::try_from(body.len()).is_ok_and(|read| read == length);
        whole.then_some(Self {
            method,
            path,
            headers,
            body,
        })
    }
}
