//! The HTTP server of `argrail serve` with the fixture tools of the MCP conformance suite in place of `cli`.
//!
//! The suite calls tools by names of its own, so it cannot say much about a server whose one tool is `cli`.
//! Here everything between the socket and the handler is the program's; only the handler is the test's.
//! `tests/external/mcp/run` starts it.
//!
//! Usage: `conformance_server TOKEN_FILE ALLOWED_ORIGIN`

use std::borrow::Cow;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use argrail::serve::http::{self, Limits, Options};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, CompleteRequestMethod,
    CompleteRequestParams, CompleteResult, ContentBlock, ErrorData, Implementation, InputRequiredResult,
    JsonObject, ListPromptsRequestMethod, ListPromptsResult, ListResourcesRequestMethod, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig,
    Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};

/// A red pixel.
const IMAGE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/// A sound without samples.
const AUDIO: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

/// The suite's tools, as far as they are about what `cli` needs: content, errors, progress, roots.
const TOOLS: &[&str] = &[
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_progress",
    "test_missing_capability",
    // The suite looks whether these send what nobody asked for. We never do, so they only answer.
    "test_logging_tool",
    "test_streaming_elicitation",
    // How we ask for roots; the suite tries the same with other questions.
    "test_input_required_result_list_roots",
    "test_input_required_result_elicitation",
    "test_input_required_result_capabilities",
];

struct Fixtures;

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build()).with_server_info(
            Implementation::new("argrail-conformance", env!("CARGO_PKG_VERSION")),
        )
    }

    // As in the program: what is not declared is not there.

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

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut tools: Vec<Tool> = TOOLS
            .iter()
            .map(|name| tool(name, json!({"type": "object"})))
            .collect();
        tools.push(tool("json_schema_2020_12_tool", schema_2020_12()));
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let blocks = match request.name.as_ref() {
            "test_simple_text" => json!([text("This is a simple text response for testing.")]),
            "test_image_content" => json!([image()]),
            "test_audio_content" => {
                json!([{"type": "audio", "data": AUDIO, "mimeType": "audio/wav"}])
            }
            "test_embedded_resource" => {
                json!([resource(
                    "test://embedded-resource",
                    "text/plain",
                    "This is an embedded resource content."
                )])
            }
            "test_multiple_content_types" => json!([
                text("Multiple content types test:"),
                image(),
                resource(
                    "test://mixed-content-resource",
                    "application/json",
                    r#"{"test":"data","value":123}"#
                ),
            ]),
            "test_tool_with_progress" => with_progress(&context).await,
            "test_error_handling" => {
                let blocks = content(json!([text(
                    "This tool intentionally returns an error for testing"
                )]))?;
                return Ok(CallToolResult::error(blocks).into());
            }
            "test_missing_capability" => return needs_sampling(&context),
            "test_input_required_result_list_roots" => {
                return asking(
                    &request,
                    "client_roots",
                    json!({"method": "roots/list", "params": {}}),
                );
            }
            "test_input_required_result_elicitation" => return asking(&request, "user_name", who()),
            "test_input_required_result_capabilities" => return asking_what_it_can(&request, &context),
            "json_schema_2020_12_tool" | "test_logging_tool" | "test_streaming_elicitation" => {
                json!([text("ok")])
            }
            other => return Err(ErrorData::invalid_params(format!("unknown tool {other:?}"), None)),
        };
        Ok(CallToolResult::success(content(blocks)?).into())
    }
}

fn tool(name: &'static str, schema: Value) -> Tool {
    let Value::Object(schema) = schema else {
        return tool(name, json!({}));
    };
    Tool::new(
        Cow::Borrowed(name),
        Cow::Borrowed("A fixture of the conformance suite"),
        Arc::<JsonObject>::new(schema),
    )
}

fn schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn image() -> Value {
    json!({"type": "image", "data": IMAGE, "mimeType": "image/png"})
}

fn resource(uri: &str, mime_type: &str, text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": text}})
}

fn content(blocks: Value) -> Result<Vec<ContentBlock>, ErrorData> {
    serde_json::from_value(blocks).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

async fn with_progress(context: &RequestContext<RoleServer>) -> Value {
    if let Some(token) = context.meta.get_progress_token() {
        for done in [0.0, 50.0, 100.0] {
            let step = ProgressNotificationParam::new(token.clone(), done).with_total(100.0);
            let _ = context.peer.notify_progress(step).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    json!([text("done")])
}

#[expect(
    deprecated,
    reason = "SEP-2577 deprecates sampling; the suite still tells by it who declared what"
)]
fn needs_sampling(context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    if context
        .client_capabilities()
        .is_some_and(|capabilities| capabilities.sampling.is_some())
    {
        return Ok(CallToolResult::success(content(json!([text("ok")]))?).into());
    }
    let required = ClientCapabilities::builder().enable_sampling().build();
    Err(ErrorData::missing_required_client_capability(required))
}

/// Answers with what the client said to the question, or with the question.
fn asking(
    request: &CallToolRequestParams,
    key: &str,
    question: Value,
) -> Result<CallToolResponse, ErrorData> {
    let answer = request
        .input_responses
        .as_ref()
        .and_then(|answers| answers.get(key));
    if let Some(answer) = answer.filter(|answer| answer.is_object()) {
        return Ok(CallToolResult::success(content(json!([text(&answer.to_string())]))?).into());
    }
    let questions = serde_json::from_value(json!({key: question}))
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    Ok(InputRequiredResult::from_input_requests(questions).into())
}

fn who() -> Value {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    json!({"method": "elicitation/create", "params": {"message": "What is your name?", "requestedSchema": schema}})
}

fn asking_what_it_can(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let capabilities = context.client_capabilities().unwrap_or_default();
    if capabilities.elicitation.is_some() {
        return asking(request, "user_name", who());
    }
    if capabilities.sampling.is_some() {
        let message = json!({"role": "user", "content": text("What is the capital of France?")});
        let params = json!({"messages": [message], "maxTokens": 100});
        return asking(
            request,
            "capital",
            json!({"method": "sampling/createMessage", "params": params}),
        );
    }
    Ok(CallToolResult::success(content(json!([text("nothing to ask")]))?).into())
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (Some(token_file), Some(origin)) = (words.next(), words.next()) else {
        return ExitCode::from(2);
    };
    let Ok(listen) = "127.0.0.1:0".parse() else {
        return ExitCode::FAILURE;
    };
    let options = Options {
        listen,
        token_file: PathBuf::from(token_file),
        allow_origins: vec![origin],
        person_credentials: None,
        limits: Limits::default(),
        ending: argrail::serve::Ending::default(),
    };
    let announce = |ready: &http::Ready<'_>| {
        let _ = writeln!(std::io::stdout(), "{}", ready.url);
    };
    match http::run(&options, || Ok(Fixtures), announce) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}
