//! How a server is configured and asked in these tests, and what every failure has.

use std::time::Duration;

use argrail_engine::catalog::mcp::{McpError, Means, discover};
use argrail_sandbox::Launcher;
use argrail_spec::atip::Loaded;
use argrail_spec::config::{McpServer, Secret, Transport};
use argrail_testkit::Home;

use crate::ARGRAIL;

/// Longer than anything takes on a busy machine.
pub(super) const LONG: Duration = Duration::from_secs(60);
/// Long enough to start a server, for those that never end by themselves.
pub(super) const SHORT: Duration = Duration::from_secs(2);

/// What is needed to start a server in this home.
pub(super) fn means(home: &Home, timeout: Duration) -> Means {
    Means {
        launcher: Launcher::Path(ARGRAIL.into()),
        home: home.root().join("home"),
        own: vec![home.root().join("data/agent-tools")],
        search: vec![home.bin(), "/usr/bin".into(), "/bin".into()],
        timeout,
    }
}

/// A server that is started.
pub(super) fn command(program: &str, args: &[&str], env: &[(&str, &str)]) -> McpServer {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), Secret::new(*value));
    McpServer {
        transport: Transport::Command {
            command: program.to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: env.iter().map(pair).collect(),
        },
        disabled: false,
    }
}

/// A server that is reached.
pub(crate) fn url(url: &str, headers: &[(&str, &str)]) -> McpServer {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), Secret::new(*value));
    McpServer {
        transport: Transport::Url {
            url: url.to_owned(),
            headers: headers.iter().map(pair).collect(),
        },
        disabled: false,
    }
}

/// Asks a server and returns its tools.
pub(crate) fn listed(home: &Home, server: &McpServer) -> Loaded {
    discover("demo", server, &means(home, LONG)).unwrap_or_else(|error| panic!("{error}"))
}

/// Asks a server that must fail, and returns the code and the message. Every failure has a hint, and no control
/// character.
pub(super) fn failed(home: &Home, server: &McpServer, timeout: Duration) -> (&'static str, String) {
    let error: McpError = discover("demo", server, &means(home, timeout)).expect_err("a failure");
    let (message, hint) = (error.to_string(), error.hint().to_string());
    assert!(!hint.is_empty(), "{message}");
    for text in [&message, &hint] {
        assert!(!text.chars().any(argrail_acli::is_invisible), "{text:?}");
        assert!(text.len() < 1_500, "{text}");
    }
    assert!(message.starts_with("MCP server 'demo': "), "{message}");
    (error.code().name(), message)
}
