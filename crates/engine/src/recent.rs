//! The last calls of one caller, read from the end of the record.
//!
//! Only the command and its subcommands are told, never arguments: those may hold what only the tool should see.

use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value;

use crate::audit::{Action, newest};

/// How many calls are told.
const MOST: usize = 20;
/// How many records are looked at.
const FARTHEST: usize = 2_000;

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recent {
    /// The tool.
    pub tool: String,
    /// Its command, without arguments.
    pub command: String,
    /// The number that its program ended with, if one ran and ended by itself.
    pub exit: Option<i64>,
}

/// Returns the last calls of `caller`, or of everybody, the oldest first. A record that cannot be read tells nothing.
pub fn recent(audit: &Path, caller: Option<&str>) -> Vec<Recent> {
    let (mut calls, mut looked) = (Vec::new(), 0);
    let read = newest(audit, |line| {
        if line.action == Action::CliInvoked.as_str() {
            calls.extend(call(line.text(), caller));
        }
        looked += 1;
        match calls.len() < MOST && looked < FARTHEST {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    if read.is_err() {
        return Vec::new();
    }
    calls.reverse();
    calls
}

fn call(line: &str, caller: Option<&str>) -> Option<Recent> {
    let entry: Value = serde_json::from_str(line).ok()?;
    let by = entry.pointer("/metadata/user_context/caller")?.as_str()?;
    if caller.is_some_and(|caller| caller != by) {
        return None;
    }
    let (tool, command) = match entry.pointer("/metadata/parsed_command")?.as_str()? {
        "" => return None,
        parsed => parsed.split_once(' ').unwrap_or((parsed, "")),
    };
    Some(Recent {
        tool: tool.to_owned(),
        command: command.to_owned(),
        exit: entry.pointer("/metadata/exit_code").and_then(Value::as_i64),
    })
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;
    use serde_json::json;

    use super::*;
    use crate::audit::{Chain, Durability, Event};

    #[test]
    fn a_caller_sees_its_own_last_calls_without_arguments() {
        let home = Home::new();
        let chain = Chain::open(&home.state(), None).unwrap();
        let add = |caller: &str, parsed: &str, exit: Option<i64>| {
            let event = Event::new(Action::CliInvoked, caller, "cli", Some(parsed))
                .with("command", format!("{parsed} --token x"))
                .with("parsed_command", parsed)
                .with("success", exit == Some(0))
                .with("exit_code", exit)
                .with("user_context", json!({"caller": caller}));
            chain.append(&event, Durability::Soon).unwrap();
        };
        (0..30).for_each(|_| add("a", "gh pr list", Some(0)));
        add("b", "gh repo delete", Some(0));
        add("a", "git push", None);
        add("a", "kubectl get", Some(3));
        add("a", "", None);
        let calls = recent(&home.state(), Some("a"));
        assert_eq!(calls.len(), MOST);
        let last = calls.last().unwrap();
        assert_eq!(
            (last.tool.as_str(), last.command.as_str(), last.exit),
            ("kubectl", "get", Some(3))
        );
        // Nothing ran, so there is no number.
        let refused = calls.iter().find(|call| call.tool == "git").unwrap();
        assert_eq!(refused.exit, None);
        assert!(
            calls
                .iter()
                .all(|call| !call.command.contains("token") && !call.tool.is_empty())
        );
        assert!(
            recent(&home.state(), None)
                .iter()
                .any(|call| call.command == "repo delete")
        );
        assert!(recent(Path::new("/nowhere"), None).is_empty());
    }
}
