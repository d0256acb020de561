//! What a bundle may touch: what its commands are known to need, and nothing that nobody said.

use std::collections::BTreeSet;

use argrail_sandbox::policy::{EnvName, HostPattern, PathPattern, Program};
use serde_json::{Map, Value, json};

use super::effects::class;
use crate::atip::{Effects, Leaf, Metadata, claim};
use crate::help::Class;
use crate::sandbox_block::{sketch, starts_anything};

/// What the commands of a program need, together.
#[derive(Debug, Default)]
pub(super) struct Needs {
    pub(super) hosts: BTreeSet<String>,
    pub(super) reads: BTreeSet<String>,
    pub(super) writes: bool,
    pub(super) spawn: BTreeSet<String>,
    pub(super) pass: BTreeSet<String>,
    pub(super) set: Map<String, Value>,
    /// Programs that start whatever they are told to, which are not granted by themselves.
    pub(super) starters: BTreeSet<String>,
    /// Whether some command talks to hosts that nobody named.
    pub(super) unknown_hosts: bool,
    /// Whether some command starts programs that nobody named.
    pub(super) unknown_programs: bool,
}

impl Needs {
    /// Adds up what the commands need.
    pub(super) fn of(bin: &str, metadata: Option<&Metadata>, leaves: &[Leaf<'_>]) -> Self {
        let mut needs = Self::default();
        for leaf in leaves {
            needs.add(bin, leaf);
        }
        if leaves.is_empty() {
            // Nothing is known: it may work in the folder that it is called in.
            needs.writes = true;
        }
        if let Some(metadata) = metadata {
            needs.variables(metadata);
        }
        needs
    }

    fn add(&mut self, bin: &str, leaf: &Leaf<'_>) {
        let effects = &leaf.effects;
        if effects.network == Some(true) {
            let before = self.hosts.len();
            let hosts = texts(effects, "x-egress");
            let known = hosts.filter(|host| HostPattern::parse("egress", host).is_ok());
            self.hosts.extend(known.map(str::to_owned));
            self.unknown_hosts |= self.hosts.len() == before && self.hosts.is_empty();
        }
        let anchors = sketch().ok();
        for path in texts(effects, "x-reads").chain(texts(effects, "x-secrets")) {
            let path = match path.strip_suffix('/') {
                Some(folder) => format!("{folder}/**"),
                None => path.to_owned(),
            };
            let fits = anchors
                .as_ref()
                .is_some_and(|anchors| PathPattern::parse("read", &path, anchors).is_ok());
            if fits {
                self.reads.insert(path);
            }
        }
        let says = |key: &str| claim(effects, key) == Some(true);
        self.writes |= says("filesystem.write") || says("filesystem.delete") || class(leaf) == Class::Unknown;
        if effects.subprocess == Some(true) || effects.extra.contains_key("x-exec") {
            let fits = |name: &&str| Program::parse("spawn", name).is_ok() && !name.contains('/');
            let named: Vec<&str> = texts(effects, "x-exec").filter(fits).collect();
            self.unknown_programs |= named.is_empty();
            for name in std::iter::once(bin).chain(named) {
                let list = match starts_anything(name) {
                    true => &mut self.starters,
                    false => &mut self.spawn,
                };
                list.insert(name.to_owned());
            }
        }
    }

    fn variables(&mut self, metadata: &Metadata) {
        let methods = metadata.authentication.iter().flat_map(|auth| &auth.methods);
        for name in methods.filter_map(|method| method.env_var.as_deref()) {
            if EnvName::parse("pass", name).is_ok() {
                self.pass.insert(name.to_owned());
            }
        }
        let set = metadata.extra.get("x-env").and_then(Value::as_object);
        for (name, value) in set.into_iter().flatten() {
            if EnvName::parse_set("set", name).is_ok() && value.is_string() {
                self.set.insert(name.clone(), value.clone());
            }
        }
    }

    /// Returns the `sandbox` block.
    pub(super) fn block(&self) -> Value {
        let read: Vec<&str> = std::iter::once("**")
            .chain(self.reads.iter().map(String::as_str))
            .collect();
        let write: &[&str] = if self.writes { &["**"] } else { &[] };
        let exec = match self.spawn.is_empty() {
            true => json!({"allow": false}),
            false => json!({"allow": true, "spawn": self.spawn}),
        };
        let mut env = json!({"pass": self.pass});
        if let (Some(env), false) = (env.as_object_mut(), self.set.is_empty()) {
            env.insert("set".to_owned(), Value::Object(self.set.clone()));
        }
        json!({
            "network": {"egress": self.hosts},
            "fs": {"read": read, "write": write, "deny": ["~/.ssh/**"]},
            "exec": exec,
            "env": env,
        })
    }

    /// Returns what a command does not need of it, if anything.
    pub(super) fn narrowed(&self, leaf: &Leaf<'_>) -> Option<Value> {
        let effects = &leaf.effects;
        let mut out = Map::new();
        if effects.network == Some(false) && !self.hosts.is_empty() {
            out.insert("network".to_owned(), json!({"egress": []}));
        }
        let writes = |key| claim(effects, key) != Some(false);
        if self.writes && class(leaf) == Class::Read && !writes("filesystem.write") {
            out.insert("fs".to_owned(), json!({"write": []}));
        }
        let starts = effects.subprocess != Some(false) || effects.extra.contains_key("x-exec");
        if !starts && !self.spawn.is_empty() {
            out.insert("exec".to_owned(), json!({"allow": false}));
        }
        (!out.is_empty()).then_some(Value::Object(out))
    }
}

/// The texts of a list in effects.
fn texts<'a>(effects: &'a Effects, key: &str) -> impl Iterator<Item = &'a str> {
    let list = effects.extra.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}
