//! Asking a person through the client that the agent runs in (MCP elicitation), while a call waits.
//!
//! Only for clients that declare it and may be sent requests. What comes back is one of the choices we offered, or no
//! answer: a client that cancels, fails or says something else leaves the question open. A question that was answered
//! elsewhere is taken back.

use std::sync::Arc;

use argrail_acli::BoxFuture;
use argrail_engine::consent::{Client, Question, Said, Through, Worth};
use rmcp::model::{
    CancelledNotificationParam, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, ProtocolVersion, RequestId, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use rmcp::{Peer, RoleServer};
use serde_json::json;

/// The field of the form.
const FIELD: &str = "decision";
/// Its choices.
const APPROVE: &str = "approve once";
const DENY: &str = "deny";
const WAIT: &str = "keep waiting";

/// Returns a way to ask through the client of this request, if it has one.
pub(crate) fn through(context: &RequestContext<RoleServer>) -> Option<Arc<Through>> {
    let declared = context.client_capabilities()?.elicitation?;
    // An empty declaration is the older one, and means forms.
    let forms = declared.form.is_some() || declared.url.is_none();
    // From this revision on a server sends no requests.
    let requests = context.protocol_version()? < ProtocolVersion::V_2026_07_28;
    (forms && requests).then(|| Arc::new(Through(Arc::new(Form(context.peer.clone())))))
}

/// Asks with a form.
struct Form(Peer<RoleServer>);

impl Client for Form {
    fn ask(&self, question: Question) -> BoxFuture<'static, Said> {
        let peer = self.0.clone();
        Box::pin(async move { asked(peer, question).await.unwrap_or(Said::Nothing) })
    }
}

async fn asked(peer: Peer<RoleServer>, question: Question) -> Option<Said> {
    let request = ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: question.message,
        requested_schema: form(question.worth)?,
    });
    let handle = peer
        .send_request_with_option(
            ServerRequest::ElicitRequest(request),
            PeerRequestOptions::no_options(),
        )
        .await
        .ok()?;
    let mut open = Open {
        peer,
        id: Some(handle.id.clone()),
    };
    let response = handle.await_response().await;
    open.id = None;
    match response.ok()? {
        ClientResult::ElicitResult(result) => Some(said(&result)),
        _ => None,
    }
}

fn form(worth: Worth) -> Option<ElicitationSchema> {
    let choices = match worth {
        Worth::Approval => [APPROVE, DENY],
        Worth::Notice => [WAIT, DENY],
    };
    let schema = json!({
        "type": "object",
        "properties": {FIELD: {"type": "string", "title": "Decision", "enum": choices}},
        "required": [FIELD],
    });
    serde_json::from_value(schema).ok()
}

fn said(result: &ElicitResult) -> Said {
    let chosen = result
        .content
        .as_ref()
        .and_then(|content| content.get(FIELD)?.as_str());
    match (&result.action, chosen) {
        (ElicitationAction::Accept, Some(APPROVE)) => Said::Approve,
        (ElicitationAction::Accept, Some(DENY)) | (ElicitationAction::Decline, _) => Said::Deny,
        _ => Said::Nothing,
    }
}

/// A question that the client shows. It is taken back when nobody waits for its answer any more.
struct Open {
    peer: Peer<RoleServer>,
    id: Option<RequestId>,
}

impl Drop for Open {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let peer = self.peer.clone();
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        runtime.spawn(async move {
            let reason = Some("it was answered elsewhere, or nobody waits any more".to_owned());
            // A client that is gone shows nothing any more.
            let _ = peer
                .notify_cancelled(CancelledNotificationParam::new(Some(id), reason))
                .await;
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn result(action: &str, content: Value) -> ElicitResult {
        serde_json::from_value(json!({"action": action, "content": content})).unwrap()
    }

    #[test]
    fn only_a_choice_that_was_offered_is_an_answer() {
        let check = |action: &str, content: Value, want: Said| {
            assert_eq!(said(&result(action, content.clone())), want, "{action} {content}");
        };
        check("accept", json!({"decision": "approve once"}), Said::Approve);
        check("accept", json!({"decision": "deny"}), Said::Deny);
        check("accept", json!({"decision": "keep waiting"}), Said::Nothing);
        check("accept", json!({"decision": "yes"}), Said::Nothing);
        check("accept", json!({"decision": true}), Said::Nothing);
        check("accept", json!({}), Said::Nothing);
        check("accept", Value::Null, Said::Nothing);
        check("decline", json!({"decision": "approve once"}), Said::Deny);
        check("cancel", json!({"decision": "approve once"}), Said::Nothing);
    }

    #[test]
    fn what_destroys_offers_no_yes() {
        let shown = |worth| serde_json::to_string(&form(worth).unwrap()).unwrap();
        assert!(shown(Worth::Approval).contains(APPROVE));
        assert!(!shown(Worth::Notice).contains(APPROVE) && shown(Worth::Notice).contains(DENY));
    }
}
