//! `x-argrail doctor`: what the kernel offers for confinement. Facts as found, nothing is tried.

use std::path::Path;

use argrail_acli::Command;
use serde_json::{Value, json};

pub(super) fn command() -> Command {
    Command::new("doctor", "What this machine offers to confine programs")
        .example("x-argrail doctor")
        .output_schema(json!({
            "type": "object",
            "properties": {
                "platform": {"type": "string"},
                "kernel": {"type": ["string", "null"]},
                "features": {"type": "object", "additionalProperties": {"type": ["boolean", "null"]}},
            },
        }))
        .handler(|_| async move { Ok(facts(Path::new("/"))) })
}

/// Reads the facts below `root`. `null` means that the kernel does not tell.
fn facts(root: &Path) -> Value {
    let read = |path: &str| std::fs::read_to_string(root.join(path)).ok();
    let kernel = read("proc/sys/kernel/osrelease").map(|text| text.trim().to_owned());
    let namespaces =
        read("proc/sys/user/max_user_namespaces").and_then(|text| text.trim().parse::<u64>().ok());
    let modules = read("sys/kernel/security/lsm");
    let landlock = modules.map(|list| list.trim().split(',').any(|module| module == "landlock"));
    let seccomp =
        read("proc/self/status").map(|status| status.lines().any(|line| line.starts_with("Seccomp:")));
    json!({
        "platform": std::env::consts::OS,
        "kernel": kernel,
        "features": {
            "userNamespaces": namespaces.map(|most| most > 0),
            "landlock": landlock,
            "seccomp": seccomp,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_does_not_tell_is_null() {
        let empty = facts(Path::new("/nowhere-at-all"));
        assert_eq!(empty["kernel"], Value::Null);
        assert_eq!(empty["features"]["landlock"], Value::Null);
        let here = facts(Path::new("/"));
        assert_eq!(here["platform"], "linux");
        assert_eq!(here["features"]["seccomp"], true);
    }
}
