//! The `sandbox` block of a CLI manifest (AIP-29, Sandbox).
//!
//! `exec.allow: false` beats `exec.spawn`. With `allow: true` the list is all that may be started, so without
//! one the child may fork and start nothing: a missing list is never a list of everything.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::entries::{check_count, entries};
use crate::policy::{Anchors, EnvName, Exec, HostPattern, Ingress, PathPattern, Policy, Program};
use crate::refusal::{Refusal, refuse};

/// Bytes in the value of a variable. The kernel takes 128 KiB, name included.
const MAX_VALUE_BYTES: usize = 32 * 1024;

/// The block as it is written. Unknown keys are refused, at every level.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aip29 {
    network: Network,
    fs: Fs,
    exec: ExecBlock,
    env: Env,
    #[serde(default)]
    tty: Tty,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Network {
    #[serde(default)]
    egress: Vec<String>,
    #[serde(default)]
    ingress: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fs {
    #[serde(default)]
    read: Vec<String>,
    #[serde(default)]
    write: Vec<String>,
    #[serde(default)]
    deny: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExecBlock {
    allow: bool,
    #[serde(default)]
    spawn: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Env {
    #[serde(default)]
    pass: Vec<String>,
    #[serde(default)]
    set: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tty {
    #[serde(default)]
    required: bool,
}

impl Aip29 {
    /// Reads the block into a policy.
    ///
    /// # Errors
    /// The first entry that is refused, with its place in the block: `fs.read[2]`, `env.set.LD_PRELOAD`.
    pub fn into_policy(self, anchors: &Anchors) -> Result<Policy, Refusal> {
        let paths = |field: &str, texts: &[String]| {
            entries(field, texts, |field, text| {
                PathPattern::parse(field, text, anchors)
            })
        };
        let mut policy = Policy {
            egress: entries("network.egress", &self.network.egress, HostPattern::parse)?,
            ingress: entries("network.ingress", &self.network.ingress, Ingress::parse)?,
            read: paths("fs.read", &self.fs.read)?,
            write: paths("fs.write", &self.fs.write)?,
            deny: paths("fs.deny", &self.fs.deny)?,
            env_pass: entries("env.pass", &self.env.pass, EnvName::parse)?,
            env_set: settings(self.env.set)?,
            tty: self.tty.required,
            ..Policy::closed()
        };
        let spawn = entries("exec.spawn", &self.exec.spawn, Program::parse)?;
        match (self.exec.allow, spawn.is_empty()) {
            (true, false) => policy.exec = Exec::List(spawn),
            (true, true) => {
                policy.exec = Exec::List(spawn);
                policy.notes.push(
                    "exec.allow is true and exec.spawn is empty: the program may fork but start nothing; \
                     list in exec.spawn what it may start"
                        .to_owned(),
                );
            }
            (false, false) => policy.notes.push(
                "exec.allow is false: exec.spawn is ignored; set exec.allow to true if the list is meant"
                    .to_owned(),
            ),
            (false, true) => {}
        }
        Ok(policy)
    }
}

fn settings(set: BTreeMap<String, String>) -> Result<BTreeMap<EnvName, String>, Refusal> {
    check_count("env.set", set.len())?;
    set.into_iter()
        .map(|(name, value)| {
            let field = field(&name);
            let name = EnvName::parse_set(&field, &name)?;
            if value.contains('\0') {
                return Err(refuse(
                    &field,
                    &value,
                    "the value holds a NUL character",
                    "remove it",
                ));
            }
            if value.len() > MAX_VALUE_BYTES {
                let reason = format!("the value is longer than {MAX_VALUE_BYTES} bytes");
                return Err(refuse(
                    &field,
                    &value,
                    reason,
                    "put it into a file that the program may read",
                ));
            }
            Ok((name, value))
        })
        .collect()
}

/// Returns the place of a variable, without the name if that is no place.
fn field(name: &str) -> String {
    if name.len() <= 64
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    {
        format!("env.set.{name}")
    } else {
        "env.set".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn block() -> Value {
        json!({
            "network": { "egress": ["api.github.com", "*.githubusercontent.com"], "ingress": [] },
            "fs": { "read": ["**/.git/**"], "write": ["~/.config/gh/**"], "deny": ["~/.ssh/**", "/etc/**"] },
            "exec": { "allow": true, "spawn": ["git"] },
            "env": { "pass": ["GH_TOKEN", "HOME"], "set": { "GH_PROMPT_DISABLED": "1" } },
            "tty": { "required": true },
        })
    }

    fn with(pointer: &str, value: Value) -> Value {
        let mut block = block();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = block.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        parent.insert(key.to_owned(), value);
        block
    }

    fn read(block: Value) -> Result<Policy, Refusal> {
        let anchors = Anchors::new("/h", "/w").unwrap();
        serde_json::from_value::<Aip29>(block)
            .unwrap()
            .into_policy(&anchors)
    }

    #[test]
    fn the_block_becomes_a_policy() {
        let policy = read(block()).unwrap();
        assert_eq!(policy.egress.len(), 2);
        assert_eq!(
            policy.deny.iter().map(PathPattern::text).collect::<Vec<_>>(),
            ["~/.ssh/**", "/etc/**"]
        );
        assert_eq!(
            policy.exec,
            Exec::List(vec![Program::parse("exec", "git").unwrap()])
        );
        assert_eq!((policy.env_pass.len(), policy.env_set.len()), (2, 1));
        assert!(policy.tty && !policy.local_network && policy.notes.is_empty());
        let least = json!({ "network": {}, "fs": {}, "exec": { "allow": false }, "env": {} });
        assert_eq!(read(least), Ok(Policy::closed()));
    }

    #[test]
    fn the_block_is_closed() {
        fn check(block: Value, message: &str) {
            let error = serde_json::from_value::<Aip29>(block).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        check(with("/extra", json!(1)), "unknown field `extra`");
        check(with("/network/cidr", json!([])), "unknown field `cidr`");
        check(with("/fs/exec", json!([])), "unknown field `exec`");
        check(with("/exec/any", json!(true)), "unknown field `any`");
        check(with("/env/inherit", json!(true)), "unknown field `inherit`");
        check(with("/tty/size", json!(1)), "unknown field `size`");
        check(with("/exec", json!({})), "missing field `allow`");
        check(with("/exec/allow", json!("yes")), "expected a boolean");
        check(with("/fs/read", json!("**")), "expected a sequence");
        check(with("/env/set", json!({ "A": 1 })), "expected a string");
        for field in ["network", "fs", "exec", "env"] {
            let mut block = block();
            block.as_object_mut().unwrap().remove(field);
            check(block, &format!("missing field `{field}`"));
        }
    }

    #[test]
    fn refusals_name_their_place() {
        fn check(pointer: &str, value: Value, field: &str, reason: &str) {
            let refusal = read(with(pointer, value)).unwrap_err();
            assert_eq!(refusal.field, field);
            assert!(refusal.reason.contains(reason), "{refusal}");
        }
        check("/fs/read", json!(["a", "b", "../c"]), "fs.read[2]", "'..'");
        check("/fs/write", json!(["~root/x"]), "fs.write[0]", "home");
        check("/fs/deny", json!(["a", ""]), "fs.deny[1]", "empty");
        check("/network/egress", json!(["*"]), "network.egress[0]", "'*'");
        check(
            "/network/ingress",
            json!(["http://evil.org:1"]),
            "network.ingress[0]",
            "machine",
        );
        check("/exec/spawn", json!(["git", "./x"]), "exec.spawn[1]", "relative");
        check("/env/pass", json!(["LD_PRELOAD"]), "env.pass[0]", "load code");
        check(
            "/env/set",
            json!({ "LD_PRELOAD": "x" }),
            "env.set.LD_PRELOAD",
            "load code",
        );
        check("/env/set", json!({ "A\n": "x" }), "env.set", "not the name");
        check("/env/set", json!({ "A": "\0" }), "env.set.A", "NUL");
        check(
            "/env/set",
            json!({ "A": "x".repeat(40_000) }),
            "env.set.A",
            "longer than",
        );
        check("/fs/read", json!(vec!["a"; 1025]), "fs.read", "longer than 1024");
    }

    #[test]
    fn allow_decides_and_the_list_is_never_everything() {
        fn check(allow: bool, spawn: Value, exec: Exec, notes: &[&str]) {
            let policy = read(with("/exec", json!({ "allow": allow, "spawn": spawn }))).unwrap();
            assert_eq!(policy.exec, exec);
            assert_eq!(policy.notes.len(), notes.len());
            assert!(
                policy
                    .notes
                    .iter()
                    .zip(notes)
                    .all(|(note, start)| note.starts_with(start))
            );
        }
        check(
            false,
            json!(["git"]),
            Exec::None,
            &["exec.allow is false: exec.spawn is ignored"],
        );
        check(false, json!([]), Exec::None, &[]);
        check(
            true,
            json!([]),
            Exec::List(vec![]),
            &["exec.allow is true and exec.spawn is empty"],
        );
        assert!(read(with("/exec", json!({ "allow": false, "spawn": ["./x"] }))).is_err());
    }
}
