//! What agents give their tools, in the many shapes that they do: the command, the files, the address.
//!
//! Only what can mean one thing is told. A field that nobody knows beside a command may change what it does.

use std::path::PathBuf;

use argrail_acli::join;
use serde_json::{Map, Value};

/// Fields that hold the command.
const COMMANDS: [&str; 4] = ["command", "cmd", "script", "argv"];
/// Fields that hold the rest of its words, for agents that know them.
const ARGUMENTS: [&str; 2] = ["args", "arguments"];
/// Fields that say where it starts.
const DIRECTORIES: [&str; 8] = [
    "cwd",
    "directory",
    "dir",
    "workdir",
    "dir_path",
    "working_directory",
    "workingDirectory",
    "working_dir",
];
/// Fields beside a command that do not change what it does.
const BESIDE: [&str; 28] = [
    "background",
    "call_id",
    "command_actions",
    "commandActions",
    "description",
    "explanation",
    "id",
    "isBackground",
    "is_background",
    "justification",
    "kind",
    "max_output_tokens",
    "name",
    "parsed_cmd",
    "parsedCmd",
    "proposed_execpolicy_amendment",
    "purpose",
    "reason",
    "run_in_background",
    "runInBackground",
    "timeout",
    "timeout_ms",
    "timeout_secs",
    "timeoutMs",
    "title",
    "turn_id",
    "type",
    "yield_time_ms",
];
/// Fields that hold all the others.
const AROUND: [&str; 6] = [
    "input",
    "arguments",
    "parameters",
    "params",
    "tool_input",
    "rawInput",
];
/// Fields that hold paths.
const PATHS: [&str; 23] = [
    "absolute_path",
    "destination",
    "dest",
    "dst",
    "file",
    "filePath",
    "file_path",
    "filename",
    "files",
    "from",
    "newPath",
    "new_path",
    "notebook_path",
    "oldPath",
    "old_path",
    "path",
    "paths",
    "relative_workspace_path",
    "source",
    "src",
    "target",
    "target_file",
    "to",
];
/// The most paths of one act.
const MANY: usize = 256;
/// How deep fields stand in each other.
const DEEP: usize = 3;

/// A command that an agent wants to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    /// The command.
    pub(super) command: Command,
    /// Where, if it says so.
    pub(super) directory: Option<PathBuf>,
}

/// How a command was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// As words.
    Words(Vec<String>),
    /// As a line for a shell.
    Line(String),
}

impl Command {
    /// Returns it as a person reads it.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Words(words) => join(words),
            Self::Line(line) => line.clone(),
        }
    }
}

/// Finds the command of a tool that runs one; nothing if it could mean more.
pub(super) fn command(input: &Value) -> Option<Wanted> {
    let fields = inside(input, &COMMANDS)?;
    let set = || fields.iter().filter(|(_, value)| !value.is_null());
    let one = |names: &[&str]| -> Option<Option<&Value>> {
        let mut found = set().filter(|(name, _)| names.contains(&name.as_str()));
        let first = found.next().map(|(_, value)| value);
        found.next().is_none().then_some(first)
    };
    let known = |name: &String| {
        let all = [&COMMANDS[..], &ARGUMENTS, &DIRECTORIES, &BESIDE];
        all.iter().any(|names| names.contains(&name.as_str()))
    };
    if set().any(|(name, _)| !known(name)) {
        return None;
    }
    let more = one(&ARGUMENTS)?;
    let command = match (one(&COMMANDS)??, more) {
        (Value::String(line), None) => Command::Line(line.clone()),
        // An agent that knows no such field runs the command without what stands there.
        (Value::String(line), Some(Value::Array(more))) if more.is_empty() => Command::Line(line.clone()),
        (words, None) => Command::Words(texts(words)?),
        (_, Some(_)) => return None,
    };
    let directory = match one(&DIRECTORIES)? {
        None => None,
        Some(Value::String(path)) if path.is_empty() => None,
        Some(Value::String(path)) => Some(PathBuf::from(path)),
        Some(_) => return None,
    };
    Some(Wanted { command, directory })
}

/// Whether a tool is given nothing but one command, as ours is. Some agents do not say what a tool is given.
pub(super) fn is_one_command(input: &Value) -> bool {
    let is_empty = input.is_null() || input.as_object().is_some_and(Map::is_empty);
    let only = |fields: Map<String, Value>| fields.len() == 1 && fields.values().all(Value::is_string);
    is_empty || inside(input, &["command"]).is_some_and(only)
}

