//! The sessions of revisions before 2026-07-28: rmcp's, with the rules it lacks.
//!
//! rmcp's own table has no limit, drops a session after five minutes even while a call runs in it, hands
//! any session to anybody who names it, and lets a second request take over an id in use (the first then
//! never ends and its channel stays). Here a session belongs to the credential that began it, the
//! number is limited, the least used idle one makes way, and only sessions in which nothing runs and to
//! which nobody listens expire.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};
use tokio::time::Instant;
use tokio_stream::{Stream, StreamExt};
use tokio_util::sync::CancellationToken;

use super::credential::{CURRENT, CallerKey};
use super::options::Limits;
use super::tracked::Tracked;
use crate::serve::calls::{Admission, Calls};

/// A session that was used this recently never makes way for a new one.
const FRESH: Duration = Duration::from_secs(60);

/// What a call is answered with whose session ends under it.
const SESSION_ENDED: &str = "the call was cut: its session has ended";

/// Why rmcp got no session.
#[derive(Debug, thiserror::Error)]
pub(super) enum SessionsError {
    /// No further one fits.
    #[error("too many sessions")]
    Full,
    /// Nobody is answered without a credential.
    #[error("no credential")]
    Nobody,
    /// It is not there (any more).
    #[error("no such session")]
    Unknown,
    /// rmcp's own trouble.
    #[error(transparent)]
    Inner(#[from] LocalSessionManagerError),
}

/// What we know about a session.
struct Entry {
    owner: CallerKey,
    calls: Arc<Calls>,
    /// Tells the session's transport that the session is over.
    ended: CancellationToken,
    /// Response streams that are open.
    streams: AtomicUsize,
    used: Mutex<Instant>,
}

impl Entry {
    fn touch(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// How long nothing has happened; `None` while something runs or somebody listens.
    fn idle(&self) -> Option<Duration> {
        let busy = self.calls.len() > 0 || self.streams.load(Ordering::Relaxed) > 0;
        let used = *self.used.lock().unwrap_or_else(PoisonError::into_inner);
        (!busy).then(|| used.elapsed())
    }
}

/// All sessions of a server.
pub(super) struct Sessions {
    inner: LocalSessionManager,
    table: Mutex<HashMap<SessionId, Arc<Entry>>>,
    /// The calls of sessions that are out of the table, until they have stopped.
    stopping: Mutex<Vec<Arc<Calls>>>,
    limits: Limits,
}

impl Sessions {
    pub(super) fn new(limits: Limits) -> Self {
        let mut inner = LocalSessionManager::default();
        // It counts messages, not running calls; `expire` does it better.
        inner.session_config.keep_alive = None;
        inner.session_config.sse_retry = limits.reconnect;
        Self {
            inner,
            table: Mutex::default(),
            stopping: Mutex::default(),
            limits,
        }
    }

    /// Whether this credential has such a session.
    pub(super) fn has(&self, id: &str, owner: &CallerKey) -> bool {
        self.table().get(id).is_some_and(|entry| entry.owner == *owner)
    }

    /// Makes room for one more session; `false` if there is none to make.
    pub(super) async fn make_room(&self) -> bool {
        if self.table().len() < self.limits.sessions {
            return true;
        }
        let oldest = {
            let table = self.table();
            let idle = table.iter().filter_map(|(id, entry)| Some((entry.idle()?, id)));
            idle.max()
                .filter(|(idle, _)| *idle >= FRESH)
                .map(|(_, id)| SessionId::clone(id))
        };
        match oldest {
            Some(id) => self.close_session(&id).await.is_ok(),
            None => false,
        }
    }

    /// Ends the sessions that have been idle for too long.
    pub(super) async fn expire(&self) {
        let expired: Vec<SessionId> = {
            let table = self.table();
            let idle = |entry: &Entry| entry.idle().is_some_and(|idle| idle >= self.limits.session_idle);
            table
                .iter()
                .filter(|(_, entry)| idle(entry))
                .map(|(id, _)| SessionId::clone(id))
                .collect()
        };
        for id in expired {
            // It is out of the table either way.
            let _ = self.close_session(&id).await;
        }
    }

