//! rmcp's transport of a session, telling [`Calls`] what has been answered, and stopping what has not been
//! when the session ends.
//!
//! At the end of a transport rmcp gives running handlers some seconds before it cancels them. Whoever ends
//! a session wants its calls ended, so each is cancelled first, as if the client had said so.

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientNotification, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio_util::sync::CancellationToken;

use crate::serve::calls::Calls;

/// The transport of one session.
pub(super) struct Tracked<T> {
    inner: T,
    calls: Arc<Calls>,
    /// Cancelled when the session is ended.
    ended: CancellationToken,
    /// What is left to cancel, once the session has ended.
    left: Option<Vec<RequestId>>,
}

impl<T> Tracked<T> {
    pub(super) fn new(inner: T, calls: Arc<Calls>, ended: CancellationToken) -> Self {
        Self {
            inner,
            calls,
            ended,
            left: None,
        }
    }
}

impl<T> Drop for Tracked<T> {
    fn drop(&mut self) {
        // rmcp drops it when no handler is left.
        self.calls.clear();
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Tracked<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let answered = match &item {
            ServerJsonRpcMessage::Response(response) => Some(response.id.clone()),
            ServerJsonRpcMessage::Error(error) => error.id.clone(),
            ServerJsonRpcMessage::Request(_) | ServerJsonRpcMessage::Notification(_) => None,
        };
        let calls = Arc::clone(&self.calls);
        let sent = self.inner.send(item);
        async move {
            let sent = sent.await;
            if let Some(id) = answered {
                calls.end(&id);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        if self.left.is_none() {
            let received = tokio::select! {
                biased;
                () = self.ended.cancelled() => None,
                received = self.inner.receive() => received,
            };
            if received.is_some() {
                return received;
            }
        }
        let calls = &self.calls;
        let id = self.left.get_or_insert_with(|| calls.ids()).pop()?;
        Some(cancellation(id))
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

fn cancellation(id: RequestId) -> ClientJsonRpcMessage {
    let params = CancelledNotificationParam::new(Some(id), Some("the session has ended".to_owned()));
    ClientJsonRpcMessage::notification(ClientNotification::CancelledNotification(
        CancelledNotification::new(params),
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rmcp::model::{CallToolRequestParams, CallToolResponse, ErrorData};
    use rmcp::service::RequestContext;
    use rmcp::transport::streamable_http_server::session::SessionManager;
    use rmcp::{ServerHandler, serve_server};
    use serde_json::json;
    use tokio::sync::watch;
    use tokio::time::Instant;

    use super::*;
    use crate::serve::http::credential::{CURRENT, CallerKey};
    use crate::serve::http::options::Limits;
    use crate::serve::http::sessions::Sessions;

    /// How many calls there are.
    #[derive(Clone, Copy, Default)]
    struct Counts {
        running: usize,
        /// Those of them that have been told to stop.
        told: usize,
    }

    /// Runs each call until it is cancelled, and stops when it may.
    #[derive(Clone)]
    struct Endless {
        counts: watch::Sender<Counts>,
        may_stop: watch::Receiver<bool>,
    }

    impl ServerHandler for Endless {
        async fn call_tool(
            &self,
            _request: CallToolRequestParams,
            context: RequestContext<RoleServer>,
        ) -> Result<CallToolResponse, ErrorData> {
            self.counts.send_modify(|counts| counts.running += 1);
            context.ct.cancelled().await;
            self.counts.send_modify(|counts| counts.told += 1);
            let may_stop = self.may_stop.clone().wait_for(|may| *may).await.is_ok();
            assert!(may_stop, "the test waits for it");
            self.counts.send_modify(|counts| counts.running -= 1);
            Err(ErrorData::internal_error("stopped", None))
        }
    }

    fn message(value: serde_json::Value) -> ClientJsonRpcMessage {
        serde_json::from_value(value).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn the_end_of_a_session_stops_its_calls_and_a_drain_waits_for_them() {
        let sessions = Sessions::new(Limits::default());
        let (let_stop, may_stop) = watch::channel(false);
        let (counts, mut seen) = watch::channel(Counts::default());
        let handler = Endless { counts, may_stop };
        let owner = CallerKey::random().unwrap();
        let (id, transport) = CURRENT.scope(owner, sessions.create_session()).await.unwrap();
        tokio::spawn(async move { serve_server(handler, transport).await.unwrap().waiting().await });
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
        sessions.initialize_session(&id, message(hello)).await.unwrap();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        sessions.accept_message(&id, message(ready)).await.unwrap();
        let mut streams = Vec::new();
        for call in 1..=3 {
            let call = json!({"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": {"name": "x"}});
            streams.push(Box::pin(
                sessions.create_stream(&id, message(call)).await.unwrap(),
            ));
        }
        seen.wait_for(|counts| counts.running == 3).await.unwrap();
        let begun = Instant::now();
        sessions.close_session(&id).await.unwrap();
        seen.wait_for(|counts| counts.told == 3).await.unwrap();
        // The clock goes on only when all wait for it, as they would if rmcp let the calls go on for a while first.
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
        let mut idle = std::pin::pin!(sessions.idle());
        tokio::select! {
            biased;
            () = &mut idle => panic!("three calls run"),
            () = tokio::task::yield_now() => {}
        }
        assert_eq!(seen.borrow().running, 3, "they stop in their own time");
        let_stop.send_replace(true);
        idle.await;
        assert_eq!(seen.borrow().running, 0, "still running");
    }
}
