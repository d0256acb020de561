//! A compute policy (AIP-36), inline in another manifest or as a file of its own.
//!
//! It is meant for an agent: any program may be started and a loopback is there, but no file outside its
//! mounts exists and no host outside `network.egress` is reached. What cannot be held here is refused, never
//! skipped; what is only advice becomes a note.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::entries::{check_count, entries};
use super::source::Source;
use crate::policy::limits::zero;
use crate::policy::{Anchors, EnvName, Exec, HostPattern, Limits, PathPattern, PatternShape, Policy};
use crate::refusal::{Refusal, refuse};

/// How long a command may run if nothing is said.
const TIMEOUT_MS: u64 = 30_000;

/// The block as it is written. Unknown keys are refused.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "keys that are accepted and have no effect here")]
pub struct Aip36 {
    schema: Option<String>,
    id: Option<String>,
    version: Option<String>,
    name: Option<String>,
    description: Option<String>,
    provider: String,
    config: Config,
    #[serde(default)]
    limits: LimitsBlock,
    #[serde(default)]
    env: Env,
    #[serde(default)]
    network: Network,
    #[serde(default)]
    mounts: Vec<Mount>,
    identity: Option<IgnoredAny>,
    policy: Option<IgnoredAny>,
    lifecycle: Option<IgnoredAny>,
    #[serde(default)]
    read_only: bool,
    metadata: Option<IgnoredAny>,
}

