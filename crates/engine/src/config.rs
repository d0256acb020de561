//! `config.json`: what a person allows, and how much.
//!
//! The format is [`argrail_spec::config`]; here are the file, who may write it, and what its paths mean. A file that
//! cannot be read, is writable by others or says something we do not understand is a refusal, never an empty
//! configuration. So is one with a key that nobody knows: a misspelt rule would not hold.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_acli::{Limits, Text};
use argrail_spec::atip::{Delegation, PermissionPolicy};
use argrail_spec::config::{self, Glob, McpServer, Notify, Period};
use argrail_spec::doc::{self, Diagnostic, Document, Severity};
use indexmap::IndexMap;
use serde_json::Value;

use crate::files::untrusted::{self, FileError, Keeper, Links, Reading};
use crate::places::Places;

/// The most bytes of the file.
const MAX_BYTES: usize = 1 << 20;

/// How the file is read: it decides what agents may do, so nobody else may be able to write it or to put another in
/// its place.
const READING: Reading = Reading {
    keeper: Keeper::Trusted,
    links: Links::Follow,
    limit: MAX_BYTES as u64,
};

/// What a person has set. The default is what holds without a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The only commands that may be called, if set.
    pub allow: Option<Vec<String>>,
    /// Commands that may not be called.
    pub deny: Vec<String>,
    /// How often one caller may ask.
    pub rate_limit: Option<RateLimit>,
    /// Directories beside the working directory that path arguments may lead into.
    pub roots: Vec<PathBuf>,
    /// How long one call may take.
    pub call_timeout: Option<Duration>,
    /// How long a question to a person lives, and its answer for its use.
    pub approval_timeout: Option<Duration>,
    /// How long a call of MCP waits for a person.
    pub wait: Option<Duration>,
    /// What one command string may cost; only ever less than the draft's limits.
    pub limits: Limits,
    /// Tools that are there whatever is found.
    pub tools: Vec<Explicit>,
    /// Programs that are never looked at.
    pub skip: Vec<Glob>,
    /// When what is known about a tool has to be asked again.
    pub max_age: Option<Duration>,
    /// Servers whose tools appear beside the others.
    pub mcp_servers: IndexMap<String, McpServer>,
    /// What runs without a question, with one, or never.
    pub permission_policy: Option<PermissionPolicy>,
    /// What other agents may do, by name.
    pub delegations: IndexMap<String, Delegation>,
    /// What is different about the network of tools.
    pub reach: NetworkOverrides,
    /// Hosts that are no new ones, whoever names them.
    pub hosts: Vec<String>,
    /// Fields of metadata that are left out wherever it goes, as JSON pointers.
    pub redact: Vec<String>,
    /// How a person is told that a question waits.
    pub notify: Option<Notify>,
    /// Whether what an MCP client answers for a person counts; nothing where nobody says so.
    pub elicitation: Option<bool>,
    /// What was odd about the file, for a person to read.
    pub warnings: Vec<String>,
}

/// A tool that the configuration names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Explicit {
    /// Its name.
    pub name: String,
    /// Its executable.
    pub path: Option<PathBuf>,
    /// A file that describes it.
    pub metadata: Option<PathBuf>,
}

/// What is different about a network: for local services and tests. The report says so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NetworkOverrides {
    /// Names that have these addresses.
    pub resolve: Vec<(String, IpAddr)>,
    /// Whether names may lead to this machine.
    pub loopback: Loopback,
}

/// Whether names may lead to this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Loopback {
    /// They may not.
    #[default]
    Refused,
    /// They may.
    Allowed,
}

/// So many requests in so much time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// How many.
    pub requests: u32,
    /// In which time.
    pub per: Duration,
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is there and cannot be read, or somebody else could have written it.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not the JSON we know.
    #[error("{}: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The place and what was expected there.
        problem: String,
    },
}

impl ConfigError {
    /// Returns what a person can do about it.
    pub fn hint(&self) -> Text {
        match self {
            Self::File(error) => error.hint(),
            Self::Invalid { .. } => Text::new("Correct the file; docs/guide.md lists every key"),
        }
    }
}

