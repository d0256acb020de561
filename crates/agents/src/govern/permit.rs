//! Requests for permission: what the agent says it will do is judged as if it was called, and answered this once.
//!
//! That nobody has answered is never a no.

use std::path::{Path, PathBuf};

use argrail_acli::{Code, Error, Text};
use argrail_engine::audit::{Action, Durability};
use argrail_engine::call::{Act, Deed, FileAct, Reached, Shop, Stdin, Step, excerpt};
use argrail_engine::policy::CarriedOut;
use argrail_spec::digest::Digest;
use serde_json::{Value, json};

use super::bounds::{Bounds, shown};
use super::governor::SessionGovernor;
use super::happening::word;
use super::input::{self, Command, Wanted};
use super::line::{Joint, Piece};
use super::terms::Tools;
use super::{line, sh};
use crate::governor::{Permission, Ruling, ToolKind, ToolUse};

/// The most bytes of an input that anybody can be asked about.
const INPUT: usize = 256 * 1024;
/// How agents call our own tool when it was given to them as a server called `argrail`; every run of other signs is `_`.
/// The tool's name alone does not count: a tool of another server may have it.
const OURS: [&str; 4] = [
    "argrail_cli",
    "mcp_argrail_cli",
    "cli_argrail_mcp_server",
    "argrail_cli_mcp",
];

/// What is to be decided.
struct Matter {
    deed: Deed,
    /// Its words for people and the record, what it is first.
    words: Vec<String>,
    /// Whether the words say all of it.
    whole: Whole,
    directory: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whole {
    Words,
    Input,
}

impl SessionGovernor {
    /// Answers a request.
    pub(super) async fn ruled(&self, asked: Permission) -> Ruling {
        let tool = asked.tool;
        let event = self.used(self.event(Action::AgentPermitted), &tool);
        if let Err(limited) = self.admit() {
            self.limited(event.with("ruling", ruling_word(Ruling::Refused)), limited);
            return Ruling::Refused;
        }
        if self.is_ours(&tool) {
            let event = event
                .with("ruling", "allowed")
                .with("reason", "judged_when_called");
            return match self.append(&event.with("success", true), Durability::Soon) {
                Ok(()) => Ruling::Allowed,
                Err(_) => Ruling::Refused,
            };
        }
        let (event, durability, outcome) = match self.act(&tool) {
            Err(error) => (event, Durability::Soon, Err(error)),
            Ok((shop, act)) => {
                let agreement = shop.agree(&act, &self.whose).await;
                let mut event = event.with("command", self.told(&agreement.line));
                event.metadata.extend(agreement.notes);
                event.policy = agreement.policy;
                (event, agreement.durability, agreement.outcome.map(drop))
            }
        };
        let ruling = ruling(&outcome);
        let event = event
            .with("ruling", ruling_word(ruling))
            .with("success", ruling == Ruling::Allowed);
        let event = match &outcome {
            Ok(()) => event,
            Err(error) => failed(event, error),
        };
        match self.append(&event, durability) {
            Ok(()) => ruling,
            // What is not in the record was not said.
            Err(_) => Ruling::Refused,
        }
    }

    /// Whether it is a call of our own tool, which is judged when it comes in.
    fn is_ours(&self, tool: &ToolUse) -> bool {
        let plain = match tool.kind {
            None | Some(ToolKind::Other) => true,
            Some(
                ToolKind::Read
                | ToolKind::Edit
                | ToolKind::Delete
                | ToolKind::Move
                | ToolKind::Search
                | ToolKind::Execute
                | ToolKind::Think
                | ToolKind::Fetch
                | ToolKind::SwitchMode,
            ) => false,
        };
        // A question that is about no call is none of ours, whatever it says.
        let call = !tool.id.is_empty() && input::is_one_command(&tool.input);
        let named = OURS.contains(&plain_name(&tool.name).as_str());
        self.terms.tools == Tools::Served && plain && call && named
    }

