//! Which entries somebody wants to see.

use jiff::Timestamp;
use serde_json::Value;

use super::line::Line;
use super::record::time;

/// What an entry has to be. What is left out does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this tool.
    pub tool: Option<String>,
    /// Of this caller: its id, or the name that it gives itself.
    pub caller: Option<String>,
    /// What happened: `cli.invoked`, or `approval` for all that begins so.
    pub action: Option<String>,
    /// Not written before.
    pub since: Option<Timestamp>,
    /// Only what was not allowed.
    pub which: Which,
}

/// Whether what was allowed is shown, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    /// Everything.
    #[default]
    All,
    /// Only what was refused, held back or denied.
    Denied,
}

impl Filter {
    /// Whether a line was written late enough.
    pub(super) fn is_later(&self, line: &Line<'_>) -> bool {
        self.since.is_none_or(|since| line.ts >= time(since).as_str())
    }

    /// Whether an entry is wanted, its time left aside.
    pub fn fits(&self, entry: &Value) -> bool {
        let text = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str);
        let of_tool = |tool: &String| {
            let first = text("/subject/ref").and_then(|command| command.split(' ').next());
            let id = text("/metadata/cli_id").and_then(|id| id.split('@').next());
            text("/subject/kind") == Some("cli") && (first == Some(tool) || id == Some(tool))
        };
        let of_caller = |caller: &String| {
            let names = [
                "/actor/id",
                "/metadata/user_context/caller",
                "/metadata/user_context/name",
            ];
            names.into_iter().any(|name| text(name) == Some(caller))
        };
        let of_action = |action: &String| {
            let rest = text("/action").and_then(|found| found.strip_prefix(action.as_str()));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let denied = || {
            let decision = text("/policy/decision").is_some_and(|decision| decision != "allow");
            decision && text("/metadata/success").is_none()
                || text("/metadata/error_code") == Some("PERMISSION_DENIED")
                || text("/action") == Some("approval.denied")
        };
        self.tool.as_ref().is_none_or(of_tool)
            && self.caller.as_ref().is_none_or(of_caller)
            && self.action.as_ref().is_none_or(of_action)
            && match self.which {
                Which::All => true,
                Which::Denied => denied(),
            }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn entries_are_chosen_by_tool_caller_action_and_refusal() {
        let entry = json!({
            "action": "cli.invoked", "actor": {"id": "s1"}, "subject": {"kind": "cli", "ref": "git push"},
            "metadata": {"cli_id": "git@2", "user_context": {"caller": "s1", "name": "editor"},
                         "success": false, "error_code": "PERMISSION_DENIED"},
        });
        let check = |change: &dyn Fn(&mut Filter), fits: bool| {
            let mut filter = Filter::default();
            change(&mut filter);
            assert_eq!(filter.fits(&entry), fits, "{filter:?}");
        };
        check(&|_| {}, true);
        for (tool, fits) in [("git", true), ("gi", false), ("push", false)] {
            check(&|filter| filter.tool = Some(tool.into()), fits);
        }
        for (caller, fits) in [("s1", true), ("editor", true), ("s", false)] {
            check(&|filter| filter.caller = Some(caller.into()), fits);
        }
        for (action, fits) in [
            ("cli", true),
            ("cli.invoked", true),
            ("cl", false),
            ("approval", false),
        ] {
            check(&|filter| filter.action = Some(action.into()), fits);
        }
        check(&|filter| filter.which = Which::Denied, true);
        let fine =
            json!({"action": "cli.invoked", "metadata": {"success": true}, "policy": {"decision": "allow"}});
        assert!(
            !Filter {
                which: Which::Denied,
                ..Filter::default()
            }
            .fits(&fine)
        );
    }
}
