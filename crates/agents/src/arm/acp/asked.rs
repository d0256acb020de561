//! What an agent asks of its host in ACP's words, and the answers in the same.

use std::path::PathBuf;

use argrail_acli::Error;
use serde_json::{Value, json};

use super::content::{changed_files, places};
use super::field::{cut, items_of, text_of};
use super::message::{BAD_PARAMS, NO_METHOD, REFUSED};
use super::tools::kind_of;
use crate::arm::{Answered, Ask, TerminalId};
use crate::event::PromptOption;
use crate::governor::{
    Permission, ReadFile, Ruling, TerminalCommand, TerminalExit, TerminalOutput, ToolKind, ToolUse, WriteFile,
};
use crate::session_options::Serves;

/// There is no such file, says ACP.
const NOT_FOUND: i64 = -32002;
/// The most options of a question.
const OPTIONS: usize = 16;
/// The longest id of an option, and of a tool call.
const ID: usize = 512;
/// The longest label of an option, in characters.
const LABEL: usize = 300;
/// The longest question, in characters.
const QUESTION: usize = 4000;
/// The most words of a command, and bytes of all of them.
const WORDS: usize = 4096;
const WORD_BYTES: usize = 256 << 10;
/// The most variables of a command.
const VARIABLES: usize = 256;
/// The most files that a question is about.
const PATHS: usize = 256;

/// A request that is not asked on: its code and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong(pub(super) i64, pub(super) &'static str);

/// A request, read.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Asked {
    /// A question for a person, or whoever answers for one.
    Permission(Permission),
    /// A question about the agent itself. It can be agreed to or not.
    Elicitation(Permission),
    /// Something to be done.
    Act(Ask),
}

/// How a request is answered once the host has decided.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    Permission(Vec<PromptOption>),
    Elicitation,
    Act,
}

/// Reads a request of the agent's.
pub(super) fn read(method: &str, params: &Value, serves: Serves) -> Result<Asked, Wrong> {
    let act = |ask| Ok(Asked::Act(ask));
    match method {
        "session/request_permission" => permission(params).map(Asked::Permission),
        "elicitation/create" => elicitation(params).map(Asked::Elicitation),
        "fs/read_text_file" if serves.read => act(Ask::Read(ReadFile {
            path: path(params, "path")?,
            line: params.get("line").and_then(Value::as_u64),
            limit: params.get("limit").and_then(Value::as_u64),
        })),
        "fs/write_text_file" if serves.write => act(Ask::Write(WriteFile {
            path: path(params, "path")?,
            content: text_of(params, "content")
                .ok_or(Wrong(BAD_PARAMS, "content is missing"))?
                .to_owned(),
        })),
        "terminal/create" if serves.terminals => act(Ask::Start(command(params)?)),
        "terminal/output" if serves.terminals => act(Ask::Output(terminal(params)?)),
        "terminal/wait_for_exit" if serves.terminals => act(Ask::Wait(terminal(params)?)),
        "terminal/kill" if serves.terminals => act(Ask::Kill(terminal(params)?)),
        "terminal/release" if serves.terminals => act(Ask::Release(terminal(params)?)),
        _ => Err(Wrong(NO_METHOD, "no such method")),
    }
}

fn permission(params: &Value) -> Result<Permission, Wrong> {
    let call = params
        .get("toolCall")
        .ok_or(Wrong(BAD_PARAMS, "toolCall is missing"))?;
    let id = text_of(call, "toolCallId")
        .filter(|id| id.len() <= ID)
        .ok_or(Wrong(BAD_PARAMS, "toolCallId is missing or too long"))?;
    let content = items_of(call, "content");
    let paths = places(call).chain(changed_files(content)).take(PATHS);
    let title = text_of(call, "title").filter(|title| !title.trim().is_empty());
    let kind = text_of(call, "kind").map(kind_of);
    Ok(Permission {
        tool: ToolUse {
            id: id.to_owned(),
            name: cut(title.unwrap_or("tool"), QUESTION),
            kind,
            input: call.get("rawInput").cloned().unwrap_or(Value::Null),
            paths: paths.map(PathBuf::from).collect(),
        },
        options: options(params),
    })
}

