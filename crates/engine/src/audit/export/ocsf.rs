//! Entries as events of OCSF 1.3, for security tools.
//!
//! What starts a program is Process Activity (1007): an intent is its launch, the end of what was started its
//! termination, and a call that was refused a launch that was blocked. So is an agent's process. Everything else (approvals, grants, answers of
//! our own commands, notes) is API Activity (6003). What has no field there stands in `unmapped`.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

const VERSION: &str = "1.3.0";

/// Where it was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The name of the host.
    pub hostname: String,
    /// The version of this program.
    pub version: String,
}

/// What an entry is in OCSF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Launch,
    Terminate,
    Blocked,
    Api(u64, &'static str),
}

/// Returns the event of an entry.
pub fn event(entry: &Value, machine: &Machine) -> Value {
    let kind = kind(entry);
    let mut event = base(entry, machine);
    let mut put = |name: &str, value: Value| event.insert(name.to_owned(), value);
    let (class, class_name, category, category_name, activity, activity_name) = match kind {
        Kind::Launch | Kind::Blocked => (1007, "Process Activity", 1, "System Activity", 1, "Launch"),
        Kind::Terminate => (1007, "Process Activity", 1, "System Activity", 2, "Terminate"),
        Kind::Api(activity, name) => (6003, "API Activity", 6, "Application Activity", activity, name),
    };
    put("class_uid", class.into());
    put("class_name", class_name.into());
    put("category_uid", category.into());
    put("category_name", category_name.into());
    put("activity_id", activity.into());
    put("activity_name", activity_name.into());
    put("type_uid", (class * 100 + activity).into());
    put("severity_id", if is_denied(entry) { 3 } else { 1 }.into());
    match kind {
        Kind::Launch | Kind::Terminate | Kind::Blocked => {
            put("process", process(entry));
            put("device", json!({"type_id": 0, "hostname": machine.hostname}));
        }
        Kind::Api(..) => {
            let operation = text(entry, "/metadata/parsed_command").filter(|parsed| !parsed.is_empty());
            let operation = operation.or(text(entry, "/action")).unwrap_or_default();
            put(
                "api",
                json!({"operation": operation, "service": {"name": "argrail"}}),
            );
            put("src_endpoint", json!({"hostname": machine.hostname}));
        }
    }
    if kind == Kind::Terminate
        && let Some(code) = entry.pointer("/metadata/exit_code").filter(|code| code.is_i64())
    {
        put("exit_code", code.clone());
    }
    Value::Object(event)
}

/// What every event has.
fn base(entry: &Value, machine: &Machine) -> Map<String, Value> {
    let mut event = Map::new();
    let mut put = |name: &str, value: Value| event.insert(name.to_owned(), value);
    let at = text(entry, "/ts")
        .and_then(|ts| ts.parse::<Timestamp>().ok())
        .unwrap_or_default();
    put("time", at.as_millisecond().into());
    put(
        "metadata",
        json!({
            "version": VERSION,
            "product": {"name": "argrail", "vendor_name": "argrail", "version": machine.version},
            "profiles": ["security_control"],
            "log_name": "audit-log",
            "uid": entry.get("hash"),
            "sequence": entry.get("seq"),
            "original_time": entry.get("ts"),
        }),
    );
    let mut actor = Map::new();
    actor.insert(
        "user".to_owned(),
        json!({"uid": text(entry, "/actor/id").unwrap_or_default(), "type_id": 0}),
    );
    if let Some(name) = text(entry, "/metadata/user_context/name") {
        actor.insert("app_name".to_owned(), name.into());
    }
    put("actor", actor.into());
    let (action, disposition) = if is_denied(entry) { (2, 2) } else { (1, 1) };
    put("action_id", action.into());
    put("disposition_id", disposition.into());
    let success = entry.pointer("/metadata/success").and_then(Value::as_bool);
    put(
        "status_id",
        success.map_or(0, |success| if success { 1 } else { 2 }).into(),
    );
    if let Some(code) = text(entry, "/metadata/error_code") {
        put("status_code", code.into());
    }
    if let Some(duration) = entry.pointer("/metadata/duration_ms") {
        put("duration", duration.clone());
    }
    put(
        "unmapped",
        json!({
            "action": entry.get("action"), "subject": entry.get("subject"), "policy": entry.get("policy"),
            "prevHash": entry.get("prevHash"), "metadata": entry.get("metadata"),
        }),
    );
    event
}