/// The settings of the provider. Which there are depends on it, so they are checked after it.
#[derive(Debug, Clone, Deserialize)]
struct Config {
    cwd: Option<String>,
    shell: Option<IgnoredAny>,
    #[serde(flatten)]
    others: BTreeMap<String, IgnoredAny>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsBlock {
    timeout_ms: Option<u64>,
    memory_mb: Option<u64>,
    cpu_ms: Option<u64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Env {
    #[serde(default)]
    auth: Auth,
    #[serde(default)]
    passthrough: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Auth {
    r#ref: Option<String>,
    #[serde(default)]
    state: State,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    #[serde(default)]
    env: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Network {
    #[serde(default)]
    egress: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mount {
    source: Source,
    at: String,
    #[serde(default)]
    mode: Mode,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    #[default]
    ReadWrite,
    ReadOnly,
}

/// What a block says, beyond what a policy holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aip36Policy {
    /// What may be touched.
    pub policy: Policy,
    /// The folder to start in, if one is named. Absolute.
    pub cwd: Option<PathBuf>,
    /// Variables whose values are secrets, to be fed by whoever keeps them and not from the host's
    /// environment.
    pub secret_env: Vec<EnvName>,
    /// What whoever wrote the block should know.
    pub notes: Vec<String>,
}

impl Aip36 {
    /// Reads the block into a policy.
    ///
    /// # Errors
    /// The first entry that is refused, with its place in the block: `mounts[1].at`, `limits.cpu_ms`.
    pub fn into_policy(self, anchors: &Anchors) -> Result<Aip36Policy, Refusal> {
        self.check_kind()?;
        self.config.check()?;
        let cwd = self
            .config
            .cwd
            .as_deref()
            .map(|text| cwd(text, anchors))
            .transpose()?;
        let mut policy = Policy {
            egress: entries("network.egress", &self.network.egress, HostPattern::parse)?,
            env_pass: entries("env.passthrough", &self.env.passthrough, EnvName::parse)?,
            limits: self.limits.read()?,
            exec: Exec::Any,
            local_network: true,
            ..Policy::closed()
        };
        check_count("mounts", self.mounts.len())?;
        for (index, mount) in self.mounts.iter().enumerate() {
            mount.check(index, anchors)?;
            let tree = PathPattern::tree(anchors.workspace());
            let (list, other) = match mount.mode {
                Mode::ReadOnly => (&mut policy.read, &policy.write),
                Mode::ReadWrite => (&mut policy.write, &policy.read),
            };
            if !list.is_empty() || !other.is_empty() {
                return Err(refuse(
                    &format!("mounts[{index}]"),
                    &mount.at,
                    "the workspace is mounted twice",
                    "keep one of the mounts",
                ));
            }
            list.push(tree);
        }
        let secret_env = entries("env.auth.state.env", &self.env.auth.state.env, EnvName::parse)?;
        Ok(Aip36Policy {
            policy,
            cwd,
            secret_env,
            notes: self.notes(),
        })
    }

    /// Refuses blocks that are not for here.
    fn check_kind(&self) -> Result<(), Refusal> {
        if let Some(schema) = self.schema.as_deref().filter(|schema| *schema != "sandbox/v1") {
            return Err(refuse(
                "schema",
                schema,
                "this is another kind of file",
                "write 'sandbox/v1'",
            ));
        }
        if self.provider != "local" {
            return Err(refuse(
                "provider",
                &self.provider,
                "commands run on this machine only",
                "write 'local'",
            ));
        }
        if self.read_only {
            return Err(refuse(
                "read_only",
                "true",
                "sandbox_read_only: no command may run in this sandbox",
                "leave it out, and make the mounts read-only instead",
            ));
        }
        if self.policy.is_some() {
            return Err(refuse(
                "policy",
                "policy",
                "grants on sandbox actions cannot be enforced here",
                "leave it out, and say what is allowed with mounts, network and limits",
            ));
        }
        Ok(())
    }

    fn notes(&self) -> Vec<String> {
        let given = [
            (
                self.lifecycle.is_some(),
                "lifecycle is advice: every command has a sandbox of its own",
            ),
            (
                self.identity.is_some(),
                "identity has no effect: commands run as the user of the host",
            ),
            (
                self.env.auth.r#ref.is_some(),
                "env.auth.ref is not followed here: only the names in env.auth.state.env count",
            ),
        ];
        let given = given.into_iter().filter(|(given, _)| *given);
        given.map(|(_, note)| note.to_owned()).collect()
    }
}

impl Config {
    fn check(&self) -> Result<(), Refusal> {
        if self.shell.is_some() {
            return Err(refuse(
                "config.shell",
                "shell",
                "commands are never given to a shell",
                "leave it out; a program that needs a shell can start one itself",
            ));
        }
        match self.others.keys().next() {
            Some(key) => Err(refuse(
                "config",
                key,
                "the provider 'local' has no such setting",
                "leave it out; it has 'cwd'",
            )),
            None => Ok(()),
        }
    }
}

impl LimitsBlock {
    fn read(&self) -> Result<Limits, Refusal> {
        let fields = [
            ("limits.timeout_ms", self.timeout_ms),
            ("limits.memory_mb", self.memory_mb),
            ("limits.cpu_ms", self.cpu_ms),
        ];
        if let Some((field, _)) = fields.into_iter().find(|(_, value)| *value == Some(0)) {
            return Err(zero(field));
        }
        let bytes = |mb: u64| {
            mb.checked_mul(1024 * 1024).ok_or_else(|| {
                let reason = "no machine has that much memory";
                refuse(
                    "limits.memory_mb",
                    &mb.to_string(),
                    reason,
                    "give a number of mebibytes",
                )
            })
        };
        Ok(Limits {
            wall: Some(Duration::from_millis(self.timeout_ms.unwrap_or(TIMEOUT_MS))),
            memory: self.memory_mb.map(bytes).transpose()?,
            cpu: self.cpu_ms.map(Duration::from_millis),
            ..Limits::default()
        })
    }
}

impl Mount {
    fn check(&self, index: usize, anchors: &Anchors) -> Result<(), Refusal> {
        if self.source != Source::Workspace {
            return Err(refuse(
                &format!("mounts[{index}].source"),
                self.source.as_str(),
                "sandbox_ref_unresolvable: storage other than the workspace cannot be found from here",
                "write 'workspace'",
            ));
        }
        if Path::new(&self.at) != anchors.workspace() {
            return Err(refuse(
                &format!("mounts[{index}].at"),
                &self.at,
                "a mount appears where it is, not at another path",
                format!("write \"{}\"", anchors.workspace().display()),
            ));
        }
        Ok(())
    }
}

/// Reads the folder to start in, by the rules of patterns.
fn cwd(text: &str, anchors: &Anchors) -> Result<PathBuf, Refusal> {
    if matches!(text, "." | "./") {
        return Ok(anchors.workspace().to_owned());
    }
    match PathPattern::parse("config.cwd", text, anchors)?.shape() {
        PatternShape::Exact(path) => Ok(path),
        PatternShape::Tree(_) | PatternShape::Glob { .. } => Err(refuse(
            "config.cwd",
            text,
            "a command starts in one folder",
            "write a path without '*' and the like",
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn with(changes: Value) -> Value {
        let mut block = json!({ "provider": "local", "config": {} });
        let changes = changes.as_object().unwrap().clone();
        block.as_object_mut().unwrap().extend(changes);
        block
    }

    fn read(changes: Value) -> Result<Aip36Policy, Refusal> {
        let anchors = Anchors::new("/h", "/w").unwrap();
        serde_json::from_value::<Aip36>(with(changes))
            .unwrap()
            .into_policy(&anchors)
    }

    #[test]
    fn the_least_block_is_an_agent_without_files() {
        let least = read(json!({})).unwrap();
        let wall = Limits {
            wall: Some(Duration::from_secs(30)),
            ..Limits::default()
        };
        let policy = Policy::closed().exec(Exec::Any).local_network().limits(wall);
        assert_eq!((least.policy, least.cwd, least.notes.len()), (policy, None, 0));
    }

    #[test]
    fn the_block_becomes_a_policy() {
        let read = read(json!({
            "schema": "sandbox/v1", "id": "@a/b", "version": "1.0.0", "name": "n", "description": "d",
            "config": { "cwd": "sub" },
            "limits": { "timeout_ms": 5, "memory_mb": 2, "cpu_ms": 7 },
            "env": { "auth": { "ref": "x", "state": { "env": ["TOKEN"] } }, "passthrough": ["LANG"] },
            "network": { "egress": ["example.org"] },
            "mounts": [{ "source": "workspace", "at": "/w/" }],
            "identity": { "ref": "x" }, "lifecycle": { "destroy_on": "x" }, "read_only": false,
            "metadata": { "any": [1] },
        }))
        .unwrap();
        assert_eq!(read.cwd.as_deref(), Some(Path::new("/w/sub")));
        assert_eq!(read.secret_env, [EnvName::parse("env", "TOKEN").unwrap()]);
        assert_eq!(read.policy.env_pass, [EnvName::parse("env", "LANG").unwrap()]);
        assert_eq!(read.policy.write, [PathPattern::tree(Path::new("/w"))]);
        assert_eq!(read.policy.limits.memory, Some(2 * 1024 * 1024));
        assert_eq!(read.policy.limits.cpu, Some(Duration::from_millis(7)));
        assert_eq!(read.notes.len(), 3);
    }

    #[test]
    fn a_read_only_mount_is_read() {
        let mounts = json!([{ "source": "workspace", "at": "/w", "mode": "read-only" }]);
        let policy = read(json!({ "mounts": mounts })).unwrap().policy;
        assert_eq!((policy.read.len(), policy.write.len()), (1, 0));
    }

    #[test]
    fn what_cannot_be_held_is_refused() {
        fn check(changes: Value, field: &str, reason: &str) {
            let refusal = read(changes).unwrap_err();
            assert_eq!(refusal.field, field);
            assert!(refusal.reason.contains(reason), "{refusal}");
        }
        let mount = |source: Value, at: &str| json!({ "mounts": [{ "source": source, "at": at }] });
        check(json!({ "schema": "sandbox/v2" }), "schema", "another kind");
        check(
            json!({ "provider": "mastra-e2b", "config": { "template": 1 } }),
            "provider",
            "this machine",
        );
        check(
            json!({ "provider": "node-permission" }),
            "provider",
            "this machine",
        );
        check(
            json!({ "config": { "shell": "/bin/sh" } }),
            "config.shell",
            "shell",
        );
        check(json!({ "config": { "image": "x" } }), "config", "no such setting");
        check(json!({ "config": { "cwd": "../x" } }), "config.cwd", "'..'");
        check(json!({ "config": { "cwd": "*" } }), "config.cwd", "one folder");
        check(json!({ "read_only": true }), "read_only", "sandbox_read_only");
        check(
            json!({ "policy": { "ref": "x" } }),
            "policy",
            "cannot be enforced",
        );
        check(
            json!({ "limits": { "timeout_ms": 0 } }),
            "limits.timeout_ms",
            "nothing can run",
        );
        check(
            json!({ "limits": { "memory_mb": u64::MAX } }),
            "limits.memory_mb",
            "memory",
        );
        check(
            json!({ "env": { "passthrough": ["A", "LD_PRELOAD"] } }),
            "env.passthrough[1]",
            "load code",
        );
        check(
            json!({ "env": { "auth": { "state": { "env": ["x y"] } } } }),
            "env.auth.state.env[0]",
            "name",
        );
        check(
            json!({ "network": { "egress": ["*"] } }),
            "network.egress[0]",
            "'*'",
        );
        check(
            mount(json!({ "ref": "x" }), "/w"),
            "mounts[0].source",
            "sandbox_ref_unresolvable",
        );
        check(
            mount(json!("workspace"), "/elsewhere"),
            "mounts[0].at",
            "where it is",
        );
        check(
            mount(json!("workspace"), "/w/../w"),
            "mounts[0].at",
            "where it is",
        );
        let twice = json!({ "source": "workspace", "at": "/w" });
        check(json!({ "mounts": [twice, twice] }), "mounts[1]", "twice");
    }

    #[test]
    fn the_block_is_closed() {
        fn check(changes: Value, message: &str) {
            let error = serde_json::from_value::<Aip36>(with(changes))
                .unwrap_err()
                .to_string();
            assert!(error.contains(message), "{error}");
        }
        check(json!({ "extra": 1 }), "unknown field `extra`");
        check(json!({ "limits": { "disk_mb": 1 } }), "unknown field `disk_mb`");
        check(json!({ "limits": { "cpu_ms": -1 } }), "invalid value");
        check(json!({ "env": { "set": {} } }), "unknown field `set`");
        check(
            json!({ "mounts": [{ "source": "workspace" }] }),
            "missing field `at`",
        );
        check(
            json!({ "mounts": [{ "source": "host", "at": "/" }] }),
            "unknown variant `host`",
        );
        check(
            json!({ "mounts": [{ "source": "workspace", "at": "/", "mode": "rw" }] }),
            "unknown variant `rw`",
        );
        check(json!({ "config": 1 }), "expected struct Config");
        let error = serde_json::from_value::<Aip36>(json!({ "provider": "local" })).unwrap_err();
        assert!(error.to_string().contains("missing field `config`"));
    }
}