fn options(params: &Value) -> Vec<PromptOption> {
    let listed = items_of(params, "options").iter();
    let read = listed.filter_map(|option| {
        let id = text_of(option, "optionId").filter(|id| id.len() <= ID)?;
        Some(PromptOption {
            id: id.to_owned(),
            label: cut(text_of(option, "name").unwrap_or(id), LABEL),
            kind: cut(text_of(option, "kind").unwrap_or_default(), LABEL),
        })
    });
    read.take(OPTIONS).collect()
}

/// A form that wants more than a yes cannot be filled in here.
fn elicitation(params: &Value) -> Result<Permission, Wrong> {
    let message = text_of(params, "message").ok_or(Wrong(BAD_PARAMS, "message is missing"))?;
    let option = |id: &str, kind: &str| PromptOption {
        id: id.to_owned(),
        label: id.to_owned(),
        kind: kind.to_owned(),
    };
    let wants_words = params
        .pointer("/requestedSchema/required")
        .and_then(Value::as_array)
        .is_some_and(|required| !required.is_empty());
    let accept = (!wants_words).then(|| option("accept", "allow_once"));
    Ok(Permission {
        tool: ToolUse {
            id: String::new(),
            name: cut(message, QUESTION),
            kind: Some(ToolKind::Other),
            input: params.get("url").cloned().unwrap_or(Value::Null),
            paths: Vec::new(),
        },
        options: accept
            .into_iter()
            .chain([option("decline", "reject_once")])
            .collect(),
    })
}

fn path(params: &Value, name: &'static str) -> Result<PathBuf, Wrong> {
    let path = text_of(params, name).filter(|path| !path.is_empty() && path.len() <= 4096);
    path.map(PathBuf::from)
        .ok_or(Wrong(BAD_PARAMS, "path is missing or too long"))
}

fn command(params: &Value) -> Result<TerminalCommand, Wrong> {
    let command = text_of(params, "command").filter(|command| !command.is_empty());
    let command = command.ok_or(Wrong(BAD_PARAMS, "command is missing"))?;
    let args = items_of(params, "args");
    let mut words = vec![command.to_owned()];
    for arg in args.iter().take(WORDS) {
        let word = arg.as_str().ok_or(Wrong(BAD_PARAMS, "an argument is no text"))?;
        words.push(word.to_owned());
    }
    let bytes: usize = words.iter().map(String::len).sum();
    if args.len() > WORDS || bytes > WORD_BYTES || words.iter().any(|word| word.contains('\0')) {
        return Err(Wrong(BAD_PARAMS, "the command is too long, or holds a NUL"));
    }
    let variables = items_of(params, "env")
        .iter()
        .take(VARIABLES)
        .filter_map(|variable| {
            let name = text_of(variable, "name")?;
            Some((name.to_owned(), text_of(variable, "value")?.to_owned()))
        });
    let keep = params.get("outputByteLimit").and_then(Value::as_u64);
    Ok(TerminalCommand {
        words,
        directory: text_of(params, "cwd").map(PathBuf::from),
        variables: variables.collect(),
        keep: keep.map(|keep| usize::try_from(keep).unwrap_or(usize::MAX)),
    })
}

fn terminal(params: &Value) -> Result<TerminalId, Wrong> {
    let number = text_of(params, "terminalId")
        .and_then(|id| id.strip_prefix("terminal-"))
        .and_then(|number| number.parse().ok());
    number
        .map(TerminalId)
        .ok_or(Wrong(BAD_PARAMS, "there is no such terminal"))
}

impl Form {
    /// Returns the result to be sent, or the code and the words of a refusal.
    pub(super) fn answer(&self, answer: Answered) -> Result<Value, (i64, String)> {
        match self {
            Self::Permission(options) => Ok(choice(options, ruling(&answer))),
            Self::Elicitation => Ok(match ruling(&answer) {
                Ruling::Allowed => json!({"action": "accept", "content": {}}),
                Ruling::Refused => json!({"action": "decline"}),
                Ruling::Unanswered => json!({"action": "cancel"}),
            }),
            Self::Act => done(answer),
        }
    }