fn kind(entry: &Value) -> Kind {
    let ran = entry.pointer("/metadata/intent").is_some();
    match text(entry, "/action").unwrap_or_default() {
        "cli.intended" | "agent.started" => Kind::Launch,
        "agent.ended" => Kind::Terminate,
        "cli.invoked" if ran => Kind::Terminate,
        "cli.invoked" if is_denied(entry) => Kind::Blocked,
        "approval.asked" | "grant.given" => Kind::Api(1, "Create"),
        "approval.approved" | "approval.denied" | "approval.expired" | "trust.accepted" => {
            Kind::Api(3, "Update")
        }
        "grant.revoked" => Kind::Api(4, "Delete"),
        _ => Kind::Api(99, "Other"),
    }
}

fn process(entry: &Value) -> Value {
    let words = entry.pointer("/metadata/argv").and_then(Value::as_array);
    let words: Vec<String> = words
        .into_iter()
        .flatten()
        .filter_map(|word| word.as_str().map(str::to_owned))
        .collect();
    let line = match words.is_empty() {
        true => text(entry, "/metadata/command").unwrap_or_default().to_owned(),
        false => argrail_acli::join(&words),
    };
    let tool = text(entry, "/subject/ref").and_then(|command| command.split(' ').next());
    let mut process = Map::new();
    process.insert("name".to_owned(), tool.unwrap_or_default().into());
    process.insert("cmd_line".to_owned(), line.into());
    let path = text(entry, "/subject/path")
        .or(words.first().map(String::as_str))
        .filter(|path| path.starts_with('/'));
    if let Some(path) = path {
        let name = path.rsplit('/').next().unwrap_or_default();
        process.insert(
            "file".to_owned(),
            json!({"name": name, "path": path, "type_id": 1}),
        );
    }
    process.into()
}

fn is_denied(entry: &Value) -> bool {
    text(entry, "/metadata/error_code") == Some("PERMISSION_DENIED")
        || text(entry, "/action") == Some("approval.denied")
}

fn text<'e>(entry: &'e Value, place: &str) -> Option<&'e str> {
    entry.pointer(place).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(entry: &Value) -> Value {
        event(
            entry,
            &Machine {
                hostname: "box".into(),
                version: "1".into(),
            },
        )
    }

    #[test]
    fn a_call_is_a_process_that_is_launched_and_ends() {
        let entry = json!({
            "seq": 4, "ts": "1970-01-01T00:00:01.500Z", "action": "cli.invoked", "actor": {"id": "s1"},
            "subject": {"kind": "cli", "ref": "git log"}, "hash": "h",
            "metadata": {"intent": 3, "argv": ["/usr/bin/git", "log", "a b"], "exit_code": 1, "success": false,
                         "error_code": "EXECUTION_ERROR", "duration_ms": 12, "user_context": {"name": "editor"}},
        });
        let event = made(&entry);
        assert_eq!(
            (&event["class_uid"], &event["type_uid"], &event["time"]),
            (&json!(1007), &json!(100702), &json!(1500))
        );
        assert_eq!(event["process"]["cmd_line"], "/usr/bin/git log 'a b'");
        assert_eq!(
            event["process"]["file"],
            json!({"name": "git", "path": "/usr/bin/git", "type_id": 1})
        );
        assert_eq!(
            (&event["exit_code"], &event["status_id"], &event["duration"]),
            (&json!(1), &json!(2), &json!(12))
        );
        assert_eq!(
            event["actor"],
            json!({"user": {"uid": "s1", "type_id": 0}, "app_name": "editor"})
        );
        assert_eq!(
            (&event["metadata"]["sequence"], &event["action_id"]),
            (&json!(4), &json!(1))
        );
    }

    #[test]
    fn what_happened_decides_the_class() {
        let check = |action: &str, metadata: Value, type_uid: u64, action_id: u64| {
            let event = made(&json!({"ts": "", "action": action, "metadata": metadata}));
            assert_eq!(
                (&event["type_uid"], &event["action_id"]),
                (&json!(type_uid), &json!(action_id)),
                "{action}"
            );
            for field in [
                "activity_id",
                "category_uid",
                "class_uid",
                "severity_id",
                "time",
                "metadata",
                "actor",
            ] {
                assert!(!event[field].is_null(), "{action} {field}");
            }
        };
        check("cli.intended", json!({}), 100_701, 1);
        check("cli.invoked", json!({"intent": 0}), 100_702, 1);
        check(
            "cli.invoked",
            json!({"error_code": "PERMISSION_DENIED"}),
            100_701,
            2,
        );
        check("cli.invoked", json!({"parsed_command": "help"}), 600_399, 1);
        check("approval.asked", json!({}), 600_301, 1);
        check("approval.denied", json!({}), 600_303, 2);
        check("grant.revoked", json!({}), 600_304, 1);
        check("audit.note", json!({}), 600_399, 1);
    }
}