impl Config {
    /// Returns globs of paths that no call and no agent sees.
    pub fn denied_paths(&self) -> Vec<String> {
        let policy = self.permission_policy.as_ref();
        let paths = policy.and_then(|policy| policy.deny.get("filesystem.paths"));
        let text = |value: &Value| value.as_str().map(str::to_owned);
        match paths {
            Some(Value::Array(globs)) => globs.iter().filter_map(text).collect(),
            Some(one) => text(one).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// Reads the configuration file; without one, the default holds.
    ///
    /// # Errors
    /// When the file is there and cannot be read, trusted or understood.
    pub fn load(places: &Places) -> Result<Self, ConfigError> {
        let path = places.config_file();
        let Some(found) = untrusted::read(&path, &READING)? else {
            return Ok(Self::default());
        };
        Self::parse(&found.bytes, places.home()).map_err(|problem| ConfigError::Invalid { path, problem })
    }

    /// Reads the text of a configuration file. `home` is what `~` means.
    fn parse(text: &[u8], home: &Path) -> Result<Self, String> {
        let limits = doc::Limits {
            bytes: MAX_BYTES,
            ..doc::Limits::default()
        };
        let placed = |one: &Diagnostic| format!("{}: {}", doc::place(text, one.span.start), one.message);
        let document = Document::json(text, &limits).map_err(|error| placed(&error))?;
        let loaded = config::decode(&document.root);
        if let Some(error) = loaded
            .complaints
            .iter()
            .find(|one| one.severity == Severity::Error)
        {
            let hint = error.hint.as_ref().filter(|_| error.code == config::UNKNOWN_KEY);
            let hint = hint.map(|hint| format!(": {hint}")).unwrap_or_default();
            return Err(format!("{}{hint}", placed(error)));
        }
        let said = loaded.complaints.iter().map(placed);
        let trusted = loaded
            .config
            .tools
            .iter()
            .filter(|(_, tool)| tool.trust.is_some());
        let trusted = trusted.map(|(name, _)| format!("not used by this version: the trust of {name:?}"));
        let warnings = said.chain(trusted).collect();
        Ok(Self::of(loaded.config, home, warnings))
    }

    fn of(set: config::Config, home: &Path, warnings: Vec<String>) -> Self {
        let most = Limits::default();
        let tool = |(name, entry): (String, config::ToolEntry)| Explicit {
            name,
            path: entry.path.map(|path| at_home(&path, home)),
            metadata: entry.metadata.map(|path| at_home(&path, home)),
        };
        Self {
            allow: set.allow,
            deny: set.deny,
            rate_limit: set.rate_limit.map(|limit| RateLimit {
                requests: limit.requests,
                per: limit.per.duration(),
            }),
            roots: set.roots.iter().map(|path| at_home(path, home)).collect(),
            call_timeout: set.timeouts.call.map(Period::duration),
            approval_timeout: set.timeouts.approval.map(Period::duration),
            wait: set.timeouts.wait.map(Period::duration),
            limits: Limits {
                command_length: set.limits.command_length.unwrap_or(most.command_length),
                argument_count: set.limits.argument_count.unwrap_or(most.argument_count),
                argument_length: set.limits.argument_length.unwrap_or(most.argument_length),
            },
            tools: set.tools.into_iter().map(tool).collect(),
            skip: set.skip,
            max_age: set.max_age.map(Period::duration),
            mcp_servers: set.mcp_servers,
            permission_policy: set.permission_policy,
            delegations: set.delegations,
            hosts: set.network.hosts,
            reach: NetworkOverrides {
                resolve: set.network.resolve.into_iter().collect(),
                loopback: if set.network.allow_loopback {
                    Loopback::Allowed
                } else {
                    Loopback::Refused
                },
            },
            redact: set.redact,
            notify: set.notify,
            elicitation: set.elicitation,
            warnings,
        }
    }
}

/// Says what a path of the file means.
fn at_home(path: &str, home: &Path) -> PathBuf {
    match path.strip_prefix("~/") {
        Some(rest) => home.join(rest),
        None => PathBuf::from(path),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse(text.as_bytes(), Path::new("/srv/u"))
    }

    #[test]
    fn every_key_is_read() {
        let config = parse(
            r#"{"allow":["x-argrail","git log"],"deny":["git push"],"rateLimit":{"requests":2,"per":"1m"},
               "roots":["~/src","/data"],"timeouts":{"call":"500ms","approval":"5m","wait":"20s"},"limits":{"argumentCount":10},
               "tools":{"gh":{"path":"~/bin/gh","metadata":"/data/gh.json"}},"skip":["python*"],"maxAge":"P7D",
               "mcpServers":{"files":{"command":"files-mcp"}},"redact":["/authentication"],
               "permissionPolicy":{"deny":{"effects.destructive":true}},
               "delegations":{"helper":{"allowedTools":["gh"]}},"x-colour":1}"#,
        )
        .unwrap();
        assert_eq!(config.allow.unwrap(), ["x-argrail", "git log"]);
        assert_eq!(config.deny, ["git push"]);
        assert_eq!(
            config.rate_limit.unwrap(),
            RateLimit {
                requests: 2,
                per: Duration::from_secs(60)
            }
        );
        assert_eq!(
            config.roots,
            [PathBuf::from("/srv/u/src"), PathBuf::from("/data")]
        );
        assert_eq!(config.call_timeout, Some(Duration::from_millis(500)));
        assert_eq!(config.approval_timeout, Some(Duration::from_secs(300)));
        assert_eq!(config.wait, Some(Duration::from_secs(20)));
        assert_eq!(
            config.limits,
            Limits {
                argument_count: 10,
                ..Limits::default()
            }
        );
        let gh = Explicit {
            name: "gh".to_owned(),
            path: Some("/srv/u/bin/gh".into()),
            metadata: Some("/data/gh.json".into()),
        };
        assert_eq!(config.tools, [gh]);
        assert!(config.skip.iter().any(|glob| glob.matches("python3")));
        assert_eq!(config.max_age, Some(Duration::from_secs(7 * 24 * 3600)));
        assert_eq!(config.mcp_servers.keys().collect::<Vec<_>>(), ["files"]);
        assert_eq!(config.redact, ["/authentication"]);
        assert_eq!(config.permission_policy.unwrap().deny.len(), 1);
        assert_eq!(
            config.delegations["helper"].allowed_tools.as_deref(),
            Some(&["gh".to_owned()][..])
        );
        assert!(config.warnings.is_empty(), "{:?}", config.warnings);
        assert_eq!(parse("{}").unwrap(), Config::default());
        let per_minute = RateLimit {
            requests: 7,
            per: Duration::from_secs(60),
        };
        assert_eq!(parse(r#"{"rateLimit":7}"#).unwrap().rate_limit, Some(per_minute));
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_place() {
        let check = |text: &str, want: &str| {
            let problem = parse(text).unwrap_err();
            assert!(problem.contains(want), "{text}: {problem}");
        };
        check("", "1:1: there is nothing to read");
        check("[]", "expected an object");
        check(
            "{\n \"alow\": []}",
            r#"2:2: unknown key: "alow": did you mean "allow"?"#,
        );
        check(
            r#"{"colour": 1}"#,
            r#"1:2: unknown key: "colour": the keys are tools, "#,
        );
        check(r#"{"deny":[],"deny":[]}"#, "1:12: the name 'deny' stands twice");
        check("{\n \"deny\": 7}", "2:10: deny: expected a list");
        check(r#"{"deny":"git"}"#, "deny: expected a list");
        check(r#"{"allow":[""]}"#, "allow: [0]: expected a command");
        check(
            r#"{"rateLimit":{"requests":0,"per":"1m"}}"#,
            "rateLimit: requests: expected a number from 1",
        );
        check(r#"{"rateLimit":0}"#, "rateLimit: expected a number from 1");
        check(r#"{"rateLimit":{"requests":1}}"#, "rateLimit: expected");
        check(
            r#"{"rateLimit":{"requests":1,"per":"-1m"}}"#,
            "rateLimit: per: expected a time",
        );
        check(
            r#"{"rateLimit":{"requests":1,"per":"1m","burst":3}}"#,
            "unknown key \"burst\"",
        );
        check(r#"{"timeouts":{"call":30}}"#, "timeouts: call: expected a time");
        check(r#"{"roots":["rel"]}"#, "roots: expected an absolute path");
        check(
            r#"{"limits":{"argumentCount":101}}"#,
            "limits: argumentCount: expected 1 to 100",
        );
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