    /// Returns the answer to a request that nobody is asked about, since too many are open.
    pub(super) fn surplus(&self) -> Result<Value, (i64, String)> {
        match self {
            Self::Permission(_) | Self::Elicitation => self.answer(Answered::Ruled(Ruling::Refused)),
            Self::Act => Err((REFUSED, "too many requests are open".to_owned())),
        }
    }

    /// Returns the answer to a question that is withdrawn with its turn.
    pub(super) fn withdrawn(&self) -> Result<Value, (i64, String)> {
        match self {
            Self::Permission(_) | Self::Elicitation => self.answer(Answered::Ruled(Ruling::Unanswered)),
            Self::Act => Err((REFUSED, "the turn was cancelled".to_owned())),
        }
    }
}

fn ruling(answer: &Answered) -> Ruling {
    match answer {
        Answered::Ruled(ruling) => *ruling,
        Answered::Read(_)
        | Answered::Done
        | Answered::Started(_)
        | Answered::Output(_)
        | Answered::Exited(_)
        | Answered::Denied(_) => Ruling::Refused,
    }
}

/// Picks the option for a ruling. An answer holds for this once: where only an answer for ever would do, there is none.
fn choice(options: &[PromptOption], ruling: Ruling) -> Value {
    let of_kind = |kind: &str| options.iter().find(|option| option.kind == kind);
    let picked = match ruling {
        Ruling::Allowed => of_kind("allow_once").or_else(|| of_kind("reject_once")),
        Ruling::Refused => of_kind("reject_once"),
        Ruling::Unanswered => None,
    };
    match picked {
        Some(option) => json!({"outcome": {"outcome": "selected", "optionId": option.id}}),
        None => json!({"outcome": {"outcome": "cancelled"}}),
    }
}

fn done(answer: Answered) -> Result<Value, (i64, String)> {
    match answer {
        Answered::Read(content) => Ok(json!({"content": content})),
        Answered::Done => Ok(json!({})),
        Answered::Started(TerminalId(number)) => Ok(json!({"terminalId": format!("terminal-{number}")})),
        Answered::Output(output) => Ok(shown(&output)),
        Answered::Exited(exit) => Ok(ended(&exit)),
        Answered::Denied(error) => Err(denied(&error)),
        Answered::Ruled(_) => Err((REFUSED, "it was not decided".to_owned())),
    }
}

fn shown(output: &TerminalOutput) -> Value {
    json!({
        "output": output.text,
        "truncated": output.truncated,
        "exitStatus": output.exit.as_ref().map(ended),
    })
}

fn ended(exit: &TerminalExit) -> Value {
    json!({"exitCode": exit.code, "signal": exit.signal})
}

/// Our own words, with the next step. Agents look at the code to know that there is no such file.
fn denied(error: &Error) -> (i64, String) {
    let is_absent = error.get_detail("reason").and_then(Value::as_str) == Some("not_found");
    let code = if is_absent { NOT_FOUND } else { REFUSED };
    let message = match error.hint_text() {
        Some(hint) => format!("{error}. {hint}"),
        None => error.to_string(),
    };
    (code, message)
}

#[cfg(test)]
mod tests {
    use argrail_acli::Code;

    use super::*;

    fn option(id: &str, kind: &str) -> PromptOption {
        PromptOption {
            id: id.to_owned(),
            label: id.to_owned(),
            kind: kind.to_owned(),
        }
    }