/// Finds the paths of a tool that touches files.
pub(super) fn paths(input: &Value) -> Vec<PathBuf> {
    let mut found = Vec::new();
    gather(input, DEEP, &mut found);
    found
}

fn gather(input: &Value, deep: usize, found: &mut Vec<PathBuf>) {
    let Some(deep) = deep.checked_sub(1) else { return };
    let parsed = parsed(input);
    let Some(fields) = parsed.as_ref().or(Some(input)).and_then(Value::as_object) else {
        return;
    };
    for (name, value) in fields {
        match value {
            Value::String(path) if PATHS.contains(&name.as_str()) => put(path, found),
            Value::Array(items) if PATHS.contains(&name.as_str()) || name == "edits" => {
                for item in items {
                    match item {
                        Value::String(path) => put(path, found),
                        other => gather(other, deep, found),
                    }
                }
            }
            // One field for each file, named after it.
            Value::Object(files) if matches!(name.as_str(), "changes" | "fileChanges" | "file_changes") => {
                files.keys().for_each(|path| put(path, found));
                files.values().for_each(|change| gather(change, deep, found));
            }
            Value::String(_) | Value::Object(_) if AROUND.contains(&name.as_str()) => {
                gather(value, deep, found);
            }
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => {}
        }
    }
}

fn put(path: &str, found: &mut Vec<PathBuf>) {
    let path = PathBuf::from(path.strip_prefix("file://").unwrap_or(path));
    if found.len() < MANY && !found.contains(&path) {
        found.push(path);
    }
}

/// Where something is got from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// The host.
    pub(super) host: String,
    /// Whether it is only read.
    pub(super) reads: bool,
}

/// Finds the address of a tool that gets something; nothing if it is not one plain one.
pub(super) fn address(input: &Value) -> Option<Address> {
    let fields = inside(input, &["url", "uri"])?;
    let mut urls = ["url", "uri"].iter().filter_map(|name| fields.get(*name));
    let url = urls.next()?.as_str()?;
    if urls.next().is_some() {
        return None;
    }
    let method = fields.get("method").filter(|method| !method.is_null());
    let method = match method {
        None => "GET",
        Some(method) => method.as_str()?,
    };
    let sends = ["body", "data", "form", "json", "files"]
        .iter()
        .any(|name| fields.get(*name).is_some_and(|value| !value.is_null()));
    Some(Address {
        host: host(url)?,
        reads: !sends && matches!(method.to_ascii_uppercase().as_str(), "GET" | "HEAD"),
    })
}

/// The host of an address that no two readers could read otherwise.
fn host(url: &str) -> Option<String> {
    let rest = ["https://", "http://"]
        .iter()
        .find_map(|scheme| url.strip_prefix(scheme))?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let place = rest.get(..end)?;
    let (name, port) = place.split_once(':').unwrap_or((place, "443"));
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let fits = !name.is_empty() && name.chars().all(plain) && port.parse::<u16>().is_ok();
    let odd = url
        .chars()
        .any(|c| c == '\\' || c.is_whitespace() || c.is_control());
    (fits && !odd).then(|| name.to_ascii_lowercase())
}

/// The fields among which one of these stands, a few covers deep.
fn inside(input: &Value, wanted: &[&str]) -> Option<Map<String, Value>> {
    let mut at = input.clone();
    for _ in 0..DEEP {
        if let Some(parsed) = parsed(&at) {
            at = parsed;
        }
        let fields = at.as_object()?;
        if wanted
            .iter()
            .any(|name| fields.get(*name).is_some_and(|value| !value.is_null()))
        {
            return Some(fields.clone());
        }
        let mut set = fields.iter().filter(|(_, value)| !value.is_null());
        match (set.next(), set.next()) {
            (Some((name, value)), None) if AROUND.contains(&name.as_str()) => at = value.clone(),
            _ => return None,
        }
    }
    None
}

/// An object that was given as text.
fn parsed(value: &Value) -> Option<Value> {
    let text = value.as_str()?;
    serde_json::from_str::<Value>(text).ok().filter(Value::is_object)
}

