//! Where a caller's path arguments may lead: our own roots, narrowed by what the client allows.
//!
//! Ours are the working directory and the configured roots. A client that declares the `roots`
//! capability is asked for its own, and only what lies inside both is left; a client's word never adds
//! a place. **If it declares roots and then answers with an error, too late, or with nothing we can
//! use, no path is allowed at all**: it told us that limits exist, and not knowing them is no licence.
//! A client that does not declare roots has said nothing, and gets ours. None is asked for the sake of a
//! command that looks at no path.
//!
//! Until 2025-11-25 the client is asked with `roots/list`, once per session and again after
//! `notifications/roots/list_changed`. From 2026-07-28 a server may not send requests, so the call is
//! answered with an `InputRequiredResult` and comes back with the roots in it, every time: there is no
//! session to remember them in, and no notice when they change.
#![expect(
    deprecated,
    reason = "SEP-2577 deprecates roots, but clients of all revisions still narrow with them"
)]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fluent_uri::Uri;
use rmcp::model::{
    CallToolRequestParams, ClientResult, InputRequest, InputRequests, InputRequiredResult, ListRootsRequest,
    ListRootsResult, ProtocolVersion, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use rmcp::{Peer, RoleServer};
use tokio::sync::Mutex;
use tokio::time::Instant;

/// How long the first call of a session that needs them waits for the client's roots.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long a failure stands before the client is asked again.
const RETRY: Duration = Duration::from_secs(10);

/// The name of our question in an `InputRequiredResult`.
const QUESTION: &str = "roots";

/// How many roots of a client are looked at.
const MOST: usize = 256;

/// What is known about a caller's roots.
pub(crate) enum Answer {
    /// These; possibly none.
    Known(Vec<PathBuf>),
    /// The client has to be asked in the result of this call.
    Ask(InputRequiredResult),
}

/// The roots of one session.
#[derive(Debug)]
pub(crate) struct SessionRoots {
    ours: Arc<[PathBuf]>,
    asked: Mutex<Option<Asked>>,
}

#[derive(Debug)]
struct Asked {
    at: Instant,
    /// `None` if the client declared roots and did not deliver them.
    roots: Option<Vec<PathBuf>>,
}

impl SessionRoots {
    pub(crate) fn new(ours: Arc<[PathBuf]>) -> Self {
        Self {
            ours,
            asked: Mutex::default(),
        }
    }

    /// Forgets what the client said, because it said that this changed.
    pub(crate) async fn forget(&self) {
        *self.asked.lock().await = None;
    }

    /// Returns the roots for this call, asking the client where that is needed.
    pub(crate) async fn of_call(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Answer {
        let declared = context
            .client_capabilities()
            .is_some_and(|capabilities| capabilities.roots.is_some());
        if !declared {
            return Answer::Known(self.ours.to_vec());
        }
        let version = context.protocol_version();
        if version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
            return self.in_request(request).await;
        }
        Answer::Known(self.asked_of(&context.peer).await)
    }

    async fn in_request(&self, request: &CallToolRequestParams) -> Answer {
        let Some(answer) = request
            .input_responses
            .as_ref()
            .and_then(|answers| answers.get(QUESTION))
        else {
            let question = InputRequest::ListRoots(ListRootsRequest::default());
            return Answer::Ask(InputRequiredResult::from_input_requests(InputRequests::from([(
                QUESTION.to_owned(),
                question,
            )])));
        };
        let theirs = serde_json::from_value::<ListRootsResult>(answer.clone()).ok();
        let narrowed = match theirs {
            Some(theirs) => self.narrowed_by(theirs).await,
            None => None,
        };
        Answer::Known(narrowed.unwrap_or_default())
    }

    async fn asked_of(&self, peer: &Peer<RoleServer>) -> Vec<PathBuf> {
        // The lock is held while asking, so that many first calls ask once.
        let mut asked = self.asked.lock().await;
        let usable = asked
            .as_ref()
            .filter(|known| known.roots.is_some() || known.at.elapsed() < RETRY);
        if let Some(known) = usable {
            return known.roots.clone().unwrap_or_default();
        }
        let roots = match ask(peer).await {
            Some(theirs) => self.narrowed_by(theirs).await,
            None => None,
        };
        *asked = Some(Asked {
            at: Instant::now(),
            roots: roots.clone(),
        });
        roots.unwrap_or_default()
    }

    /// Returns what is left of our roots, or nothing if a place could not be looked up in time.
    async fn narrowed_by(&self, theirs: ListRootsResult) -> Option<Vec<PathBuf>> {
        let ours = Arc::clone(&self.ours);
        // Another thread looks the places up: one on a dead network mount must not hold everybody up.
        let narrowed = tokio::task::spawn_blocking(move || {
            let uris = theirs.roots.iter().take(MOST).map(|root| root.uri.as_str());
            let theirs: Vec<PathBuf> = uris.filter_map(real_path).collect();
            narrow(&ours, &theirs)
        });
        tokio::time::timeout(PATIENCE, narrowed).await.ok()?.ok()
    }
}

async fn ask(peer: &Peer<RoleServer>) -> Option<ListRootsResult> {
    let request = ServerRequest::ListRootsRequest(ListRootsRequest::default());
    let handle = peer
        .send_request_with_option(request, PeerRequestOptions::with_timeout(PATIENCE))
        .await
        .ok()?;
    match handle.await_response().await.ok()? {
        ClientResult::ListRootsResult(result) => Some(result),
        _ => None,
    }
}

/// Returns where a `file:` URI leads, if it leads somewhere on this machine.
fn real_path(uri: &str) -> Option<PathBuf> {
    let uri = Uri::parse(uri)
        .ok()
        .filter(|uri| uri.scheme().as_str() == "file")?;
    let here = uri
        .authority()
        .is_none_or(|place| matches!(place.as_str(), "" | "localhost"));
    let path = uri.path().decode().to_bytes();
    std::fs::canonicalize(OsStr::from_bytes(&path))
        .ok()
        .filter(|_| here && path.starts_with(b"/"))
}

/// Returns the places that lie inside one of `ours` and one of `theirs`, ours deciding the order.
fn narrow(ours: &[PathBuf], theirs: &[PathBuf]) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::new();
    for our in ours {
        for their in theirs {
            let Some(inner) = inner(our, their) else { continue };
            if !kept.iter().any(|known| known == inner) {
                kept.push(inner.to_path_buf());
            }
        }
    }
    kept
}

