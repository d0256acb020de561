//! From a document to settings: every key by itself, so that all mistakes of a file are told at once.

use std::time::Duration;

use argrail_acli::{Limits, nearest};
use schemars::{Schema, SchemaGenerator, json_schema};

use super::glob::Glob;
use super::model::{CallLimits, Config, Network, RateLimit, Timeouts};
use super::notify::notify;
use super::period::Period;
use super::reader::{Wrong, closed, field, items, members, number, path, text, truth};
use super::server::server;
use super::tools::tools;
use crate::atip::{decode_delegation, decode_permission_policy, host_pattern};
use crate::doc::fields::Quoted;
use crate::doc::{Diagnostic, Member, Node, Object, Severity};

/// Every key there is.
pub const KEYS: [&str; 16] = [
    "tools",
    "skip",
    "maxAge",
    "mcpServers",
    "roots",
    "allow",
    "deny",
    "rateLimit",
    "permissionPolicy",
    "delegations",
    "network",
    "redact",
    "timeouts",
    "limits",
    "notify",
    "elicitation",
];

const WRONG: &str = "config/key";
/// The code of a key that nobody knows.
pub const UNKNOWN_KEY: &str = "config/unknown-key";

/// What was understood, and what is wrong. With an error among the complaints, the settings must not be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// What was understood.
    pub config: Config,
    /// What was not, in the order of the keys above, then of the text.
    pub complaints: Vec<Diagnostic>,
}

/// Reads the settings from a document.
pub fn decode(root: &Node) -> Loaded {
    let Some(object) = root.as_object() else {
        let wrong = Wrong::expected(root, "an object");
        return Loaded {
            config: Config::default(),
            complaints: vec![complaint(wrong)],
        };
    };
    let mut keys = Keys {
        object,
        complaints: Vec::new(),
    };
    let config = Config {
        allow: keys.read("allow", commands),
        deny: keys.read("deny", commands).unwrap_or_default(),
        rate_limit: keys.read("rateLimit", rate_limit),
        roots: keys.read("roots", roots).unwrap_or_default(),
        timeouts: keys.read("timeouts", timeouts).unwrap_or_default(),
        limits: keys.read("limits", limits).unwrap_or_default(),
        tools: keys.read("tools", tools).unwrap_or_default(),
        skip: keys.read("skip", skip).unwrap_or_default(),
        max_age: keys.read("maxAge", period),
        mcp_servers: keys
            .read("mcpServers", |node| members(node, "servers by name", server))
            .unwrap_or_default()
            .into_iter()
            .collect(),
        permission_policy: keys.foreign("permissionPolicy", decode_permission_policy),
        delegations: keys.delegations().into_iter().collect(),
        network: keys.read("network", network).unwrap_or_default(),
        redact: keys
            .read("redact", |node| items(node, POINTERS, pointer))
            .unwrap_or_default(),
        notify: keys.read("notify", notify),
        elicitation: keys.read("elicitation", truth),
    };
    keys.unknown();
    Loaded {
        config,
        complaints: keys.complaints,
    }
}

/// The keys of the file, and what is wrong with them.
struct Keys<'a> {
    object: &'a Object,
    complaints: Vec<Diagnostic>,
}

impl<'a> Keys<'a> {
    fn read<T>(&mut self, key: &str, read: impl FnOnce(&'a Node) -> Result<T, Wrong>) -> Option<T> {
        match read(self.object.get(key)?) {
            Ok(value) => Some(value),
            Err(wrong) => {
                self.complaints.push(complaint(wrong.within(key)));
                None
            }
        }
    }

    /// Reads an object that has its own decoder and its own codes.
    fn foreign<T>(&mut self, key: &str, read: impl FnOnce(&Node) -> Result<T, Vec<Diagnostic>>) -> Option<T> {
        let read = read(self.object.get(key)?);
        self.keep(key, read)
    }

    fn keep<T>(&mut self, owner: &str, read: Result<T, Vec<Diagnostic>>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(list) => {
                self.complaints.extend(list.into_iter().map(|one| Diagnostic {
                    message: format!("{owner}: {}", one.message),
                    hint: one.hint.or_else(|| Some(HINT.to_owned())),
                    ..one
                }));
                None
            }
        }
    }

    fn delegations(&mut self) -> Vec<(String, crate::atip::Delegation)> {
        let Some(node) = self.object.get("delegations") else {
            return Vec::new();
        };
        let Some(object) = node.as_object() else {
            let wrong = Wrong::expected(node, "delegations by name");
            self.complaints.push(complaint(wrong.within("delegations")));
            return Vec::new();
        };
        let one = |member: &Member| {
            let owner = format!("delegations: {}", Quoted(&member.key));
            let delegation = self.keep(&owner, decode_delegation(&member.node))?;
            Some((member.key.clone(), delegation))
        };
        object.members.iter().filter_map(one).collect()
    }

    fn unknown(&mut self) {
        for member in &self.object.members {
            let key = member.key.as_str();
            if KEYS.contains(&key) || key.starts_with("x-") || key.starts_with(['_', '$']) {
                continue;
            }
            let message = format!("unknown key: {}", Quoted(key));
            let hint = match nearest(key, KEYS) {
                Some(known) => format!("did you mean {known:?}?"),
                None => format!("the keys are {}", KEYS.join(", ")),
            };
            // A rule that is misspelt is a rule that does not hold: `alow` would let everything be called.
            let error = Diagnostic::new(Severity::Error, UNKNOWN_KEY, member.key_span, message);
            self.complaints.push(error.hint(hint));
        }
    }
}