    /// Waits until no session, there or ended, has a call in flight.
    pub(super) async fn idle(&self) {
        let mut all = self.stopping().clone();
        all.extend(self.table().values().map(|entry| Arc::clone(&entry.calls)));
        for calls in all {
            calls.idle().await;
        }
    }

    fn table(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<Entry>>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stopping(&self) -> MutexGuard<'_, Vec<Arc<Calls>>> {
        self.stopping.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn used(&self, id: &SessionId) -> Result<Arc<Entry>, SessionsError> {
        let entry = self.table().get(id).cloned().ok_or(SessionsError::Unknown)?;
        entry.touch();
        Ok(entry)
    }
}

impl SessionManager for Sessions {
    type Error = SessionsError;
    type Transport = Tracked<<LocalSessionManager as SessionManager>::Transport>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let owner = CURRENT
            .try_with(Clone::clone)
            .map_err(|_| SessionsError::Nobody)?;
        if !self.make_room().await {
            return Err(SessionsError::Full);
        }
        let (id, transport) = self.inner.create_session().await?;
        let calls = Arc::new(Calls::new(self.limits.calls));
        let ended = CancellationToken::new();
        let entry = Entry {
            owner,
            calls: Arc::clone(&calls),
            ended: ended.clone(),
            streams: AtomicUsize::new(0),
            used: Mutex::new(Instant::now()),
        };
        self.table().insert(SessionId::clone(&id), Arc::new(entry));
        Ok((id, Tracked::new(transport, calls, ended)))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        Ok(self.inner.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        Ok(CURRENT.try_with(|owner| self.has(id, owner)).unwrap_or(false))
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        let entry = self.table().remove(id);
        if let Some(entry) = entry {
            let mut stopping = self.stopping();
            stopping.retain(|calls| calls.len() > 0);
            stopping.push(Arc::clone(&entry.calls));
            entry.ended.cancel();
        }
        Ok(self.inner.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let entry = self.used(id)?;
        let ClientJsonRpcMessage::Request(request) = &message else {
            return Err(SessionsError::Unknown);
        };
        let request_id = request.id.clone();
        let why = match entry.calls.begin(&request_id) {
            Admission::Admitted => None,
            Admission::Duplicate => Some("a request with this id is still being answered"),
            Admission::Full => Some("too many calls in flight in this session"),
        };
        if let Some(why) = why {
            return Ok(SessionStream::refusing(request_id, why));
        }
        match self.inner.create_stream(id, message).await {
            Ok(stream) => Ok(SessionStream::answering(stream, entry, request_id)),
            Err(error) => {
                entry.calls.end(&request_id);
                Err(error.into())
            }
        }
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        let entry = self.used(id)?;
        let cancelled = cancelled(&message).cloned();
        self.inner.accept_message(id, message).await?;
        if let Some(request) = cancelled {
            // rmcp will not answer it.
            entry.calls.end(&request);
        }
        Ok(())
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let entry = self.used(id)?;
        Ok(SessionStream::open(
            self.inner.create_standalone_stream(id).await?,
            entry,
        ))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let entry = self.used(id)?;
        Ok(SessionStream::open(
            self.inner.resume(id, last_event_id).await?,
            entry,
        ))
    }
}

fn cancelled(message: &ClientJsonRpcMessage) -> Option<&RequestId> {
    match message {
        ClientJsonRpcMessage::Notification(notification) => match &notification.notification {
            ClientNotification::CancelledNotification(cancelled) => cancelled.params.request_id.as_ref(),
            _ => None,
        },
        _ => None,
    }
}

/// A response stream that its session knows of while it is open.
enum SessionStream {
    Open {
        stream: Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>,
        entry: Arc<Entry>,
        /// The request that it is to answer, until it has.
        unanswered: Option<RequestId>,
    },
    Refusing(Option<Box<ServerSseMessage>>),
}

impl SessionStream {
    fn open(stream: impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, entry: Arc<Entry>) -> Self {
        entry.streams.fetch_add(1, Ordering::Relaxed);
        Self::Open {
            stream: Box::pin(stream),
            entry,
            unanswered: None,
        }
    }

