//! A floor: the smallest server that the official MCP crate makes, with one tool and a fixed answer.
//!
//! One thread, and pipes on the event loop: the crate's own wrapping of stdin and stdout hands every read and
//! write to another thread, and a floor should not pay for that.

use std::io;
use std::os::fd::AsFd;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::json;
use tokio::net::unix::pipe::{Receiver, Sender};

const ANSWER: &str =
    r#"{"success":true,"data":{"acli_version":"0.1.0","implementation":{"name":"floor","version":"1"}}}"#;

struct Fixed {
    tool: Tool,
}

impl ServerHandler for Fixed {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![self.tool.clone()]))
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::text(ANSWER)]).into())
    }
}

fn main() -> io::Result<()> {
    let definition = json!({
        "name": "cli",
        "description": "Execute CLI command",
        "inputSchema": {
            "type": "object",
            "properties": {"command": {"type": "string"}},
            "required": ["command"],
        },
    });
    let tool = serde_json::from_value(definition)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async {
        let input = Receiver::from_owned_fd(io::stdin().as_fd().try_clone_to_owned()?)?;
        let output = Sender::from_owned_fd(io::stdout().as_fd().try_clone_to_owned()?)?;
        let server = Fixed { tool }
            .serve((input, output))
            .await
            .map_err(io::Error::other)?;
        server.waiting().await.map_err(io::Error::other)?;
        Ok(())
    })
}