const HINT: &str = "docs/guide.md shows every key with an example";
const POINTERS: &str = "a list of JSON pointers, such as [\"/authentication\"]";

fn complaint(wrong: Wrong) -> Diagnostic {
    Diagnostic::new(Severity::Error, WRONG, wrong.span, wrong.message).hint(HINT)
}

fn commands(node: &Node) -> Result<Vec<String>, Wrong> {
    items(node, "a list of commands, such as [\"git push\"]", |item| {
        text(item, "a command, such as \"git push\"")
    })
}

fn roots(node: &Node) -> Result<Vec<String>, Wrong> {
    let list = node
        .as_array()
        .ok_or_else(|| Wrong::expected(node, "a list of paths"))?;
    list.iter().map(path).collect()
}

/// `{"requests": 60, "per": "1m"}`, or just the number of requests a minute.
fn rate_limit(node: &Node) -> Result<RateLimit, Wrong> {
    const WHAT: &str = "{\"requests\": 60, \"per\": \"1m\"}";
    if let crate::doc::Value::Number(_) = node.value {
        let minute = Period::new(Duration::from_secs(60)).ok_or_else(|| Wrong::expected(node, WHAT))?;
        return Ok(RateLimit {
            requests: requests(node)?,
            per: minute,
        });
    }
    closed(node, &["requests", "per"], |object| {
        let requests = field(object, "requests", requests)?;
        let per = field(object, "per", period)?;
        let (requests, per) = requests.zip(per).ok_or_else(|| Wrong::expected(node, WHAT))?;
        Ok(RateLimit { requests, per })
    })
}

/// Returns the schema of both forms.
pub(super) fn rate_limit_schema(generator: &mut SchemaGenerator) -> Schema {
    let whole = generator.subschema_for::<RateLimit>();
    json_schema!({
        "description": "How often one caller may ask; a number is so many requests a minute",
        "oneOf": [{"type": "integer", "minimum": 1, "maximum": u32::MAX}, whole],
    })
}

fn requests(node: &Node) -> Result<u32, Wrong> {
    let number = number(node)
        .and_then(|number| u32::try_from(number).ok())
        .filter(|number| *number > 0);
    number.ok_or_else(|| Wrong::expected(node, "a number from 1 on"))
}

fn network(node: &Node) -> Result<Network, Wrong> {
    let address = |member: &Member| {
        const WHAT: &str = "an address such as 127.0.0.1";
        let text = text(&member.node, WHAT)?;
        text.parse().map_err(|_| Wrong::expected(&member.node, WHAT))
    };
    let host = |node: &Node| {
        const WHAT: &str = "a host such as api.example.org, *.example.org or s3://bucket";
        host_pattern(&text(node, WHAT)?).ok_or_else(|| Wrong::expected(node, WHAT))
    };
    closed(node, &["resolve", "allowLoopback", "hosts"], |object| {
        let resolve = field(object, "resolve", |node| {
            members(node, "addresses by name", address)
        })?;
        Ok(Network {
            resolve: resolve.unwrap_or_default().into_iter().collect(),
            allow_loopback: field(object, "allowLoopback", truth)?.unwrap_or_default(),
            hosts: field(object, "hosts", |node| items(node, "a list of hosts", host))?.unwrap_or_default(),
        })
    })
}

fn timeouts(node: &Node) -> Result<Timeouts, Wrong> {
    closed(node, &["call", "approval", "wait"], |object| {
        Ok(Timeouts {
            call: field(object, "call", period)?,
            approval: field(object, "approval", period)?,
            wait: field(object, "wait", period)?,
        })
    })
}

fn period(node: &Node) -> Result<Period, Wrong> {
    let period = node.as_str().and_then(|text| text.parse().ok());
    period.ok_or_else(|| Wrong::expected(node, "a time such as \"30s\", \"1m\" or \"7d\""))
}

fn limits(node: &Node) -> Result<CallLimits, Wrong> {
    let most = Limits::default();
    let lower = |most: usize| {
        move |node: &Node| {
            let number = number(node).and_then(|number| usize::try_from(number).ok());
            number
                .filter(|number| (1..=most).contains(number))
                .ok_or_else(|| Wrong::expected(node, &format!("1 to {most}")))
        }
    };
    closed(
        node,
        &["commandLength", "argumentCount", "argumentLength"],
        |object| {
            Ok(CallLimits {
                command_length: field(object, "commandLength", lower(most.command_length))?,
                argument_count: field(object, "argumentCount", lower(most.argument_count))?,
                argument_length: field(object, "argumentLength", lower(most.argument_length))?,
            })
        },
    )
}

fn skip(node: &Node) -> Result<Vec<Glob>, Wrong> {
    items(node, "a list of names, such as [\"python*\"]", |item| {
        let glob = item.as_str().and_then(Glob::new);
        glob.ok_or_else(|| Wrong::expected(item, "a name, with * and ? for what varies"))
    })
}

/// A JSON pointer: nothing, or parts that each begin with `/`, in which `~` is written `~0` and `/` is written `~1`.
fn pointer(node: &Node) -> Result<String, Wrong> {
    let well_made = |pointer: &&str| {
        let escapes = pointer
            .split('~')
            .skip(1)
            .all(|rest| rest.starts_with(['0', '1']));
        pointer.starts_with('/') && escapes
    };
    let pointer = node.as_str().filter(well_made);
    pointer
        .map(str::to_owned)
        .ok_or_else(|| Wrong::expected(node, "a JSON pointer, such as \"/authentication\""))
}
