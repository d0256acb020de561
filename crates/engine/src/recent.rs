//! The last calls of one caller, read from the end of the record.
//!
//! Only the command and its subcommands are told, never arguments: those may hold what only the tool should see.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;

/// How many calls are told.
const MOST: usize = 20;
/// How much of the end of a day's record is read.
const TAIL: u64 = 256 * 1024;

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recent {
    /// The tool.
    pub tool: String,
    /// Its command, without arguments.
    pub command: String,
    /// How it ended.
    pub exit: u8,
}

/// Returns the last calls of `caller`, or of everybody, the oldest first. A record that cannot be read tells nothing.
pub fn recent(audit: &Path, caller: Option<&str>) -> Vec<Recent> {
    let Ok(entries) = std::fs::read_dir(audit) else {
        return Vec::new();
    };
    let mut days: Vec<_> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    // Named after their dates, so the last is the latest; the day before it matters just after midnight.
    days.sort_unstable();
    let mut calls = Vec::new();
    for day in days.iter().rev().take(2).rev() {
        let text = tail(day).unwrap_or_default();
        calls.extend(text.lines().filter_map(|line| call(line, caller)));
    }
    let surplus = calls.len().saturating_sub(MOST);
    calls.drain(..surplus);
    calls
}

fn tail(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    // A line that is cut at its beginning is no JSON and is left out by whoever reads it.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn call(line: &str, caller: Option<&str>) -> Option<Recent> {
    let entry: Value = serde_json::from_str(line).ok()?;
    let by = entry.pointer("/user_context/caller")?.as_str()?;
    if caller.is_some_and(|caller| caller != by) {
        return None;
    }
    let (tool, command) = match entry.get("parsed_command")?.as_str()? {
        "" => return None,
        parsed => parsed.split_once(' ').unwrap_or((parsed, "")),
    };
    Some(Recent {
        tool: tool.to_owned(),
        command: command.to_owned(),
        exit: u8::from(entry.get("success")? != &Value::Bool(true)),
    })
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn a_caller_sees_its_own_last_calls_without_arguments() {
        let home = Home::new();
        let line = |caller: &str, parsed: &str, success: bool| {
            format!(
                "{{\"command\":\"{parsed} --token x\",\"parsed_command\":\"{parsed}\",\"success\":{success},\
                 \"user_context\":{{\"caller\":\"{caller}\"}}}}\n"
            )
        };
        let yesterday: String = (0..30).map(|_| line("a", "gh pr list", true)).collect();
        std::fs::write(home.state().join("2026-01-01.jsonl"), yesterday).unwrap();
        let today = [
            line("b", "gh repo delete", true),
            line("a", "kubectl get", false),
            line("a", "", false),
            "{\"torn\":".to_owned(),
        ];
        std::fs::write(home.state().join("2026-01-02.jsonl"), today.concat()).unwrap();
        let calls = recent(&home.state(), Some("a"));
        assert_eq!(calls.len(), MOST);
        let last = calls.last().unwrap();
        assert_eq!(
            (last.tool.as_str(), last.command.as_str(), last.exit),
            ("kubectl", "get", 1)
        );
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
