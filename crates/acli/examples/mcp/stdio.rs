//! Any [`Cli`] as an MCP server on standard input and output, with the SDK `rmcp`.
//!
//! This is all that stands between the two: `mcp::tool` is the definition, `call_tool` the answer. Another
//! SDK needs the same two lines.

use std::error::Error;
use std::path::PathBuf;

use argrail_acli::{Caller, Cli, mcp};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};

/// Serves `cli` until the client closes the input. Path arguments may lead into `roots`.
pub(crate) async fn serve(cli: Cli, roots: Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    let service = Server { cli, roots }.serve(rmcp::transport::stdio()).await?;
    service.waiting().await?;
    Ok(())
}

struct Server {
    cli: Cli,
    roots: Vec<PathBuf>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = serde_json::from_value(mcp::tool(&self.cli)).map_err(internal)?;
        Ok(ListToolsResult::with_all_items(vec![tool]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != mcp::TOOL_NAME {
            return Err(ErrorData::invalid_params("the one tool is 'cli'", None));
        }
        let caller = Caller {
            account: None,
            id: "stdio".to_owned(),
            name: None,
            roots: self.roots.clone(),
        };
        // A cancelled request drops the future, and with it the handler.
        tokio::select! {
            envelope = self.cli.call_tool(request.arguments.as_ref(), caller, None) => {
                let result: CallToolResult = serde_json::from_value(mcp::result(envelope)).map_err(internal)?;
                Ok(result.into())
            }
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
        }
    }
}

fn internal(error: serde_json::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
