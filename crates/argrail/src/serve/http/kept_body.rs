//! A body that keeps something alive until it is written, or its reader has gone.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::BodyExt;

use super::refusal::Body;

/// Returns the same body, with something that is dropped when the body is.
pub(super) fn keeping<T: Unpin + Send + Sync + 'static>(body: Body, kept: T) -> Body {
    KeptBody { body, _kept: kept }.boxed()
}

struct KeptBody<T> {
    body: Body,
    _kept: T,
}

impl<T: Unpin> HttpBody for KeptBody<T> {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
