//! A question as a person is to see it, read from what the store keeps.
//!
//! Fails closed: without its words a question cannot be shown, so it cannot be approved; what does not say that it is
//! harmless counts as dangerous.

use argrail_engine::policy::{CallShape, Danger};
use argrail_engine::store::Request;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::agent_act::AgentAct;

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    /// Its name.
    pub(crate) id: String,
    /// Who asks, as the store has it.
    pub(crate) caller: String,
    /// What the caller calls itself.
    pub(crate) caller_name: Option<String>,
    /// When it was asked first.
    pub(crate) created: Timestamp,
    /// When it is over.
    pub(crate) expires: Timestamp,
    /// How often it was asked.
    pub(crate) times: u64,
    /// The command without its options.
    pub(crate) command: String,
    /// The words as they will run.
    pub(crate) argv: Vec<String>,
    /// The options as the tool reads them.
    pub(crate) options: Vec<Flag>,
    /// The words that are no options.
    pub(crate) words: Vec<String>,
    /// What it does.
    pub(crate) effects: Vec<String>,
    /// Why it is not simply run.
    pub(crate) reasons: Vec<Reason>,
    /// What it may touch, by name.
    pub(crate) sandbox: Vec<(String, Value)>,
    /// Where it starts.
    pub(crate) cwd: Option<String>,
    /// The files among its words.
    pub(crate) files: Vec<NamedFile>,
    /// Files among what it writes that agents obey.
    pub(crate) instructions: Vec<String>,
    /// What is dangerous about it.
    pub(crate) dangers: Vec<Danger>,
    /// The narrowest pattern that covers it.
    pub(crate) suggest: Option<String>,
    /// Hosts that only its words name.
    pub(crate) new_hosts: Vec<String>,
    /// Whether credentials go along.
    pub(crate) uses_credentials: bool,
    /// Which session asks.
    pub(crate) session: Option<String>,
    /// What a pattern has to cover, if one can.
    pub(crate) scope: Option<Grantable>,
    /// What it is beside its words, if an agent asks for it.
    pub(crate) act: Option<AgentAct>,
}

/// What a pattern for a question has to cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grantable {
    /// The call, or the one inside it that asks.
    pub(crate) call: CallShape,
    /// Every spelling of the options that such a call can have, where that is known.
    pub(crate) options: Option<Vec<String>>,
}

/// An option of the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Flag {
    /// Its name in the tool's description.
    pub(crate) name: String,
    /// As it was written.
    pub(crate) spelt: String,
    /// Its values.
    pub(crate) values: Vec<String>,
}

/// A rule that asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reason {
    /// What it decides.
    pub(crate) decision: String,
    /// Its name.
    pub(crate) rule: String,
    /// What it is about.
    pub(crate) effect: String,
    /// Whose word that is.
    pub(crate) origin: String,
}

/// A file among the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedFile {
    /// Where it is.
    pub(crate) path: String,
    /// The digest of its content, if it has any.
    pub(crate) sha256: Option<String>,
    /// Its size.
    pub(crate) bytes: Option<u64>,
    /// What the call will see of it.
    pub(crate) seen: Seen,
}

/// What a call will see of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The copy that was taken when it asked.
    Copy,
    /// The file itself, if it is still the same.
    Itself,
}

impl Asked {
    /// Reads a question. One whose words are not there cannot be shown: nothing is returned.
    pub(crate) fn read(request: &Request) -> Option<Self> {
        let shown = &request.shown;
        let argv = shown.get("argv")?.as_array()?;
        let argv: Vec<String> = argv
            .iter()
            .map(|word| word.as_str().map(str::to_owned))
            .collect::<Option<_>>()?;
        if argv.is_empty() {
            return None;
        }
        let act = match shown.get("act") {
            Some(act) => Some(AgentAct::read(act)?),
            None => None,
        };
        let command = text(shown, "command").or_else(|| argv.first().cloned())?;
        let dangers = [
            ("destructive", Danger::Destructive),
            ("billable", Danger::Billable),
            ("unread", Danger::Unread),
        ];
        let harmless = |name: &str| shown.get(name).and_then(Value::as_bool) == Some(false);
        Some(Self {
            caller_name: text(shown, "callerName"),
            command,
            argv,
            options: list(shown, "options").iter().map(flag).collect(),
            words: texts(shown.get("words")),
            effects: texts(shown.get("effects")),
            reasons: list(shown, "reasons").iter().map(reason).collect(),
            sandbox: sandbox(shown),
            cwd: text(shown, "cwd"),
            files: list(shown, "files").iter().map(file).collect(),
            instructions: texts(shown.get("instructions")),
            dangers: dangers
                .into_iter()
                .filter(|(name, _)| !harmless(name))
                .map(|(_, danger)| danger)
                .collect(),
            suggest: text(shown, "suggest"),
            new_hosts: texts(shown.get("newHosts")),
            uses_credentials: shown.get("usesCredentials").and_then(Value::as_bool) != Some(false),
            session: text(shown, "session"),
            scope: grantable(shown),
            act,
            ..Self::named(request)
        })
    }

