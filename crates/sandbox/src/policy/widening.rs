//! Whether one policy stays within another: a tool may narrow its bundle's policy, never widen it (AIP-29,
//! Inheritance).

use super::path::ComparisonBudget;
use super::{EnvName, HostPattern, Ingress, PathPattern, Policy};

/// The first entry of a policy that is more than its parent has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {value:?} {reason}")]
pub struct Widening {
    /// The part of the policy: `fs.write[1]`, `limits.memory`.
    pub field: String,
    /// What stands there, or what is missing there.
    pub value: String,
    /// Why that is more. Our own words.
    pub reason: String,
}

impl Widening {
    fn new(field: impl Into<String>, value: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            value: value.into(),
            reason: reason.into(),
        }
    }

    /// Returns what to change.
    pub fn fix(&self) -> String {
        match self.field.as_str() {
            "fs.deny" => format!("add \"{}\" to fs.deny", self.value),
            field => format!("narrow {field}, or widen the parent's policy"),
        }
    }
}

impl Policy {
    /// Checks that nothing is granted here that `parent` does not grant.
    ///
    /// A path that may be read there or written there may be read here. What the parent denies must be denied
    /// here too, by a pattern that covers it. Variables may be set freely: their values stand in the policy.
    ///
    /// # Errors
    /// The first entry that cannot be shown to be within the parent's.
    pub fn is_within(&self, parent: &Self) -> Result<(), Widening> {
        let budget = ComparisonBudget::of_policies();
        let readable: Vec<&PathPattern> = parent.read.iter().chain(&parent.write).collect();
        let covered = |path: &PathPattern| readable.iter().any(|outer| path.is_within_for(outer, &budget));
        entries("fs.read", &self.read, PathPattern::text, covered)?;
        let covered = |path: &PathPattern| {
            parent
                .write
                .iter()
                .any(|outer| path.is_within_for(outer, &budget))
        };
        entries("fs.write", &self.write, PathPattern::text, covered)?;
        let denied = |path: &&PathPattern| self.deny.iter().any(|outer| path.is_within_for(outer, &budget));
        if let Some(open) = parent.deny.iter().find(|path| !denied(path)) {
            return Err(Widening::new(
                "fs.deny",
                open.text(),
                "is denied by the parent and not here",
            ));
        }
        let covered = |host: &HostPattern| parent.egress.iter().any(|outer| host.is_within(outer));
        entries("network.egress", &self.egress, HostPattern::as_str, covered)?;
        entries("network.ingress", &self.ingress, Ingress::as_str, |url| {
            parent.ingress.contains(url)
        })?;
        if let Some(program) = self.exec.beyond(&parent.exec) {
            return Err(Widening::new("exec", program, NOT_GRANTED));
        }
        entries("env.pass", &self.env_pass, EnvName::as_str, |name| {
            parent.env_pass.contains(name)
        })?;
        let switches = [
            ("tty.required", self.tty, parent.tty),
            ("local_network", self.local_network, parent.local_network),
        ];
        if let Some((field, ..)) = switches.into_iter().find(|(_, own, parent)| *own && !parent) {
            return Err(Widening::new(field, "true", NOT_GRANTED));
        }
        match self.limits.beyond(&parent.limits) {
            Some((field, own, most)) => Err(Widening::new(
                field,
                own,
                format!("is more than the parent's limit, {most}"),
            )),
            None => Ok(()),
        }
    }
}

const NOT_GRANTED: &str = "is not granted by the parent";

