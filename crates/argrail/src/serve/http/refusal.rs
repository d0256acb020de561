//! What a request is refused with: a status for the program, a message for the person, a hint for the
//! next try.

use std::convert::Infallible;

use argrail_acli::Text;
use bytes::Bytes;
use http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use rmcp::model::ServerJsonRpcMessage;
use serde_json::json;

/// The body of every answer.
pub(super) type Body = BoxBody<Bytes, Infallible>;

/// A request that does not reach rmcp.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The Host header is not ours.
    Host(String),
    /// The Origin header is not allowed.
    Origin(String),
    /// No bearer token.
    TokenMissing,
    /// Another bearer token.
    TokenWrong,
    /// Not the path we serve.
    Path(String),
    /// Not a method we serve.
    Method,
    /// Not JSON by its own word.
    MediaType,
    /// A header that may be there once.
    Repeated(&'static str),
    /// A session that does not exist, or not for this credential.
    Session,
    /// No further session fits.
    SessionsFull,
    /// The body is over the limit.
    TooLarge(usize),
    /// The body did not come in time.
    TooSlow,
    /// The body broke off.
    Broken,
    /// The body is no message; JSON-RPC has its own answer to that.
    Message(Box<ServerJsonRpcMessage>),
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::Host(_) | Self::Origin(_) => StatusCode::FORBIDDEN,
            Self::TokenMissing | Self::TokenWrong => StatusCode::UNAUTHORIZED,
            Self::Path(_) | Self::Session => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::SessionsFull => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Repeated(_) | Self::Broken | Self::Message(_) => StatusCode::BAD_REQUEST,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Host(_) => "HOST_REFUSED",
            Self::Origin(_) => "ORIGIN_REFUSED",
            Self::TokenMissing | Self::TokenWrong => "AUTH_REQUIRED",
            Self::Path(_) => "NOT_FOUND",
            Self::Method => "METHOD_NOT_ALLOWED",
            Self::MediaType => "UNSUPPORTED_MEDIA_TYPE",
            Self::Session => "SESSION_NOT_FOUND",
            Self::SessionsFull => "TOO_MANY_SESSIONS",
            Self::TooLarge(_) => "TOO_LARGE",
            Self::TooSlow => "TIMEOUT",
            Self::Repeated(_) | Self::Broken | Self::Message(_) => "BAD_REQUEST",
        }
    }

    fn message(&self) -> Text {
        match self {
            Self::Host(host) => Text::new("Host {} is not this server").value(host),
            Self::Origin(origin) => Text::new("Origin {} is not allowed").value(origin),
            Self::TokenMissing => Text::new("A bearer token is required"),
            Self::TokenWrong => Text::new("The bearer token is not valid"),
            Self::Path(path) => Text::new("Nothing is served at {}").value(path),
            Self::Method => Text::new("Only POST, GET and DELETE are served"),
            Self::MediaType => Text::new("The content type must be application/json"),
            Self::Repeated(name) => Text::new("The header {} is there twice").word(name),
            Self::Session => Text::new("There is no such session"),
            Self::SessionsFull => Text::new("Too many sessions are open"),
            Self::TooLarge(limit) => Text::new("The body is over {} bytes").number(*limit),
            Self::TooSlow => Text::new("The body did not arrive in time"),
            Self::Broken => Text::new("The body broke off"),
            Self::Message(_) => Text::new("The body is not a JSON-RPC message"),
        }
    }

    fn hint(&self) -> &'static str {
        match self {
            Self::Host(_) => "Use the address that 'argrail serve' printed, port included",
            Self::Origin(_) => "Start the server with --allow-origin for pages you trust",
            Self::TokenMissing | Self::TokenWrong => {
                "Send 'Authorization: Bearer TOKEN' with the token from the server's token file"
            }
            Self::Path(_) => "The endpoint is /mcp",
            Self::Method => "POST a JSON-RPC message to /mcp",
            Self::MediaType => "Send 'Content-Type: application/json'",
            Self::Repeated(_) => "Send each header once",
            Self::Session => "Send initialize again, without Mcp-Session-Id",
            Self::SessionsFull => "DELETE a session that is no longer needed, or try again later",
            Self::TooLarge(_) => "Send a smaller message",
            Self::TooSlow | Self::Broken => "Send the request again",
            Self::Message(_) => "POST one JSON-RPC message, not a batch",
        }
    }

    /// Returns the answer.
    pub(super) fn into_response(self) -> Response<Body> {
        let body = match &self {
            // What speaks JSON-RPC is answered in it.
            Self::Message(answer) => serde_json::to_vec(answer).unwrap_or_default(),
            _ => {
                let message = self.message().to_string();
                json!({"error": {"code": self.code(), "message": message, "hint": self.hint()}})
                    .to_string()
                    .into_bytes()
            }
        };
        let mut response = Response::new(Full::new(Bytes::from(body)).boxed());
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        match self {
            Self::TokenMissing | Self::TokenWrong => {
                headers.insert(
                    WWW_AUTHENTICATE,
                    HeaderValue::from_static("Bearer realm=\"argrail\""),
                );
            }
            Self::Method => {
                headers.insert(ALLOW, HeaderValue::from_static("POST, GET, DELETE"));
            }
            Self::SessionsFull => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("60"));
            }
            Self::Host(_)
            | Self::Origin(_)
            | Self::Path(_)
            | Self::MediaType
            | Self::Repeated(_)
            | Self::Session
            | Self::TooLarge(_)
            | Self::TooSlow
            | Self::Broken
            | Self::Message(_) => {}
        }
        response
    }
}
