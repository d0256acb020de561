//! What is said until a session is open, and what the agent's answers offer.

use std::path::PathBuf;

use argrail_spec::config::Secret;
use serde_json::{Value, json};

use super::field::{cut, is_offered, text_of, texts_of};
use crate::session_options::{Carryover, McpServer, Serves};

/// The version of the protocol that is spoken.
pub(super) const VERSION: u64 = 1;
/// The longest id of a session that is sent back.
const SESSION: usize = 1 << 10;
/// How much of an agent's name is kept, in characters.
const NAME: usize = 200;
/// The most ways to sign in that are named.
const METHODS: usize = 20;

/// What a session is to be like.
#[derive(Debug, Clone)]
pub(crate) struct Wishes {
    /// The agent, for messages.
    pub(crate) agent: String,
    pub(crate) directory: PathBuf,
    pub(crate) servers: Vec<McpServer>,
    pub(crate) mode: Option<String>,
    pub(crate) config: Vec<(String, String)>,
    pub(crate) model: Option<String>,
    pub(crate) sign_in: Option<String>,
    pub(crate) resume: Option<String>,
    pub(crate) serves: Serves,
    pub(crate) carryover: Carryover,
}

/// What an agent says that it can do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Offer {
    /// What it calls itself.
    pub(super) agent: Option<String>,
    /// A version that is not ours, if it says one.
    pub(super) other_version: Option<u64>,
    pub(super) http: bool,
    pub(super) load: bool,
    pub(super) close: bool,
    /// Ways to sign in.
    pub(super) sign_in: Vec<String>,
}

/// Says who we are and what we serve.
pub(super) fn initialize(serves: Serves) -> Value {
    json!({
        "protocolVersion": VERSION,
        "clientCapabilities": {
            "fs": {"readTextFile": serves.read, "writeTextFile": serves.write},
            "terminal": serves.terminals,
        },
        "clientInfo": {"name": "argrail", "title": "argrail", "version": env!("CARGO_PKG_VERSION")},
    })
}

/// Reads the answer to it.
pub(super) fn offer(answer: &Value) -> Offer {
    let info = answer.get("agentInfo").unwrap_or(&Value::Null);
    let name = text_of(info, "name").or_else(|| text_of(info, "title"));
    let agent = name.map(|name| match text_of(info, "version") {
        Some(version) => cut(&format!("{name} {version}"), NAME),
        None => cut(name, NAME),
    });
    let version = answer.get("protocolVersion").and_then(Value::as_u64);
    Offer {
        agent,
        other_version: version.filter(|version| *version != VERSION),
        http: is_offered(answer, "/agentCapabilities/mcpCapabilities/http"),
        load: is_offered(answer, "/agentCapabilities/loadSession"),
        close: is_offered(answer, "/agentCapabilities/sessionCapabilities/close"),
        sign_in: texts_of(answer, "authMethods", "id")
            .take(METHODS)
            .map(|id| cut(id, NAME))
            .collect(),
    }
}

/// Asks for a session: a new one, or an earlier one.
pub(super) fn open(wishes: &Wishes) -> (&'static str, Value) {
    let servers: Vec<Value> = wishes.servers.iter().map(server).collect();
    let mut params = json!({"cwd": wishes.directory, "mcpServers": servers});
    match &wishes.resume {
        Some(session) => {
            params["sessionId"] = session.as_str().into();
            ("session/load", params)
        }
        None => ("session/new", params),
    }
}

/// Reads the id of the session out of the answer.
pub(super) fn session_id(wishes: &Wishes, answer: &Value) -> Option<String> {
    let id = text_of(answer, "sessionId").or(wishes.resume.as_deref())?;
    (id.len() <= SESSION && !id.is_empty()).then(|| id.to_owned())
}

fn server(server: &McpServer) -> Value {
    let pairs = |pairs: &[(String, Secret)]| -> Vec<Value> {
        let pair = |(name, value): &(String, Secret)| json!({"name": name, "value": value.expose()});
        pairs.iter().map(pair).collect()
    };
    match server {
        McpServer::Http { name, url, headers } => {
            json!({"type": "http", "name": name, "url": url, "headers": pairs(headers)})
        }
        McpServer::Stdio {
            name,
            command,
            args,
            env,
        } => {
            json!({"name": name, "command": command, "args": args, "env": pairs(env)})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_are_read_leniently() {
        let check = |answer: Value, want: Offer| assert_eq!(offer(&answer), want, "{answer}");
        check(json!(null), Offer::default());
        check(
            json!({"protocolVersion": "1", "agentCapabilities": 7, "authMethods": {}}),
            Offer::default(),
        );
        check(
            json!({
                "protocolVersion": 1,
                "agentInfo": {"name": "goose", "version": "1.2"},
                "agentCapabilities": {
                    "loadSession": true, "mcpCapabilities": {"http": true}, "sessionCapabilities": {"close": {}},
                },
                "authMethods": [{"id": "key", "name": "A key"}, {"name": "nameless"}],
            }),
            Offer {
                agent: Some("goose 1.2".into()),
                other_version: None,
                http: true,
                load: true,
                close: true,
                sign_in: vec!["key".into()],
            },
        );
        let other = Offer {
            other_version: Some(3),
            ..Offer::default()
        };
        check(
            json!({"protocolVersion": 3, "agentCapabilities": {"loadSession": null}}),
            other,
        );
    }

    #[test]
    fn servers_are_passed_as_the_protocol_writes_them() {
        let http = McpServer::Http {
            name: "argrail".into(),
            url: "http://x.test/mcp".into(),
            headers: vec![("Authorization".into(), Secret::new("Bearer t"))],
        };
        assert_eq!(
            server(&http),
            json!({"type": "http", "name": "argrail", "url": "http://x.test/mcp",
                   "headers": [{"name": "Authorization", "value": "Bearer t"}]})
        );
        let stdio = McpServer::Stdio {
            name: "s".into(),
            command: "/bin/s".into(),
            args: vec!["-x".into()],
            env: Vec::new(),
        };
        assert_eq!(
            server(&stdio),
            json!({"name": "s", "command": "/bin/s", "args": ["-x"], "env": []})
        );
    }
}