/// Finds the first entry that is not covered.
fn entries<T>(
    field: &str,
    own: &[T],
    text: fn(&T) -> &str,
    covered: impl Fn(&T) -> bool,
) -> Result<(), Widening> {
    match own.iter().enumerate().find(|(_, entry)| !covered(entry)) {
        Some((index, entry)) => Err(Widening::new(
            format!("{field}[{index}]"),
            text(entry),
            NOT_GRANTED,
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::policy::{Anchors, Exec, Limits, Program};

    fn path(text: &str) -> PathPattern {
        PathPattern::parse("fs", text, &Anchors::new("/h", "/w").unwrap()).unwrap()
    }

    fn host(text: &str) -> HostPattern {
        HostPattern::parse("network", text).unwrap()
    }

    fn name(text: &str) -> EnvName {
        EnvName::parse("env", text).unwrap()
    }

    fn spawn(names: &[&str]) -> Exec {
        Exec::List(
            names
                .iter()
                .map(|name| Program::parse("exec", name).unwrap())
                .collect(),
        )
    }

    fn parent() -> Policy {
        Policy::closed()
            .read(path("**/.git/**"))
            .read(path("~/.config/gh/**"))
            .write(path("/w/out/**"))
            .deny(path("~/.ssh/**"))
            .egress(host("*.example.org"))
            .ingress(Ingress::parse("network", "http://localhost:8085/").unwrap())
            .exec(spawn(&["git"]))
            .env_pass(name("GH_TOKEN"))
            .limits(Limits {
                wall: Some(Duration::from_secs(5)),
                ..Limits::default()
            })
    }

    /// A child that has nothing and denies what the parent denies.
    fn child() -> Policy {
        Policy::closed().deny(path("~/**")).limits(parent().limits)
    }

    #[test]
    fn a_tool_cannot_widen_its_bundle() {
        fn check(child: Policy, expected: Option<&str>) {
            let widening = child
                .is_within(&parent())
                .err()
                .map(|widening| widening.to_string());
            assert_eq!(widening.as_deref(), expected);
        }
        check(parent(), None);
        check(child(), None);
        check(
            child().read(path("/w/a/.git/config")).read(path("/w/out/x")),
            None,
        );
        check(
            child().write(path("/w/out/*.txt")).egress(host("a.example.org")),
            None,
        );
        check(
            child().env_set(EnvName::parse_set("env", "PAGER").unwrap(), "cat"),
            None,
        );
        check(
            child().read(path("/w/.git")).read(path("/w/**")),
            Some("fs.read[1]: \"/w/**\" is not granted by the parent"),
        );
        check(
            child().write(path("~/.config/gh/x")),
            Some("fs.write[0]: \"~/.config/gh/x\" is not granted by the parent"),
        );
        check(
            Policy::closed().limits(parent().limits).deny(path("~/.ssh/id")),
            Some("fs.deny: \"~/.ssh/**\" is denied by the parent and not here"),
        );
        check(
            child().egress(host("example.org")),
            Some("network.egress[0]: \"example.org\" is not granted by the parent"),
        );
        check(
            child().ingress(Ingress::parse("network", "http://localhost:8086/").unwrap()),
            Some("network.ingress[0]: \"http://localhost:8086/\" is not granted by the parent"),
        );
        check(
            child().exec(spawn(&["git", "sh"])),
            Some("exec: \"sh\" is not granted by the parent"),
        );
        check(
            child().exec(Exec::Any),
            Some("exec: \"any program\" is not granted by the parent"),
        );
        check(
            child().env_pass(name("HOME")),
            Some("env.pass[0]: \"HOME\" is not granted by the parent"),
        );
        check(
            child().tty(),
            Some("tty.required: \"true\" is not granted by the parent"),
        );
        check(
            child().local_network(),
            Some("local_network: \"true\" is not granted by the parent"),
        );
        check(
            child().limits(Limits::default()),
            Some("limits.wall: \"no end\" is more than the parent's limit, 5s"),
        );
    }

    #[test]
    fn a_widening_says_what_to_change() {
        let fix = |child: Policy| child.is_within(&parent()).unwrap_err().fix();
        assert_eq!(fix(Policy::closed()), "add \"~/.ssh/**\" to fs.deny");
        assert_eq!(
            fix(child().tty()),
            "narrow tty.required, or widen the parent's policy"
        );
    }
}
