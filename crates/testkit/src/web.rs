//! A web server on a port of its own: says what the test tells it to, and remembers what it was asked.

use crate::http::Request;
use std::collections::BTreeMap;
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a client may take to ask.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server, until it is dropped.
#[derive(Debug)]
pub struct Web {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    pages: BTreeMap<String, Page>,
    asked: Vec<Asked>,
    over: bool,
}

/// What stands at a path.
#[derive(Debug, Clone, Default)]
pub struct Page {
    status: u16,
    body: Vec<u8>,
    headers: Vec<(String, String)>,
    cuts: Vec<usize>,
    ranges: bool,
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The path.
    pub path: String,
    /// Headers, their names in lower case.
    pub headers: BTreeMap<String, String>,
}

impl Page {
    /// A page of these bytes.
    pub fn new(body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            body: body.into(),
            ..Self::default()
        }
    }

    /// Another status.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// One more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The connection breaks after so many bytes of the body, once.
    #[must_use]
    pub fn cut(mut self, after: usize) -> Self {
        self.cuts.push(after);
        self
    }

    /// Parts can be asked for.
    #[must_use]
    pub fn ranges(mut self) -> Self {
        self.ranges = true;
        self
    }
}

impl Web {
    /// Starts a server that has no pages.
    #[expect(
        clippy::new_without_default,
        reason = "it takes a port, which a default should not"
    )]
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let shared = Arc::new(Mutex::new(Shared::default()));
        let of_thread = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if lock(&of_thread).over {
                    return;
                }
                let shared = Arc::clone(&of_thread);
                thread::spawn(move || stream.map(|stream| answer(&stream, &shared)));
            }
        });
        Self { address, shared }
    }

    /// Puts a page at a path, which starts with a slash.
    pub fn put(&self, path: &str, page: Page) {
        lock(&self.shared).pages.insert(path.to_owned(), page);
    }

    /// Returns the address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns every request so far.
    pub fn asked(&self) -> Vec<Asked> {
        lock(&self.shared).asked.clone()
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        lock(&self.shared).over = true;
        // Wakes the thread that waits for somebody.
        let _ = TcpStream::connect(self.address);
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads one request and answers it. A client that goes away is its own business.
fn answer(stream: &TcpStream, shared: &Mutex<Shared>) -> Option<()> {
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let Request { path, headers, .. } = Request::read(stream)?;
    let asked = Asked { path, headers };
    let (page, cut) = {
        let mut shared = lock(shared);
        shared.asked.push(asked.clone());
        let page = shared.pages.get_mut(&asked.path);
        let cut = page.and_then(|page| (!page.cuts.is_empty()).then(|| page.cuts.remove(0)));
        let none = Page::new("nothing is here").status(404);
        (shared.pages.get(&asked.path).cloned().unwrap_or(none), cut)
    };
    let mut head = String::new();
    let mut body = page.body.as_slice();
    let mut status = page.status;
    if let Some(from) = start(&page, &asked) {
        match body.get(from..).filter(|rest| !rest.is_empty()) {
            Some(rest) => {
                status = 206;
                head = format!(
                    "content-range: bytes {from}-{}/{}\r\n",
                    body.len() - 1,
                    body.len()
                );
                body = rest;
            }
            None => (status, body) = (416, &[]),
        }
    }
    for (name, value) in &page.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status} Told\r\ncontent-length: {length}\r\nconnection: close\r\n{head}\r\n");
    let mut stream = stream;
    stream.write_all(head.as_bytes()).ok()?;
    let sent = cut.map_or(body, |cut| body.get(..cut).unwrap_or(body));
    stream.write_all(sent).ok()
}

/// Where a request wants to go on, if it may: `If-Range` must be the page's own mark.
fn start(page: &Page, asked: &Asked) -> Option<usize> {
    let range = asked.headers.get("range").filter(|_| page.ranges)?;
    let own = page
        .headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("etag"));
    let wanted = asked.headers.get("if-range");
    if wanted.is_some_and(|wanted| own.map(|(_, mark)| mark) != Some(wanted)) {
        return None;
    }
    range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
}
