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
use crate::config::NetworkOverrides;
use crate::ready::install::cancelled::is_cancelled;
use crate::ready::install::progress::Progress;

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
    pub(in crate::ready::install) reach: &'a NetworkOverrides,
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::fs;
    use std::path::PathBuf;

    use argrail_spec::digest::Digest;
    use argrail_testkit::{Home, Page, Web};

    use super::*;
    use crate::config::Loopback;

    /// Remembers the last figures.
    #[derive(Default)]
    struct Seen(RefCell<Vec<(u64, Option<u64>)>>);

    impl Progress for Seen {
        fn step(&self, _: &str) {}

        fn bytes(&self, done: u64, total: Option<u64>) {
            self.0.borrow_mut().push((done, total));
        }
    }

    struct Scene {
        home: Home,
        web: Web,
        environment: BTreeMap<OsString, OsString>,
        reach: NetworkOverrides,
        seen: Seen,
    }

    impl Scene {
        fn new() -> Self {
            Self {
                home: Home::new(),
                web: Web::new(),
                environment: BTreeMap::new(),
                reach: NetworkOverrides::default(),
                seen: Seen::default(),
            }
        }

        fn folder(&self) -> PathBuf {
            self.home.root().join("downloads")
        }

        fn fetch(&self, url: &str, expected: Option<&str>) -> Result<Vec<u8>, FetchError> {
            let folder = self.folder();
            let source = Source {
                url,
                expected,
                folder: &folder,
                environment: &self.environment,
                reach: &self.reach,
            };
            let mut file = fetch(&source, &self.seen, None)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            Ok(bytes)
        }

        /// Names of files that are left.
        fn left(&self) -> Vec<String> {
            let entries = fs::read_dir(self.folder()).into_iter().flatten();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.collect()
        }

        fn ranges(&self) -> Vec<Option<String>> {
            let asked = self.web.asked();
            asked
                .iter()
                .map(|asked| asked.headers.get("range").cloned())
                .collect()
        }
    }

    fn hash(bytes: &[u8]) -> String {
        Digest::of(bytes).to_string().replace("sha256:", "")
    }

    fn body() -> Vec<u8> {
        (0..100_000_u32).flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn a_file_comes_whole_and_nothing_is_left() {
        let scene = Scene::new();
        scene.web.put("/gh", Page::new(body()));
        let url = scene.web.url("/gh");
        assert_eq!(scene.fetch(&url, Some(&hash(&body()))).unwrap(), body());
        assert_eq!(scene.fetch(&url, None).unwrap(), body());
        assert_eq!(scene.seen.0.borrow().last(), Some(&(400_000, Some(400_000))));
        assert_eq!(scene.left(), Vec::<String>::new());
    }

    #[test]
    fn another_file_is_refused_with_both_hashes_and_thrown_away() {
        let scene = Scene::new();
        scene.web.put("/gh", Page::new("evil"));
        let expected = hash(b"good");
        let error = scene.fetch(&scene.web.url("/gh"), Some(&expected)).unwrap_err();
        let FetchError::Hash {
            expected: told, got, ..
        } = error
        else {
            panic!("{error}");
        };
        assert_eq!((told, got), (expected, hash(b"evil")));
        assert_eq!(scene.left(), Vec::<String>::new());
    }

    #[test]
    fn a_connection_that_breaks_is_gone_on_with() {
        let scene = Scene::new();
        scene.web.put(
            "/gh",
            Page::new(body())
                .ranges()
                .header("etag", "\"1\"")
                .cut(1000)
                .cut(500),
        );
        assert_eq!(scene.fetch(&scene.web.url("/gh"), None).unwrap(), body());
        let ranges = scene.ranges();
        assert_eq!(ranges.len(), 3, "{ranges:?}");
        assert_eq!(ranges.last().unwrap().as_deref(), Some("bytes=1500-"));
    }

    #[test]
    fn a_server_that_knows_no_parts_sends_all_of_it_again() {
        let scene = Scene::new();
        scene.web.put("/gh", Page::new(body()).cut(1000));
        assert_eq!(
            scene.fetch(&scene.web.url("/gh"), Some(&hash(&body()))).unwrap(),
            body()
        );
        assert_eq!(scene.web.asked().len(), 2);
    }

    #[test]
    fn a_later_try_goes_on_where_the_first_one_stopped() {
        let scene = Scene::new();
        let mut page = Page::new(body()).ranges().header("etag", "\"1\"").cut(3000);
        for _ in 0..TRIES {
            page = page.cut(0);
        }
        scene.web.put("/gh", page);
        let (url, expected) = (scene.web.url("/gh"), hash(&body()));
        assert!(matches!(
            scene.fetch(&url, Some(&expected)),
            Err(FetchError::Size { .. } | FetchError::Unreachable { .. })
        ));
        assert_eq!(scene.left().len(), 2, "the part and its mark");
        assert_eq!(scene.fetch(&url, Some(&expected)).unwrap(), body());
        let last = scene.web.asked().pop().unwrap();
        assert_eq!(last.headers.get("range").map(String::as_str), Some("bytes=3000-"));
        assert_eq!(last.headers.get("if-range").map(String::as_str), Some("\"1\""));
        assert_eq!(scene.left(), Vec::<String>::new());
    }

    #[test]
    fn a_part_of_another_file_is_no_beginning_of_this_one() {
        let scene = Scene::new();
        let (url, expected) = (scene.web.url("/gh"), hash(&body()));
        // Without a mark the server goes on with it, and only the hash can tell.
        let mut page = Page::new(vec![7; 9000]).ranges().cut(3000);
        for _ in 0..TRIES {
            page = page.cut(0);
        }
        scene.web.put("/gh", page);
        scene.fetch(&url, Some(&expected)).unwrap_err();
        scene.web.put("/gh", Page::new(body()).ranges());
        assert_eq!(scene.fetch(&url, Some(&expected)).unwrap(), body());
    }

    #[test]
    fn redirects_are_judged_one_by_one() {
        let mut scene = Scene::new();
        let to = |location: &str| Page::new("").status(302).header("location", location);
        let port = scene.web.address().port();
        scene.web.put("/gh", Page::new("it"));
        scene.web.put("/loop", to("/loop"));
        scene.web.put("/near", to("/gh"));
        scene.web.put("/own", to(&format!("http://127.0.0.1:{port}/gh")));
        scene.web.put("/name", to(&format!("http://a.example:{port}/gh")));
        scene
            .web
            .put("/password", to(&format!("http://me:secret@127.0.0.1:{port}/gh")));
        scene.web.put("/file", to("file:///etc/passwd"));
        let told = |scene: &Scene, path: &str| match scene.fetch(&scene.web.url(path), None) {
            Ok(bytes) => String::from_utf8(bytes).unwrap(),
            Err(error) => error.to_string(),
        };
        // Where it leads is said by a stranger, and this machine is none of a stranger's business.
        for path in ["/near", "/own"] {
            assert!(
                told(&scene, path).contains("loopback"),
                "{path}: {}",
                told(&scene, path)
            );
        }
        scene
            .reach
            .resolve
            .push(("a.example".to_owned(), "10.0.0.1".parse().unwrap()));
        assert!(told(&scene, "/name").contains("private"));
        scene.reach = NetworkOverrides {
            resolve: vec![("a.example".to_owned(), "127.0.0.1".parse().unwrap())],
            loopback: Loopback::Allowed,
        };
        assert_eq!(told(&scene, "/near"), "it");
        assert_eq!(told(&scene, "/name"), "it");
        assert!(told(&scene, "/loop").contains("too many"));
        assert!(told(&scene, "/file").contains("not followed"));
        assert!(!told(&scene, "/password").contains("secret"));
        assert!(told(&scene, "/absent").contains("404"));
    }

    #[test]
    fn a_download_ends_when_somebody_ends_it() {
        let scene = Scene::new();
        scene.web.put("/gh", Page::new(body()));
        let cancel = Cancel::new().unwrap();
        cancel.cancel();
        let (url, folder) = (scene.web.url("/gh"), scene.folder());
        let source = Source {
            url: &url,
            expected: None,
            folder: &folder,
            environment: &scene.environment,
            reach: &scene.reach,
        };
        let error = fetch(&source, &scene.seen, Some(&cancel)).unwrap_err();
        assert!(matches!(error, FetchError::Cancelled), "{error}");
    }
}
