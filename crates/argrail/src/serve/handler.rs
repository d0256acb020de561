//! The MCP server of the one tool `cli`, for every transport and revision.
//!
//! A command that fails is an envelope with `isError`, never a protocol error: the agent reads the
//! envelope, and most clients hide the other. Protocol errors are left for what is no call of ours at
//! all (another tool's name, a method nobody knows, a request before the handshake).
//!
//! rmcp cancels a call by a token and lets the handler run on; here the handler's future is dropped.

use std::path::PathBuf;
use std::sync::Arc;

use argrail_acli::{Caller, Cli, Envelope, Error, Text, mcp};
use argrail_engine::consent::{Client, Through};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod, CompleteRequestParams,
    CompleteResult, ContentBlock, CustomRequest, CustomResult, ErrorCode, ErrorData, Implementation,
    InitializeRequestParams, InitializeResult, ListPromptsRequestMethod, ListPromptsResult,
    ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ResultType,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::elicit::Elicitation;
use super::http::CallerKey;
use super::roots::{Answer, SessionRoots};
use super::{elicit, progress};

/// The name of the tool (ACLI §3.1).
const TOOL: &str = "cli";

/// How much of a name that a client sent is kept.
const NAME_LIMIT: usize = 100;

/// Says whether a caller may reach a top-level command.
type Reach = Arc<dyn Fn(&Caller, &str) -> bool + Send + Sync>;

/// Where the commands come from. Asked for every request, so that the tree may change between two.
#[derive(Clone)]
pub struct Commands {
    source: Arc<dyn Fn() -> Result<Arc<Cli>, Error> + Send + Sync>,
    /// Whether a caller may reach a top-level command at all.
    reach: Reach,
}

impl Commands {
    /// Wraps a source that may return another tree each time, or say why there is none.
    pub fn new(source: impl Fn() -> Result<Arc<Cli>, Error> + Send + Sync + 'static) -> Self {
        Self {
            source: Arc::new(source),
            reach: Arc::new(|_, _| true),
        }
    }

    /// Says which top-level commands a caller may reach: it is told of no other.
    #[must_use]
    pub fn reachable(self, reach: impl Fn(&Caller, &str) -> bool + Send + Sync + 'static) -> Self {
        Self {
            reach: Arc::new(reach),
            ..self
        }
    }

    /// Wraps a tree that stays.
    pub fn fixed(cli: Arc<Cli>) -> Self {
        Self::new(move || Ok(Arc::clone(&cli)))
    }

    fn current(&self) -> Result<Arc<Cli>, Error> {
        (self.source)()
    }
}

/// What all sessions of a server share.
#[derive(Clone)]
pub struct Shared {
    commands: Commands,
    roots: Arc<[PathBuf]>,
    driven: Option<Driven>,
    elicitation: Elicitation,
    cut: CancellationToken,
}

impl Shared {
    /// Takes the commands and our own roots, each of them real: the working directory first.
    pub fn new(commands: Commands, roots: Vec<PathBuf>) -> Self {
        Self {
            commands,
            roots: roots.into(),
            driven: None,
            elicitation: Elicitation::default(),
            cut: CancellationToken::new(),
        }
    }

    /// Answers every call that is under way with an error once this is cancelled.
    #[must_use]
    pub fn cut_by(self, cut: CancellationToken) -> Self {
        Self { cut, ..self }
    }

    /// Says whose answers to `elicitation/create` count for a person's. Without it, nobody's.
    #[must_use]
    pub fn elicitation(self, elicitation: Elicitation) -> Self {
        Self { elicitation, ..self }
    }

    /// Serves an agent that this process drives: who it is, we know, and need not be told. Neither is it asked to show
    /// questions to a person, which it would answer itself: that is for `asker`.
    pub fn for_driven(commands: Commands, caller: Arc<Caller>, asker: Option<Arc<dyn Client>>) -> Self {
        Self {
            commands,
            roots: caller.roots.clone().into(),
            driven: Some(Driven {
                caller,
                asker: asker.map(|asker| Arc::new(Through::telling(asker))),
                looked: Arc::default(),
            }),
            elicitation: Elicitation::Tells,
            cut: CancellationToken::new(),
        }
    }

    /// Waits until an agent that this process drives has asked which tools there are.
    pub async fn looked_at(&self) {
        if let Some(driven) = &self.driven {
            driven.looked.notified().await;
        }
    }
}