    /// One that does not end without an answer, unless the client cancelled the request itself.
    fn answering(
        stream: impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
        entry: Arc<Entry>,
        request: RequestId,
    ) -> Self {
        entry.streams.fetch_add(1, Ordering::Relaxed);
        Self::Open {
            // Asked once more after its end, for which an error may come.
            stream: Box::pin(stream.fuse()),
            entry,
            unanswered: Some(request),
        }
    }

    fn refusing(id: RequestId, why: &'static str) -> Self {
        Self::Refusing(Some(Box::new(told(ErrorData::invalid_request(why, None), id))))
    }
}

fn told(error: ErrorData, id: RequestId) -> ServerSseMessage {
    ServerSseMessage::from_message(ServerJsonRpcMessage::error(error, Some(id)))
}

/// Whether a message is the answer to a request.
fn answers(message: &ServerSseMessage, request: &RequestId) -> bool {
    match message.message.as_deref() {
        Some(ServerJsonRpcMessage::Response(response)) => response.id == *request,
        Some(ServerJsonRpcMessage::Error(error)) => error.id.as_ref() == Some(request),
        Some(ServerJsonRpcMessage::Request(_) | ServerJsonRpcMessage::Notification(_)) | None => false,
    }
}

impl Stream for SessionStream {
    type Item = ServerSseMessage;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.get_mut() {
            Self::Open {
                stream,
                entry,
                unanswered,
            } => {
                let next = std::task::ready!(stream.as_mut().poll_next(cx));
                if let Some(message) = next {
                    unanswered.take_if(|request| answers(&message, request));
                    return Poll::Ready(Some(message));
                }
                // rmcp answers nothing that was cancelled, and a session's end cancels its calls.
                let cut = unanswered.take().filter(|_| entry.ended.is_cancelled());
                Poll::Ready(cut.map(|request| told(ErrorData::internal_error(SESSION_ENDED, None), request)))
            }
            Self::Refusing(message) => Poll::Ready(message.take().map(|message| *message)),
        }
    }
}

impl Drop for SessionStream {
    fn drop(&mut self) {
        if let Self::Open { entry, .. } = self {
            entry.streams.fetch_sub(1, Ordering::Relaxed);
            entry.touch();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_session_is_there_only_for_the_credential_that_began_it() {
        let sessions = Sessions::new(Limits::default());
        let (ours, other) = (CallerKey::random().unwrap(), CallerKey::random().unwrap());
        assert!(matches!(
            sessions.create_session().await,
            Err(SessionsError::Nobody)
        ));
        let (id, _transport) = CURRENT
            .scope(ours.clone(), sessions.create_session())
            .await
            .unwrap();
        assert!(sessions.has(&id, &ours) && !sessions.has(&id, &other));
        assert!(CURRENT.scope(ours, sessions.has_session(&id)).await.unwrap());
        assert!(!CURRENT.scope(other, sessions.has_session(&id)).await.unwrap());
        assert!(!sessions.has_session(&id).await.unwrap());
    }

    #[tokio::test]
    async fn a_session_makes_way_only_when_it_is_idle() {
        let sessions = Sessions::new(Limits {
            sessions: 1,
            ..Limits::default()
        });
        let key = CallerKey::random().unwrap();
        let (id, _transport) = CURRENT
            .scope(key.clone(), sessions.create_session())
            .await
            .unwrap();
        assert!(!sessions.make_room().await, "it is fresh");
        let entry = sessions.used(&id).unwrap();
        *entry.used.lock().unwrap() = Instant::now().checked_sub(FRESH).unwrap();
        entry.streams.fetch_add(1, Ordering::Relaxed);
        assert!(!sessions.make_room().await, "somebody listens");
        entry.streams.fetch_sub(1, Ordering::Relaxed);
        entry.calls.begin(&RequestId::Number(1));
        assert!(!sessions.make_room().await, "a call runs");
        entry.calls.end(&RequestId::Number(1));
        assert!(sessions.make_room().await);
        assert!(!sessions.has(&id, &key));
    }
}