    #[test]
    fn an_answer_holds_for_this_once() {
        let check = |kinds: &[&str], ruling, want: Option<&str>| {
            let options: Vec<PromptOption> = kinds
                .iter()
                .map(|kind| option(&format!("o-{kind}"), kind))
                .collect();
            let want = match want {
                Some(kind) => json!({"outcome": {"outcome": "selected", "optionId": format!("o-{kind}")}}),
                None => json!({"outcome": {"outcome": "cancelled"}}),
            };
            assert_eq!(choice(&options, ruling), want, "{kinds:?} {ruling:?}");
        };
        let all = ["allow_always", "allow_once", "reject_always", "reject_once"];
        check(&all, Ruling::Allowed, Some("allow_once"));
        check(&all, Ruling::Refused, Some("reject_once"));
        check(&all, Ruling::Unanswered, None);
        check(
            &["allow_always", "reject_once"],
            Ruling::Allowed,
            Some("reject_once"),
        );
        check(&["allow_always", "reject_always"], Ruling::Allowed, None);
        check(&["allow_once", "reject_always"], Ruling::Refused, None);
        check(&["", "yes"], Ruling::Allowed, None);
        check(&[], Ruling::Allowed, None);
    }

    #[test]
    fn requests_are_read_leniently_and_bounded() {
        let check = |method: &str, params: Value, want: Result<Asked, i64>| {
            let came = read(method, &params, Serves::everything()).map_err(|Wrong(code, _)| code);
            assert_eq!(came, want, "{method} {params}");
        };
        check(
            "fs/read_text_file",
            json!({"sessionId": "s", "path": "/f", "line": 2, "limit": "odd"}),
            Ok(Asked::Act(Ask::Read(ReadFile {
                path: "/f".into(),
                line: Some(2),
                limit: None,
            }))),
        );
        check("fs/read_text_file", json!({"path": 7}), Err(BAD_PARAMS));
        check("fs/write_text_file", json!({"path": "/f"}), Err(BAD_PARAMS));
        check(
            "terminal/create",
            json!({"command": "ls", "args": ["-l"], "env": [{"name": "A", "value": "b"}, {}], "cwd": "/w", "outputByteLimit": 9}),
            Ok(Asked::Act(Ask::Start(TerminalCommand {
                words: vec!["ls".into(), "-l".into()],
                directory: Some("/w".into()),
                variables: vec![("A".into(), "b".into())],
                keep: Some(9),
            }))),
        );
        check(
            "terminal/create",
            json!({"command": "ls", "args": [1]}),
            Err(BAD_PARAMS),
        );
        check(
            "terminal/create",
            json!({"command": "x".repeat(300_000)}),
            Err(BAD_PARAMS),
        );
        check(
            "terminal/output",
            json!({"terminalId": "terminal-3"}),
            Ok(Asked::Act(Ask::Output(TerminalId(3)))),
        );
        check("terminal/kill", json!({"terminalId": "3"}), Err(BAD_PARAMS));
        check(
            "session/request_permission",
            json!({"options": []}),
            Err(BAD_PARAMS),
        );
        check("qwen/odd", json!({}), Err(NO_METHOD));
        let refused = read("fs/read_text_file", &json!({"path": "/f"}), Serves::default());
        assert_eq!(refused, Err(Wrong(NO_METHOD, "no such method")));
    }

    #[test]
    fn a_form_that_wants_words_can_only_be_declined() {
        let kinds = |params: Value| {
            let Ok(Asked::Elicitation(asked)) = read("elicitation/create", &params, Serves::default()) else {
                panic!("{params}")
            };
            asked
                .options
                .iter()
                .map(|option| option.id.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(kinds(json!({"message": "Go on?"})), ["accept", "decline"]);
        let form = json!({"message": "Name?", "requestedSchema": {"required": ["name"]}});
        assert_eq!(kinds(form), ["decline"]);
    }

    #[test]
    fn refusals_say_what_is_wrong_and_absence_has_its_own_code() {
        let error = Error::new(Code::PermissionDenied, "no").hint("Ask a person");
        assert_eq!(
            done(Answered::Denied(error)),
            Err((REFUSED, "no. Ask a person".to_owned()))
        );
        let error = Error::new(Code::ExecutionError, "gone").detail("reason", "not_found");
        assert_eq!(done(Answered::Denied(error)), Err((NOT_FOUND, "gone".to_owned())));
    }
}
