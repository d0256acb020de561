//! What servers said, remembered: they are started for a scan, and not for every list.
//!
//! An entry is good for the server that it came from: another program, address, variable or header is another server.
//! Values of variables and headers are not remembered, not even as part of a digest.

use std::path::PathBuf;
use std::time::Duration;

use argrail_spec::atip::{Metadata, check_tool_name, decode};
use argrail_spec::config::{McpServer, Transport};
use argrail_spec::digest::Digest;
use argrail_spec::doc::Node;
use argrail_spec::registry::CacheEntry;
use indexmap::IndexMap;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::super::store_error::StoreError;
use crate::files::atomic::{self, Access, Durability};
use crate::files::untrusted::{self, Keeper, Links, Reading};
use crate::places::Places;

/// The field that says which server an entry came from.
const SERVER: &str = "x-server";

/// How entries are read: nobody else may have written them.
const READING: Reading = Reading {
    keeper: Keeper::Trusted,
    links: Links::Refuse,
    limit: CacheEntry::MAX_BYTES as u64,
};

/// Remembers what the server called `name` said.
///
/// # Errors
/// When the name is none, or nothing can be written.
pub fn remember(
    places: &Places,
    name: &str,
    server: &McpServer,
    metadata: Value,
    now: Timestamp,
    max_age: Duration,
) -> Result<(), StoreError> {
    let path = path(places, name)?;
    let mut entry = CacheEntry::new(name, metadata, now, max_age);
    entry.extra.insert(SERVER.to_owned(), json!(identity(server)));
    let text = entry.emit();
    Ok(atomic::replace(
        &path,
        text.as_bytes(),
        Access::Private,
        Durability::Cached,
    )?)
}

/// What is remembered of one server.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    /// Its tools.
    pub metadata: Metadata,
    /// Whether it has to be asked again.
    pub expired: bool,
}

/// Returns what is remembered of a server, if it is the same server.
pub fn recall(places: &Places, name: &str, server: &McpServer, now: Timestamp) -> Option<Recalled> {
    let path = path(places, name).ok()?;
    let found = untrusted::read(&path, &READING).ok()??;
    let entry = CacheEntry::load(&found.bytes).ok()?;
    if entry.tool != name || entry.extra.get(SERVER) != Some(&json!(identity(server))) {
        return None;
    }
    let loaded = decode(&Node::plain(&entry.metadata)).ok()?;
    (loaded.metadata.name == name).then_some(Recalled {
        metadata: loaded.metadata,
        expired: entry.expires_at <= now,
    })
}

/// Returns the tools of every server that is not disabled and is remembered.
pub fn recall_all(places: &Places, servers: &IndexMap<String, McpServer>, now: Timestamp) -> Vec<Metadata> {
    let enabled = servers.iter().filter(|(_, server)| !server.disabled);
    enabled
        .filter_map(|(name, server)| Some(recall(places, name, server, now)?.metadata))
        .collect()
}

fn path(places: &Places, name: &str) -> Result<PathBuf, StoreError> {
    check_tool_name(name).map_err(|problem| StoreError::Name {
        given: name.to_owned(),
        problem,
    })?;
    Ok(places.discovery().join(format!("mcp-{name}.json")))
}

/// What makes a server this one, without anything secret.
pub(crate) fn identity(server: &McpServer) -> Digest {
    let said = match &server.transport {
        Transport::Command { command, args, env } => {
            json!({"command": command, "args": args, "env": env.keys().collect::<Vec<_>>()})
        }
        Transport::Url { url, headers } => {
            json!({"url": url, "headers": headers.keys().collect::<Vec<_>>()})
        }
    };
    Digest::of(said.to_string())
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;
    use crate::places::testing::places_of;

    fn server(command: &str, secret: &str) -> McpServer {
        let env = [("TOKEN".to_owned(), argrail_spec::config::Secret::new(secret))];
        McpServer {
            transport: Transport::Command {
                command: command.to_owned(),
                args: vec!["serve".to_owned()],
                env: env.into_iter().collect(),
            },
            disabled: false,
        }
    }

    #[test]
    fn a_server_is_recalled_while_it_is_the_same() {
        let home = Home::new();
        let places = places_of(&home);
        let now = Timestamp::UNIX_EPOCH;
        let said = json!({"atip": "0.1", "name": "files", "version": "1", "description": "Files"});
        let first = server("files", "hunter2");
        remember(&places, "files", &first, said, now, Duration::from_secs(60)).unwrap();
        let recalled = recall(&places, "files", &first, now).unwrap();
        assert_eq!(
            (recalled.metadata.name.as_str(), recalled.expired),
            ("files", false)
        );
        let later = now.saturating_add(Duration::from_secs(61)).unwrap();
        assert!(recall(&places, "files", &first, later).unwrap().expired);
        // Another secret is the same server; another program is not.
        assert!(recall(&places, "files", &server("files", "other"), now).is_some());
        assert!(recall(&places, "files", &server("evil", "hunter2"), now).is_none());
        assert!(recall(&places, "other", &first, now).is_none());
        assert!(remember(&places, "../x", &first, json!({}), now, Duration::ZERO).is_err());
        let text = std::fs::read_to_string(places.discovery().join("mcp-files.json")).unwrap();
        assert!(!text.contains("hunter2"));
        let mut disabled = first.clone();
        disabled.disabled = true;
        let all = |server: &McpServer| {
            let servers = [("files".to_owned(), server.clone())].into_iter().collect();
            recall_all(&places, &servers, now).len()
        };
        assert_eq!((all(&first), all(&disabled)), (1, 0));
    }
}
