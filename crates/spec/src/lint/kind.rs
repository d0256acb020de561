//! What kind of file it is: by what stands in it, else by where it lies.

use crate::config;
use crate::doc::{Node, Object, Value};

/// The kinds of file that can be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// Metadata of a tool: printed by itself, a shim, or an override.
    Atip,
    /// Ways of working.
    Patterns,
    /// What a person allows.
    Config,
    /// The index of known tools.
    Registry,
    /// What a person trusts.
    Trust,
    /// Metadata as it was cached.
    CacheEntry,
    /// A manifest of tools that read JSON.
    ToolsJson,
    /// The bundle of a program.
    Cli,
    /// The contract of one callable.
    Tool,
    /// An inventory of secrets.
    Secrets,
    /// What a user wants.
    Intent,
    /// A process boundary.
    Runner,
    /// How tools are run.
    Driver,
    /// What a child may touch.
    Sandbox,
    /// An agent that is a program.
    AgentCli,
    /// A profile of the Agent Client Protocol.
    Acp,
}

impl FileKind {
    /// Every kind.
    pub const ALL: [Self; 16] = [
        Self::Atip,
        Self::Patterns,
        Self::Config,
        Self::Registry,
        Self::Trust,
        Self::CacheEntry,
        Self::ToolsJson,
        Self::Cli,
        Self::Tool,
        Self::Secrets,
        Self::Intent,
        Self::Runner,
        Self::Driver,
        Self::Sandbox,
        Self::AgentCli,
        Self::Acp,
    ];

    /// Returns its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Atip => "atip",
            Self::Patterns => "patterns",
            Self::Config => "config",
            Self::Registry => "registry",
            Self::Trust => "trust",
            Self::CacheEntry => "cache-entry",
            Self::ToolsJson => "tools.json",
            Self::Cli => "cli",
            Self::Tool => "tool",
            Self::Secrets => "secrets",
            Self::Intent => "intent",
            Self::Runner => "runner",
            Self::Driver => "driver",
            Self::Sandbox => "sandbox",
            Self::AgentCli => "agent-cli",
            Self::Acp => "acp",
        }
    }

    /// Returns the kind of this name. A dash will do for the dot.
    pub fn named(word: &str) -> Option<Self> {
        let is_so = |kind: &Self| kind.as_str() == word || kind.as_str().replace('.', "-") == word;
        Self::ALL.into_iter().find(is_so)
    }

    /// Returns the kind of a Markdown manifest, by its name alone.
    pub fn of_manifest(name: &str) -> Option<Self> {
        match name.rsplit('/').next().unwrap_or_default() {
            "CLI.md" => Some(Self::Cli),
            "TOOL.md" => Some(Self::Tool),
            "SECRETS.md" => Some(Self::Secrets),
            "INTENT.md" => Some(Self::Intent),
            "RUNNER.md" => Some(Self::Runner),
            "DRIVER.md" => Some(Self::Driver),
            "SANDBOX.md" => Some(Self::Sandbox),
            "AGENT-CLI.md" => Some(Self::AgentCli),
            // The draft's own examples call it `hermes-acp.ACP.md`.
            file if file == "ACP.md" || file.ends_with(".ACP.md") => Some(Self::Acp),
            _ => None,
        }
    }

    /// Finds out what a document is.
    pub(super) fn detect(name: &str, root: &Node) -> Option<Self> {
        let by_content = match &root.value {
            // Only patterns come as a list. Where something else lies, a list is an error of that.
            Value::Array(_) => Self::of_path(name).or(Some(Self::Patterns)),
            Value::Object(object) => of_object(object),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        by_content.or_else(|| Self::of_path(name))
    }

    /// Guesses by where a file lies.
    pub(super) fn of_path(name: &str) -> Option<Self> {
        let mut parts = name.rsplit('/');
        let file = parts.next().unwrap_or_default();
        match (parts.next().unwrap_or_default(), file) {
            (_, "config.json") => Some(Self::Config),
            (_, "trust.json") => Some(Self::Trust),
            (_, "registry.json") => Some(Self::Registry),
            (_, "tools.json") => Some(Self::ToolsJson),
            ("overrides" | "shims", _) => Some(Self::Atip),
            ("patterns", _) => Some(Self::Patterns),
            ("tools", _) => Some(Self::CacheEntry),
            (_, _) => None,
        }
    }
}