fn texts(value: &Value) -> Option<Vec<String>> {
    let items = value.as_array()?.iter();
    items.map(|item| item.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn commands_of_many_agents_are_found() {
        let check = |input: Value, want: Option<&str>| {
            let found = command(&input).map(|wanted| {
                let at = wanted.directory.map(|at| format!(" in {}", at.display()));
                match wanted.command {
                    Command::Words(words) => format!("{words:?}{}", at.unwrap_or_default()),
                    Command::Line(line) => format!("{line}{}", at.unwrap_or_default()),
                }
            });
            assert_eq!(found.as_deref(), want, "{input}");
        };
        // goose, claude, opencode, qwen and gemini, codex, and others.
        check(json!({"command": "ls"}), Some("ls"));
        check(
            json!({"command": "ls", "description": "List", "timeout": 5000, "run_in_background": false}),
            Some("ls"),
        );
        check(
            json!({"command": "ls", "directory": "src", "is_background": false}),
            Some("ls in src"),
        );
        check(
            json!({"command": ["bash", "-lc", "ls"], "cwd": "/srv", "call_id": "1", "parsed_cmd": []}),
            Some(r#"["bash", "-lc", "ls"] in /srv"#),
        );
        check(json!({"command": "ls", "args": []}), Some("ls"));
        check(json!({"cmd": "ls", "workdir": null}), Some("ls"));
        check(json!({"input": {"command": "ls"}}), Some("ls"));
        check(json!(r#"{"command": "ls"}"#), Some("ls"));
        // What may mean more.
        check(json!({}), None);
        check(json!(null), None);
        check(json!("ls"), None);
        check(json!({"command": 7}), None);
        check(json!({"command": ["ls", 7]}), None);
        check(json!({"command": "ls", "cmd": "rm x"}), None);
        check(json!({"command": "ls", "env": {"LD_PRELOAD": "x"}}), None);
        check(json!({"command": "ls", "stdin": "x"}), None);
        check(json!({"command": "ls", "sandbox_permissions": "escalated"}), None);
        check(json!({"command": ["ls"], "args": ["x"]}), None);
        check(json!({"command": "make", "args": ["--version"]}), None);
        check(json!({"command": "ls", "cwd": 7}), None);
        check(json!({"input": {"command": "ls"}, "more": 1}), None);
    }

    #[test]
    fn paths_of_many_agents_are_found() {
        let check = |input: Value, want: &[&str]| {
            let want: Vec<PathBuf> = want.iter().map(PathBuf::from).collect();
            assert_eq!(paths(&input), want, "{input}");
        };
        check(
            json!({"file_path": "a", "old_string": "x", "new_string": "y"}),
            &["a"],
        );
        check(json!({"filePath": "a", "content": "b"}), &["a"]);
        check(json!({"path": "a", "command": "write", "file_text": "x"}), &["a"]);
        check(json!({"source": "a", "destination": "b"}), &["a", "b"]);
        check(
            json!({"changes": {"a": {"add": {}}, "b": {"update": {"new_path": "c"}}}}),
            &["a", "b"],
        );
        check(json!({"files": ["a", {"path": "b"}]}), &["a", "b"]);
        check(json!({"input": {"path": "file:///srv/a"}}), &["/srv/a"]);
        check(json!({"text": "a"}), &[]);
        check(json!(null), &[]);
        let many: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
        assert_eq!(paths(&json!({"paths": many})).len(), MANY);
    }

    #[test]
    fn an_address_is_one_plain_one() {
        let check = |input: Value, want: Option<(&str, bool)>| {
            let want = want.map(|(host, reads)| Address {
                host: host.to_owned(),
                reads,
            });
            assert_eq!(address(&input), want, "{input}");
        };
        check(
            json!({"url": "https://Docs.example.com/a?b#c"}),
            Some(("docs.example.com", true)),
        );
        check(
            json!({"url": "http://a.test:8080", "prompt": "x"}),
            Some(("a.test", true)),
        );
        check(
            json!({"url": "https://a.test", "method": "post"}),
            Some(("a.test", false)),
        );
        check(
            json!({"url": "https://a.test", "body": "x"}),
            Some(("a.test", false)),
        );
        for url in [
            "ftp://a.test",
            "https://u@a.test",
            "https://a.test\\@b",
            "https://",
            "https://a.test:x",
            "a.test",
            "https://a .test",
            "https://[::1]/",
        ] {
            check(json!({"url": url}), None);
        }
        check(json!({"url": "https://a.test", "uri": "https://b.test"}), None);
        check(json!({"prompt": "https://a.test"}), None);
    }

    proptest! {
        #[test]
        fn any_text_has_a_host_or_none(url in any::<String>()) {
            if let Some(host) = host(&url) {
                prop_assert!(url.to_ascii_lowercase().contains(&host));
            }
        }
    }
}