/// An agent that this process drives.
#[derive(Clone)]
struct Driven {
    caller: Arc<Caller>,
    asker: Option<Arc<Through>>,
    /// Told when it has asked which tools there are.
    looked: Arc<Notify>,
}

/// The handler of one session.
pub struct CliServer {
    shared: Shared,
    id: String,
    roots: SessionRoots,
}

impl CliServer {
    /// Starts a session under a fresh random id.
    ///
    /// The id is not the session id on the wire: that one opens the session, and this one is written
    /// into records.
    pub fn new(shared: Shared) -> std::io::Result<Self> {
        let id = format!("mcp-{:016x}", getrandom::u64()?);
        let roots = SessionRoots::new(Arc::clone(&shared.roots));
        Ok(Self { shared, id, roots })
    }

    fn tool(&self, caller: &Caller) -> Result<Tool, ErrorData> {
        let commands = self.shared.commands.current().map_err(|error| internal(&error))?;
        let reach = &self.shared.commands.reach;
        let definition = mcp::tool_among(&commands, |name| reach(caller, name));
        serde_json::from_value(definition).map_err(|error| internal(&error))
    }

    async fn answer(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.as_ref();
        let cli = match self.shared.commands.current() {
            Ok(cli) => cli,
            Err(error) => {
                let command = arguments.and_then(|arguments| arguments.get("command"));
                let command = command.and_then(Value::as_str).unwrap_or_default();
                return Ok(tool_result(Envelope::new(command, Err(error), None))?.into());
            }
        };
        if let Some(driven) = &self.shared.driven {
            let asks = driven.asker.clone().map(|asker| asker as argrail_acli::Context);
            let work = |sink| cli.call_tool_in(arguments, Caller::clone(&driven.caller), sink, asks);
            return Ok(tool_result(progress::reporting(context, work).await)?.into());
        }
        // Most commands look at no path, and should not wait for a client to say where paths may lead.
        let answer = if cli.needs_roots(arguments) {
            self.roots.of_call(request, context).await
        } else {
            Answer::Known(self.shared.roots.to_vec())
        };
        let roots = match answer {
            Answer::Known(roots) => roots,
            Answer::Ask(question) => return Ok(question.into()),
        };
        let caller = self.caller(context, roots);
        let asks =
            elicit::through(context, self.shared.elicitation).map(|through| through as argrail_acli::Context);
        let work = |sink| cli.call_tool_in(arguments, caller, sink, asks);
        let envelope = progress::reporting(context, work).await;
        Ok(tool_result(envelope)?.into())
    }

    fn caller(&self, context: &RequestContext<RoleServer>, roots: Vec<PathBuf>) -> Caller {
        // A request without a session gets a handler of its own, so the handler's id would be new each
        // time; what stays the same is the credential it came with.
        let id = CallerKey::of_stateless(&context.extensions)
            .unwrap_or(&self.id)
            .to_owned();
        let name = context
            .client_info()
            .map(|client| client.name.chars().take(NAME_LIMIT).collect());
        Caller {
            id,
            // Sessions are free to open, so a limit per session would limit nobody.
            account: CallerKey::of(&context.extensions).map(str::to_owned),
            name,
            roots,
        }
    }
}

impl ServerHandler for CliServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
            .with_server_info(Implementation::new("argrail", env!("CARGO_PKG_VERSION")))
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let info = self.negotiate_initialize(&request)?;
        let mut peer = request;
        peer.protocol_version = info.protocol_version.clone();
        context.peer.set_peer_info(peer);
        Ok(info)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        negotiated(&context)?;
        let tool = match &self.shared.driven {
            Some(driven) => {
                let tool = self.tool(&driven.caller);
                driven.looked.notify_one();
                tool
            }
            None => self.tool(&self.caller(&context, Vec::new())),
        };
        let tools = vec![tool?];
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        // Nobody is told this one: it says only that there is such a tool.
        if name == TOOL {
            let caller = Caller {
                id: self.id.clone(),
                ..Caller::default()
            };
            self.tool(&caller).ok()
        } else {
            None
        }
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        negotiated(&context)?;
        if request.name != TOOL {
            return Err(unknown_tool(&request.name));
        }
        // On the heap: rmcp moves the future of a request, which is as large as that of its largest
        // method, several times before it runs.
        Box::pin(async move {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => Err(cancelled()),
                () = self.shared.cut.cancelled() => Err(cancelled()),
                answer = self.answer(&request, &context) => answer,
            }
        })
        .await
    }

    // rmcp answers these with nothing rather than not at all, though we declare no such capability.

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourcesRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourceTemplatesRequestMethod>())
    }

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    /// Takes what rmcp could not read as the method it names.
    ///
    /// A call whose `arguments` are no object at all ends here, and still deserves our envelope.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let legacy = context
            .protocol_version()
            .is_none_or(|version| version < ProtocolVersion::V_2026_07_28);
        if !is_known(&request.method, legacy) {
            return Err(unknown_method(&request.method));
        }
        let name = request
            .params
            .as_ref()
            .and_then(|params| params.get("name"))
            .and_then(Value::as_str);
        let Some(name) = name.filter(|_| request.method == "tools/call") else {
            return Err(ErrorData::invalid_params("params do not fit the method", None));
        };
        let without_arguments = CallToolRequestParams::new(name.to_owned());
        let CallToolResponse::Complete(mut result) =
            Box::pin(self.call_tool(without_arguments, context)).await?
        else {
            return Err(ErrorData::invalid_params("arguments must be an object", None));
        };
        if legacy {
            result.result_type = None;
        }
        serde_json::to_value(result)
            .map(CustomResult)
            .map_err(|error| internal(&error))
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        self.roots.forget().await;
    }
}