    fn act(&self, tool: &ToolUse) -> Result<(std::sync::Arc<Shop>, Act), Error> {
        let shop = self.shop()?;
        let text = tool.input.to_string();
        if text.len() > INPUT {
            let what = Text::new("this has {} bytes, and nobody can be asked about more than {}");
            let what = what.number(text.len()).number(INPUT);
            return Err(Error::invalid(what, "Do it in several steps"));
        }
        let bounds = Bounds {
            terms: &self.terms,
            own: shop.own(),
        };
        let matter = self.matter(tool, &bounds)?;
        if let Deed::Commands(steps) = &matter.deed {
            let cli = self.door.cli()?;
            for step in steps {
                if !cli.permits(&step.words) {
                    return Err(Error::denied(&argrail_acli::join(&step.words)));
                }
            }
        }
        let facts = shop.deed(&matter.deed, &self.whose.caller, &self.origin());
        let mut about = json!({
            "kind": tool.kind.map_or("other", word),
            "by": "agent",
            "agent": self.terms.agent,
            "session": self.terms.session,
            "tool": self.told(&tool.name),
        });
        if matter.whole == Whole::Input {
            let pretty = serde_json::to_string_pretty(&tool.input).unwrap_or(text.clone());
            about["input"] = excerpt(&pretty);
        }
        let all = json!([tool.name, tool.kind.map(word), tool.input, tool.paths]);
        let act = Act {
            facts,
            carried_out: CarriedOut::ByAgent,
            line: argrail_acli::join(&matter.words),
            words: matter.words,
            directory: matter.directory,
            input: Digest::of(all.to_string()),
            content: None,
            sandbox: self.terms.sandbox.clone(),
            shown: about,
        };
        Ok((shop, act))
    }

    /// Whose word an act is.
    pub(super) fn origin(&self) -> String {
        format!("agent:{}", self.terms.agent)
    }

    fn matter(&self, tool: &ToolUse, bounds: &Bounds<'_>) -> Result<Matter, Error> {
        let unknown = |kind: &str| self.unknown(kind, tool);
        match tool.kind {
            Some(ToolKind::Execute) => Ok(self.execute(tool, bounds)),
            Some(ToolKind::Edit) => self.files(FileAct::Edit, tool, bounds),
            Some(ToolKind::Delete) => self.files(FileAct::Delete, tool, bounds),
            Some(ToolKind::Move) => self.files(FileAct::Move, tool, bounds),
            Some(ToolKind::Read) => self.files(FileAct::Read, tool, bounds),
            Some(ToolKind::Search) => self.files(FileAct::Search, tool, bounds),
            Some(ToolKind::Think) => Ok(Matter {
                deed: Deed::Nothing,
                words: vec!["think".to_owned()],
                ..unknown("think")
            }),
            Some(ToolKind::Fetch) => Ok(self.fetch(tool)),
            Some(kind @ (ToolKind::SwitchMode | ToolKind::Other)) => Ok(unknown(word(kind))),
            None => Ok(unknown("other")),
        }
    }

    fn unknown(&self, kind: &str, tool: &ToolUse) -> Matter {
        let words = vec![kind.to_owned(), tool.name.clone()];
        Matter {
            deed: Deed::Unknown(words.clone()),
            words,
            whole: Whole::Input,
            directory: self.terms.directory.clone(),
        }
    }

    fn execute(&self, tool: &ToolUse, bounds: &Bounds<'_>) -> Matter {
        // A command that nobody finds is one that only the agent's shell reads.
        let nobody_knows = || Matter {
            deed: Deed::Line(tool.name.clone()),
            ..self.unknown("execute", tool)
        };
        let Some(wanted) = input::command(&tool.input) else {
            return nobody_knows();
        };
        let text = wanted.command.text();
        let directory = wanted.directory.as_deref().unwrap_or(&self.terms.directory);
        let found = bounds.spot(directory).ok().filter(|spot| spot.real.is_dir());
        let Some(directory) = found.map(|spot| spot.real) else {
            return nobody_knows();
        };
        let read = pieces(&wanted).and_then(|pieces| Some((spelt(&pieces), steps(pieces, &directory)?)));
        match read {
            Some((words, steps)) => Matter {
                words,
                deed: Deed::Commands(steps),
                whole: Whole::Words,
                directory,
            },
            None => Matter {
                words: vec!["execute".to_owned(), text.clone()],
                deed: Deed::Line(text),
                whole: Whole::Input,
                directory,
            },
        }
    }

    /// Files are held against the bounds of the session first: what is outside of them is refused, whoever says yes.
    fn files(&self, act: FileAct, tool: &ToolUse, bounds: &Bounds<'_>) -> Result<Matter, Error> {
        let mut all = tool.paths.clone();
        all.extend(input::paths(&tool.input));
        let mut real: Vec<PathBuf> = Vec::new();
        for path in &all {
            let spot = bounds.spot(path)?;
            match act {
                FileAct::Read | FileAct::Search => bounds.readable(&spot)?,
                FileAct::Write | FileAct::Edit | FileAct::Delete | FileAct::Move => bounds.writable(&spot)?,
            }
            if !real.contains(&spot.real) {
                real.push(spot.real);
            }
        }
        let paths = real.iter().map(|path| shown(path));
        Ok(Matter {
            words: std::iter::once(act.as_str().to_owned()).chain(paths).collect(),
            deed: Deed::Files(act, real),
            whole: Whole::Input,
            directory: self.terms.directory.clone(),
        })
    }

