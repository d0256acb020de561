//! Showing a question through the client that the agent runs in (MCP elicitation), while a call waits.
//!
//! Only for clients that declare it and may be sent requests. That a client declares it does not make it a person: what it
//! answers counts only where the person who runs the server switched that on ([`Elicitation`]). What comes back is one
//! of the choices we offered, or no answer: a client that cancels, fails or says something else leaves the question open.
//! A question that was answered elsewhere is taken back.

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

use super::http::CallerKey;

/// The field of the form.
const FIELD: &str = "decision";
/// Its choices.
const APPROVE: &str = "approve once";
const DENY: &str = "deny";

/// Whose answers count for a person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Elicitation {
    /// Nobody's: clients are told.
    #[default]
    Tells,
    /// The one client's on the other end of stdio, by the word of the person who started the server.
    Client,
    /// That of clients who bring a credential which a person made for this at a terminal.
    MadeCredential,
}

impl Elicitation {
    /// Whether what the client of this request says counts.
    fn counts(self, context: &RequestContext<RoleServer>) -> bool {
        match self {
            Self::Tells => false,
            Self::Client => true,
            Self::MadeCredential => CallerKey::speaks_for_a_person(&context.extensions),
        }
    }
}

/// Returns a way to ask through the client of this request, if it has one.
pub(crate) fn through(
    context: &RequestContext<RoleServer>,
    elicitation: Elicitation,
) -> Option<Arc<Through>> {
    let declared = context.client_capabilities()?.elicitation?;
    // An empty declaration is the older one, and means forms.
    let forms = declared.form.is_some() || declared.url.is_none();
    // From this revision on a server sends no requests.
    let requests = context.protocol_version()? < ProtocolVersion::V_2026_07_28;
    if !forms || !requests {
        return None;
    }
    let form = Arc::new(Form(context.peer.clone()));
    Some(Arc::new(match elicitation.counts(context) {
        true => Through::answering(form),
        false => Through::telling(form),
    }))
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
    let schema = match worth {
        Worth::Answer => json!({
            "type": "object",
            "properties": {FIELD: {"type": "string", "title": "Decision", "enum": [APPROVE, DENY]}},
            "required": [FIELD],
        }),
        // Whatever is done with it, it is no answer.
        Worth::Notice => json!({"type": "object", "properties": {}}),
    };
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
        check("accept", json!({"decision": "yes"}), Said::Nothing);
        check("accept", json!({"decision": true}), Said::Nothing);
        check("accept", json!({}), Said::Nothing);
        check("accept", Value::Null, Said::Nothing);
        check("decline", json!({"decision": "approve once"}), Said::Deny);
        check("cancel", json!({"decision": "approve once"}), Said::Nothing);
    }

    #[test]
    fn a_notice_offers_no_choice() {
        let shown = |worth| serde_json::to_string(&form(worth).unwrap()).unwrap();
        assert!(shown(Worth::Answer).contains(APPROVE));
        assert!(!shown(Worth::Notice).contains(APPROVE) && !shown(Worth::Notice).contains(DENY));
    }
}