fn of_object(object: &Object) -> Option<FileKind> {
    let has = |key: &str| object.get(key).is_some();
    let tool_has = |key: &str| {
        let tools = object.get("tools").and_then(Node::as_object);
        tools.is_some_and(|tools| {
            let mut entries = tools.members.iter();
            entries.any(|entry| {
                entry
                    .node
                    .as_object()
                    .is_some_and(|entry| entry.get(key).is_some())
            })
        })
    };
    if has("atip") {
        Some(FileKind::Atip)
    } else if has("metadata") && (has("tool") || has("checksum") || has("cachedAt")) {
        Some(FileKind::CacheEntry)
    } else if has("steps") || has("patterns") {
        Some(FileKind::Patterns)
    // A configuration has `network`, too; files and programs only a sandbox has.
    } else if has("fs") && has("exec") || has("provider") && has("config") {
        Some(FileKind::Sandbox)
    // A registry has `tools`, too; the other keys only a configuration has.
    } else if config::KEYS.iter().any(|key| *key != "tools" && has(key)) {
        Some(FileKind::Config)
    } else if has("projects") {
        Some(FileKind::Trust)
    } else if has("updated") || tool_has("source") {
        Some(FileKind::Registry)
    // A configuration may list tools, too: by name, not as objects.
    } else if lists_tools(object) {
        Some(FileKind::ToolsJson)
    } else {
        None
    }
}

fn lists_tools(object: &Object) -> bool {
    let tools = object.get("tools").and_then(Node::as_array);
    let is_tool = |node: &Node| {
        let tool = node.as_object();
        tool.is_some_and(|tool| tool.get("command").is_some() || tool.get("schema").is_some())
    };
    tools.is_some_and(|tools| tools.iter().any(is_tool))
}

/// Whether the file changes parts of what is known, and need not be whole.
pub(super) fn is_override(name: &str) -> bool {
    name.rsplit('/').nth(1) == Some("overrides")
}

/// Returns the name of the file without its directory and `.json`.
pub(super) fn stem(name: &str) -> &str {
    let file = name.rsplit('/').next().unwrap_or_default();
    file.strip_suffix(".json").unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_stands_in_a_file_counts_before_where_it_lies() {
        let check = |name: &str, value: serde_json::Value, want: Option<FileKind>| {
            assert_eq!(
                FileKind::detect(name, &Node::plain(&value)),
                want,
                "{name} {value}"
            );
        };
        check("x", json!({"atip": "0.1"}), Some(FileKind::Atip));
        check("config.json", json!({"atip": {}}), Some(FileKind::Atip));
        check(
            "x",
            json!({"tool": "gh", "metadata": {}}),
            Some(FileKind::CacheEntry),
        );
        check("x", json!([]), Some(FileKind::Patterns));
        check("x", json!({"name": "a", "steps": []}), Some(FileKind::Patterns));
        check("x", json!({"patterns": []}), Some(FileKind::Patterns));
        check("x", json!({"skip": []}), Some(FileKind::Config));
        check("x", json!({"tools": {}, "updated": ""}), Some(FileKind::Registry));
        check(
            "x",
            json!({"tools": {"gh": {"source": "native"}}}),
            Some(FileKind::Registry),
        );
        check("x", json!({"tools": {}, "projects": {}}), Some(FileKind::Trust));
        check("a/config.json", json!({"tools": {}}), Some(FileKind::Config));
        check("trust.json", json!({"tools": {}}), Some(FileKind::Trust));
        check("registry.json", json!({}), Some(FileKind::Registry));
        check("overrides/gh.json", json!({"effects": {}}), Some(FileKind::Atip));
        check("patterns/x.json", json!({}), Some(FileKind::Patterns));
        check("tools/x.json", json!({}), Some(FileKind::CacheEntry));
        check("a/tools.json", json!({"tools": []}), Some(FileKind::ToolsJson));
        check(
            "x.json",
            json!({"tools": [{"name": "a", "command": ["./tools/bin/a"]}]}),
            Some(FileKind::ToolsJson),
        );
        check("config.json", json!({"tools": ["git"]}), Some(FileKind::Config));
        check("x.json", json!({"tools": ["git"]}), None);
        check(
            "policy.yaml",
            json!({"network": {}, "fs": {}, "exec": {}, "env": {}}),
            Some(FileKind::Sandbox),
        );
        check(
            "x.json",
            json!({"provider": "local", "config": {}}),
            Some(FileKind::Sandbox),
        );
        check("x.json", json!({}), None);
        check("x.json", json!("atip"), None);
    }

    #[test]
    fn every_kind_has_one_name() {
        for kind in FileKind::ALL {
            assert_eq!(FileKind::named(kind.as_str()), Some(kind));
        }
        assert_eq!(FileKind::named("tools-json"), Some(FileKind::ToolsJson));
        assert_eq!(FileKind::named("Atip"), None);
    }
}
