//! One HTTP request, from its head to the answer's last byte.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, ORIGIN, VARY,
};
use http::request::Parts;
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use rmcp::ServerHandler;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ProtocolVersion};
use rmcp::transport::StreamableHttpService;
use tokio_util::task::TaskTracker;

use super::credential::{CURRENT, CallerKey};
use super::guard::{Admitted, Guard, SESSION, VERSION};
use super::kept_body::keeping;
use super::options::Limits;
use super::refusal::{Body, Refusal};
use super::sessions::Sessions;
use crate::serve::message::{self, Decoded};

/// What answers the requests of all connections.
pub(super) struct Front<H> {
    pub(super) guard: Guard,
    pub(super) rmcp: StreamableHttpService<H, Sessions>,
    pub(super) sessions: Arc<Sessions>,
    pub(super) limits: Limits,
    /// The answers to messages that are not written out yet.
    pub(super) answers: TaskTracker,
}

impl<H: ServerHandler> Front<H> {
    /// Answers a request.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let (head, body) = request.into_parts();
        match self.guard.check(&head) {
            Err(refusal) => refusal.into_response(),
            Ok(admitted) => {
                // The guard let it through, so the origin is a listed one.
                let origin = head.headers.get(ORIGIN).cloned();
                let mut response = match admitted {
                    Admitted::Preflight => preflight(),
                    Admitted::Request(key) => self
                        .admitted(head, body, &key)
                        .await
                        .unwrap_or_else(Refusal::into_response),
                };
                if let Some(origin) = origin {
                    share_with(&mut response, origin);
                }
                response
            }
        }
    }

    async fn admitted(
        &self,
        mut head: Parts,
        body: Incoming,
        key: &CallerKey,
    ) -> Result<Response<Body>, Refusal> {
        self.check_session(&mut head.headers, key)?;
        if head.method != Method::POST {
            return Ok(self.forward(head, Bytes::new(), key).await);
        }
        // From here on the server does not end before the answer is out.
        let held = self.answers.token();
        let body = self.read(&head.headers, body).await?;
        self.check_message(&body).await?;
        // rmcp looks at this again, and less leniently.
        head.headers
            .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let response = self.forward(head, body, key).await;
        Ok(response.map(|body| keeping(body, held)))
    }

    async fn forward(&self, mut head: Parts, body: Bytes, key: &CallerKey) -> Response<Body> {
        head.extensions.insert(key.clone());
        let request = Request::from_parts(head, Full::new(body));
        CURRENT.scope(key.clone(), self.rmcp.handle(request)).await
    }

    /// Refuses a session that is not there. Revisions without sessions have the header taken off.
    fn check_session(&self, headers: &mut HeaderMap, key: &CallerKey) -> Result<(), Refusal> {
        let newest = headers.get(VERSION).and_then(|version| version.to_str().ok());
        if newest.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28.as_str()) {
            headers.remove(SESSION);
            return Ok(());
        }
        match headers.get(SESSION).map(HeaderValue::to_str) {
            None => Ok(()),
            Some(Ok(id)) if self.sessions.has(id, key) => Ok(()),
            Some(_) => Err(Refusal::Session),
        }
    }

    async fn read(&self, headers: &HeaderMap, body: Incoming) -> Result<Bytes, Refusal> {
        let limit = self.limits.body;
        let announced = headers
            .get(CONTENT_LENGTH)
            .and_then(|length| length.to_str().ok()?.parse().ok());
        if announced.is_some_and(|length: usize| length > limit) {
            return Err(Refusal::TooLarge(limit));
        }
        let collected =
            tokio::time::timeout(self.limits.body_time, Limited::new(body, limit).collect()).await;
        match collected {
            Ok(Ok(collected)) => Ok(collected.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Refusal::TooLarge(limit)),
            Ok(Err(_)) => Err(Refusal::Broken),
            Err(_) => Err(Refusal::TooSlow),
        }
    }

    /// Refuses what is no message, and a session that would be one too many.
    async fn check_message(&self, body: &[u8]) -> Result<(), Refusal> {
        let message = match message::decode(body) {
            Decoded::Message(message) => message,
            Decoded::Refused(answer) => return Err(Refusal::Message(Box::new(answer))),
            Decoded::Blank => return Err(Refusal::Broken),
        };
        let begins = matches!(&message, ClientJsonRpcMessage::Request(request)
            if matches!(request.request, ClientRequest::InitializeRequest(_)));
        if begins && !self.sessions.make_room().await {
            return Err(Refusal::SessionsFull);
        }
        Ok(())
    }
}

/// Tells a browser what its page may send.
fn preflight() -> Response<Body> {
    let mut response = Response::new(Empty::new().boxed());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(
        ACCESS_CONTROL_ALLOW_METHODS,
        HeaderValue::from_static("GET, POST, DELETE"),
    );
    headers.insert(
        ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static(
            "accept, authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
        ),
    );
    response
}

/// Lets the page that asked read the answer.
fn share_with(response: &mut Response<Body>, origin: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(SESSION));
    headers.insert(VARY, HeaderValue::from_static("origin"));
}