    fn fetch(&self, tool: &ToolUse) -> Matter {
        let address = input::address(&tool.input);
        let granted = |host: &str| {
            let mut hosts = self.terms.policy.egress.iter();
            hosts.any(|pattern| pattern.matches(host))
        };
        let (from, reads, name) = match address {
            Some(address) if granted(&address.host) => (
                Reached::Granted(address.host.clone()),
                address.reads,
                address.host,
            ),
            Some(address) => (Reached::Elsewhere, address.reads, address.host),
            None => (Reached::Elsewhere, false, tool.name.clone()),
        };
        Matter {
            deed: Deed::Fetch { from, reads },
            words: vec!["fetch".to_owned(), name],
            whole: Whole::Input,
            directory: self.terms.directory.clone(),
        }
    }
}

/// The commands of what is wanted, if they are plain: a shell that is only given a line is that line.
fn pieces(wanted: &Wanted) -> Option<Vec<Piece>> {
    match &wanted.command {
        Command::Line(text) => line::read(text),
        Command::Words(words) => match sh::line(words) {
            Some(text) => line::read(text),
            None if words.is_empty() => None,
            None => Some(vec![Piece {
                joint: Joint::First,
                words: words.clone(),
            }]),
        },
    }
    .and_then(unwrapped)
}

/// A line that is nothing but a shell with a line is that line.
fn unwrapped(pieces: Vec<Piece>) -> Option<Vec<Piece>> {
    match pieces.as_slice() {
        [only] => match sh::line(&only.words) {
            Some(text) => line::read(text),
            None => Some(pieces),
        },
        _ => Some(pieces),
    }
}

/// The commands with the directories that they start in. `cd` leads those behind it elsewhere, if it cannot fail to.
fn steps(pieces: Vec<Piece>, directory: &Path) -> Option<Vec<Step>> {
    let leads = pieces
        .iter()
        .any(|piece| piece.words.first().is_some_and(|word| word == "cd"));
    let surely = pieces.iter().all(|piece| match piece.joint {
        Joint::First | Joint::And | Joint::Pipe => true,
        Joint::Then | Joint::Or => false,
    });
    if leads && !surely {
        return None;
    }
    let mut at = directory.to_owned();
    let mut steps = Vec::new();
    let mut pieces = pieces.into_iter().peekable();
    while let Some(piece) = pieces.next() {
        let piped = pieces.peek().is_some_and(|next| next.joint == Joint::Pipe) || piece.joint == Joint::Pipe;
        match piece.words.as_slice() {
            [cd, to] if cd == "cd" && !piped && !to.starts_with('-') => {
                at = at.join(to).canonicalize().ok().filter(|real| real.is_dir())?;
            }
            [cd, ..] if cd == "cd" => return None,
            _ => steps.push(Step {
                words: piece.words,
                directory: at.clone(),
                stdin: match piece.joint {
                    Joint::Pipe => Stdin::Piped,
                    Joint::First | Joint::Then | Joint::And | Joint::Or => Stdin::Nothing,
                },
            }),
        }
    }
    (!steps.is_empty()).then_some(steps)
}

/// The words of all commands, with what stands between them.
fn spelt(pieces: &[Piece]) -> Vec<String> {
    let mut words = Vec::new();
    for piece in pieces {
        let joint = match piece.joint {
            Joint::First => None,
            Joint::Then => Some(";"),
            Joint::And => Some("&&"),
            Joint::Or => Some("||"),
            Joint::Pipe => Some("|"),
        };
        words.extend(joint.map(str::to_owned));
        words.extend(piece.words.iter().cloned());
    }
    words
}

/// A name with every run of signs as `_`.
fn plain_name(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric());
    let parts: Vec<String> = parts
        .filter(|part| !part.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    parts.join("_")
}

fn ruling(outcome: &Result<(), Error>) -> Ruling {
    match outcome {
        Ok(()) => Ruling::Allowed,
        Err(error) => match (error.code(), error.get_detail("reason").and_then(Value::as_str)) {
            (Code::PermissionDenied, Some("approval_required" | "approval_expired")) => Ruling::Unanswered,
            _ => Ruling::Refused,
        },
    }
}

fn ruling_word(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Allowed => "allowed",
        Ruling::Refused => "refused",
        Ruling::Unanswered => "unanswered",
    }
}

/// Adds why it was not done.
pub(super) fn failed(event: argrail_engine::audit::Event, error: &Error) -> argrail_engine::audit::Event {
    let event = event.with("error_code", error.code().name());
    match error.get_detail("reason").and_then(Value::as_str) {
        Some(reason) => event.with("reason", reason),
        None => event,
    }
}