    /// Returns the pattern that stands for its new hosts with any tool, if it has any.
    pub(crate) fn hosts_pattern(&self) -> Option<String> {
        let hosts = self.new_hosts.iter().map(|host| format!("host={host}"));
        let credentials = self.uses_credentials.then(|| "+credentials".to_owned());
        (!self.new_hosts.is_empty()).then(|| hosts.chain(credentials).collect::<Vec<_>>().join(" "))
    }

    /// What is known of a question that cannot be shown: enough to deny it.
    pub(crate) fn named(request: &Request) -> Self {
        Self {
            id: request.id.to_string(),
            caller: request.caller.clone(),
            caller_name: None,
            created: request.created,
            expires: request.expires,
            times: request.times,
            command: String::new(),
            argv: Vec::new(),
            options: Vec::new(),
            words: Vec::new(),
            effects: Vec::new(),
            reasons: Vec::new(),
            sandbox: Vec::new(),
            cwd: None,
            files: Vec::new(),
            instructions: Vec::new(),
            dangers: vec![Danger::Destructive, Danger::Billable, Danger::Unread],
            suggest: None,
            new_hosts: Vec::new(),
            uses_credentials: true,
            session: None,
            scope: None,
            act: None,
        }
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

/// Every item as text; what is no text is shown as the JSON it is.
fn texts(value: Option<&Value>) -> Vec<String> {
    let word = |item: &Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
    match value {
        Some(Value::Array(items)) => items.iter().map(word).collect(),
        None | Some(Value::Null) => Vec::new(),
        Some(other) => vec![word(other)],
    }
}

fn grantable(shown: &Value) -> Option<Grantable> {
    let scope = shown.get("scope")?;
    let call = CallShape::deserialize(scope.get("call")?).ok()?;
    let options = scope.get("options").filter(|options| options.is_array());
    Some(Grantable {
        call,
        options: options.map(|options| texts(Some(options))),
    })
}

fn flag(value: &Value) -> Flag {
    let name = text(value, "name").unwrap_or_default();
    Flag {
        spelt: text(value, "spelt").unwrap_or_else(|| name.clone()),
        name,
        values: texts(value.get("values")),
    }
}

fn reason(value: &Value) -> Reason {
    let part = |key| text(value, key).unwrap_or_default();
    Reason {
        decision: part("decision"),
        rule: part("rule"),
        effect: part("effect"),
        origin: part("origin"),
    }
}

fn file(value: &Value) -> NamedFile {
    NamedFile {
        path: text(value, "path").unwrap_or_else(|| value.to_string()),
        sha256: text(value, "sha256"),
        bytes: value.get("bytes").and_then(Value::as_u64),
        seen: if value.get("snapshot") == Some(&Value::Bool(true)) {
            Seen::Copy
        } else {
            Seen::Itself
        },
    }
}

fn sandbox(shown: &Value) -> Vec<(String, Value)> {
    let parts = shown.get("sandbox").and_then(Value::as_object);
    let parts = parts.into_iter().flatten();
    parts.map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::example;
    use super::*;

    #[test]
    fn a_question_is_read() {
        let asked = Asked::read(&example::request()).unwrap();
        assert_eq!(asked.argv, ["/usr/bin/git", "push", "--force", "origin", "main"]);
        assert_eq!(asked.options[0].spelt, "--force");
        assert_eq!(asked.dangers, [Danger::Destructive]);
        assert_eq!(asked.files[0].seen, Seen::Copy);
        assert_eq!(asked.suggest.as_deref(), Some("git push origin main --force"));
    }

    #[test]
    fn what_cannot_be_shown_is_not_read() {
        let check = |shown: Value| {
            let request = Request {
                shown: shown.clone(),
                ..example::request()
            };
            assert_eq!(Asked::read(&request), None, "{shown}");
        };
        check(json!(null));
        check(json!({"command": "git push"}));
        check(json!({"argv": []}));
        check(json!({"argv": "git push"}));
        check(json!({"argv": ["git", 7]}));
        check(json!({"argv": ["write", "a"], "act": "write"}));
        check(json!({"argv": ["write", "a"], "act": {"content": {"diff": [7], "left": 0}}}));
        check(json!({"argv": ["write", "a"], "act": {"input": {"lines": []}}}));
    }

    #[test]
    fn what_does_not_say_it_is_harmless_is_dangerous() {
        let check = |extra: Value, want: &[Danger]| {
            let mut shown = json!({"argv": ["git"]});
            for (key, value) in extra.as_object().unwrap() {
                shown[key] = value.clone();
            }
            let request = Request {
                shown,
                ..example::request()
            };
            assert_eq!(Asked::read(&request).unwrap().dangers, want, "{extra}");
        };
        let all = [Danger::Destructive, Danger::Billable, Danger::Unread];
        check(json!({}), &all);
        check(
            json!({"destructive": false, "billable": null, "unread": false}),
            &[Danger::Billable],
        );
        check(
            json!({"destructive": false, "billable": false}),
            &[Danger::Unread],
        );
        check(
            json!({"destructive": false, "billable": false, "unread": false}),
            &[],
        );
    }
}