/// Returns the one that lies inside the other.
fn inner<'a>(one: &'a Path, other: &'a Path) -> Option<&'a Path> {
    if one.starts_with(other) {
        return Some(one);
    }
    other.starts_with(one).then_some(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ours: &[&str], theirs: &[&str], expected: &[&str]) {
        let paths = |list: &[&str]| list.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(
            narrow(&paths(ours), &paths(theirs)),
            paths(expected),
            "{ours:?} by {theirs:?}"
        );
    }

    #[test]
    fn a_client_only_narrows() {
        check(&["/w"], &["/w"], &["/w"]);
        check(&["/w"], &["/"], &["/w"]); // wider than ours: ours stays
        check(&["/w"], &["/w/a", "/w/b"], &["/w/a", "/w/b"]);
        check(&["/w"], &["/etc"], &[]);
        check(&["/w"], &["/wide"], &[]); // a name is not a prefix
        check(&["/w"], &[], &[]);
        check(&["/w", "/data"], &["/data/x", "/w"], &["/w", "/data/x"]); // ours decide the order
        check(&["/w", "/w/a"], &["/w/a"], &["/w/a"]);
    }

    #[test]
    fn only_files_that_exist_count() {
        assert_eq!(real_path("file:///"), Some(PathBuf::from("/")));
        assert_eq!(
            real_path("file://localhost/%74mp"),
            std::fs::canonicalize("/tmp").ok()
        );
        for uri in [
            "https://example.org/",
            "file://host/etc",
            "/etc",
            "file:///no/such/place",
            "file:tmp",
            "file:///tmp%00x",
            "",
        ] {
            assert_eq!(real_path(uri), None, "{uri}");
        }
    }
}