/// Refuses what comes before the handshake and brings no `_meta` of its own instead.
fn negotiated(context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    match context.protocol_version() {
        Some(_) => Ok(()),
        None => Err(ErrorData::invalid_params(
            "send initialize first, or the _meta of revision 2026-07-28 with each request",
            None,
        )),
    }
}

/// Whether this is a method of MCP that a server answers. Revision 2026-07-28 took two away.
fn is_known(method: &str, legacy: bool) -> bool {
    match method {
        "initialize" | "ping" => legacy,
        "server/discover" | "tools/list" | "tools/call" | "subscriptions/listen" => true,
        _ => false,
    }
}

/// Returns [`mcp::result`] as rmcp's type. Its parts are moved, not read again: that alone is a tenth
/// of a call.
fn tool_result(envelope: Envelope) -> Result<CallToolResult, ErrorData> {
    let Value::Object(mut parts) = mcp::result(envelope) else {
        return Err(ErrorData::internal_error("the result is no object", None));
    };
    let mut result = CallToolResult::default();
    result.structured_content = parts.remove("structuredContent");
    result.is_error = parts.remove("isError").and_then(|is_error| is_error.as_bool());
    result.content = match parts.remove("content") {
        Some(Value::Array(blocks)) => blocks.into_iter().map(content_block).collect::<Result<_, _>>()?,
        _ => Vec::new(),
    };
    // Revision 2026-07-28 wants it; rmcp takes it off again for older clients.
    result.result_type = Some(ResultType::COMPLETE);
    Ok(result)
}

fn content_block(mut block: Value) -> Result<ContentBlock, ErrorData> {
    if let Some(Value::String(text)) = block.get_mut("text") {
        return Ok(ContentBlock::text(std::mem::take(text)));
    }
    serde_json::from_value(block).map_err(|error| internal(&error))
}

fn unknown_method(method: &str) -> ErrorData {
    let shown: String = method.chars().take(NAME_LIMIT).collect();
    let message = Text::new("unknown method {}").value(shown).to_string();
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
}

fn unknown_tool(name: &str) -> ErrorData {
    let shown: String = name.chars().take(NAME_LIMIT).collect();
    ErrorData::invalid_params(format!("unknown tool {shown:?}; the one tool is {TOOL:?}"), None)
}

/// What a call is answered with when the server stops under it. (To a client that cancelled the call
/// itself, rmcp sends nothing, as the protocol wants.)
fn cancelled() -> ErrorData {
    ErrorData::internal_error("the call was cancelled", None)
}

fn internal(error: &dyn std::error::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

#[cfg(test)]
mod tests {
    use argrail_acli::{Answer, Code};
    use serde_json::json;

    use super::*;

    #[test]
    fn the_result_on_the_wire_is_that_of_the_mapping() {
        let answer = Answer::new(json!({"a": [1, "\u{1F600}\n"], "b": null}));
        let error = Error::new(Code::CommandNotFound, "Command not found").hint("Run 'help'");
        for envelope in [
            Envelope::new("x", Ok(answer), None),
            Envelope::new("y", Err(error), None),
        ] {
            let mut result = tool_result(envelope.clone()).unwrap();
            assert_eq!(result.result_type.take(), Some(ResultType::COMPLETE));
            assert_eq!(
                serde_json::to_string(&result).unwrap(),
                mcp::result(envelope).to_string()
            );
        }
    }
}
