//! A profile for people: what `why` shows before anything runs.

use std::path::Path;

use argrail_sandbox::policy::{Exec, HostPattern, PathPattern, Policy, Program};
use serde_json::{Value, json};

use super::made::Profile;
use crate::policy::Confinement;

impl Profile {
    /// Returns what the call may touch. No value of a variable is in it.
    pub fn summary(&self) -> Value {
        let home = self.anchors.home();
        let mut shown = summary(&self.policy, self.confinement(), home, &self.names());
        let Value::Object(parts) = &mut shown else {
            return shown;
        };
        let files = self.secrets.iter().map(|pattern| short(pattern.text(), home));
        let variables = self.environment.secrets.keys().cloned();
        let secrets: Vec<String> = files.chain(variables).collect();
        if !secrets.is_empty() {
            parts.insert("secrets".to_owned(), json!(secrets));
        }
        let withheld = self.withheld.iter().map(|one| one.to_json(home));
        let withheld: Vec<Value> = withheld.collect();
        if !withheld.is_empty() {
            parts.insert("withheld".to_owned(), json!(withheld));
        }
        shown
    }

    /// The names of its variables, each once.
    fn names(&self) -> Vec<&str> {
        let policy = &self.policy;
        let set = policy.env_set.keys().map(|name| name.as_str());
        let passed = policy.env_pass.iter().map(|name| name.as_str());
        let fixed = self.environment.fixed.keys().map(String::as_str);
        let secrets = self.environment.secrets.keys().map(String::as_str);
        let mut names: Vec<&str> = set.chain(passed).chain(fixed).chain(secrets).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The same of a policy by itself, with the names of its variables.
pub(crate) fn summary(policy: &Policy, confinement: Confinement, home: &Path, variables: &[&str]) -> Value {
    let paths = |patterns: &[PathPattern]| -> Vec<String> {
        patterns
            .iter()
            .map(|pattern| short(pattern.text(), home))
            .collect()
    };
    let caps = policy.limits.or_defaults();
    json!({
        "confinement": match confinement {
            Confinement::Effects => "effects",
            Confinement::Closed => "closed",
        },
        "read": paths(&policy.read),
        "write": paths(&policy.write),
        "egress": egress(&policy.egress),
        "exec": exec(&policy.exec, home),
        "env": variables,
        "limits": {
            "timeMs": caps.wall.map(|wall| u64::try_from(wall.as_millis()).unwrap_or(u64::MAX)),
            "outputBytes": caps.output,
            "memoryBytes": caps.memory,
            "processes": caps.processes,
        },
    })
}

fn egress(hosts: &[HostPattern]) -> Value {
    if hosts.is_empty() {
        json!("none")
    } else if hosts.iter().any(HostPattern::is_public) {
        json!("public")
    } else {
        json!(hosts.iter().map(HostPattern::as_str).collect::<Vec<_>>())
    }
}

fn exec(exec: &Exec, home: &Path) -> Value {
    match exec {
        Exec::None => json!("none"),
        Exec::Any => json!("any"),
        Exec::List(programs) => {
            let names = programs.iter().map(Program::as_str);
            json!(names.map(|name| short(name, home)).collect::<Vec<_>>())
        }
    }
}

/// A path with `~` for the home.
fn short(path: &str, home: &Path) -> String {
    match Path::new(path).strip_prefix(home) {
        Ok(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Ok(rest) => format!("~/{}", rest.display()),
        Err(_) => path.to_owned(),
    }
}
