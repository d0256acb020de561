//! Asks an MCP server for its tools and prints them as ATIP metadata: `mcp_tools NAME PROGRAM [ARG…]`.
//!
//! The server runs in the sandbox, without network. What is odd about its tools goes to standard error.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example that prints")]

use std::path::PathBuf;
use std::process::ExitCode;

use argrail_engine::catalog::mcp::{Means, TIMEOUT, discover};
use argrail_sandbox::Launcher;
use argrail_spec::config::{McpServer, Transport};

fn main() -> ExitCode {
    // First: this program is also the launcher that builds the sandbox.
    argrail_sandbox::enter();
    let mut words = std::env::args().skip(1);
    let (Some(name), Some(command)) = (words.next(), words.next()) else {
        eprintln!("usage: mcp_tools NAME PROGRAM [ARG…]");
        return ExitCode::from(2);
    };
    let server = McpServer {
        transport: Transport::Command {
            command,
            args: words.collect(),
            env: std::iter::empty().collect(),
        },
        disabled: false,
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let means = Means {
        launcher: Launcher::SelfExe,
        home: argrail_sandbox::home().unwrap_or_else(|_| PathBuf::from("/")),
        own: Vec::new(),
        search: std::env::split_paths(&path).collect(),
        timeout: TIMEOUT,
    };
    match discover(&name, &server, &means) {
        Ok(loaded) => {
            for warning in &loaded.warnings {
                eprintln!("{}: {}", warning.code, warning.message);
            }
            println!("{}", serde_json::json!(loaded.metadata));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}\n{}", error.hint());
            ExitCode::FAILURE
        }
    }
}
