//! What happens in a session, as records: which tool and when, never a prompt, an output or an input.

use argrail_acli::{Limited, Mask, is_invisible};
use argrail_engine::audit::{Action, Durability, Event};
use argrail_spec::digest::Digest;
use serde_json::{Value, json};

use super::governor::SessionGovernor;
use crate::governor::{Denied, Happening, ToolKind, ToolUse};

/// The most characters of a name that are kept, and the most paths.
const NAME: usize = 200;
const PATHS: usize = 16;

impl SessionGovernor {
    /// Writes down what happened.
    pub(super) fn keep(&self, what: Happening) -> Result<(), Denied> {
        let mut durability = Durability::Soon;
        let said = matches!(what, Happening::Observed { .. } | Happening::ObservedEnd { .. });
        let limited = said.then(|| self.admit()).and_then(Result::err);
        if limited.is_some_and(|limited| !limited.is_recorded()) {
            return Ok(());
        }
        let event = match what {
            Happening::Starting => {
                durability = Durability::Durable;
                self.event(Action::AgentStarted)
                    .with("cwd", self.terms.directory.to_string_lossy())
                    .with(
                        "sandbox",
                        json!({"profile": Digest::of(self.terms.sandbox.to_string()).to_string()}),
                    )
            }
            Happening::Ready { agent, session } => self
                .event(Action::AgentReady)
                .with("agent_name", agent.map(|name| self.told(&name)))
                .with("agent_session", self.told(&session)),
            Happening::TurnBegun { turn, bytes } => {
                self.begin(turn);
                self.event(Action::AgentTurn).with("prompt_bytes", bytes)
            }
            Happening::Observed { turn, tool } => {
                let event = self.used(self.event(Action::AgentObserved), &tool);
                event.with("turn", turn).with("observed", true)
            }
            Happening::ObservedEnd { turn, id, is_error } => self
                .event(Action::AgentReturned)
                .with("turn", turn)
                .with("tool_call", self.told(&id))
                .with("success", !is_error)
                .with("observed", true),
            Happening::TurnEnded { turn, outcome } => self
                .event(Action::AgentAnswered)
                .with("turn", turn)
                .with("outcome", self.told(&outcome)),
            Happening::Ended { code, signal } => self
                .event(Action::AgentEnded)
                .with("exit_code", code)
                .with("signal", signal),
        };
        let event = match limited {
            Some(limited) => event.with("refused_in_a_row", limited.in_a_row),
            None => event,
        };
        self.append(&event, durability)
    }

    /// Records that the agent asks too often, and returns that as an error. Of such refusals in a row only a few are
    /// recorded.
    pub(super) fn limited(&self, event: Event, limited: Limited) -> Denied {
        let error = limited.error();
        if !limited.is_recorded() {
            return error;
        }
        let event = event
            .with("success", false)
            .with("error_code", error.code().name())
            .with("refused_in_a_row", limited.in_a_row);
        // What is refused is refused, recorded or not.
        let _ = self.append(&event, Durability::Soon);
        error
    }

    /// An event of this session, without more.
    pub(super) fn event(&self, action: Action) -> Event {
        let agent = self.told(&self.terms.agent);
        let event = Event::new(action, &self.whose.caller.id, "agent", Some(&agent)).role("agent");
        let name = self.whose.caller.name.as_deref();
        let event = event
            .with("session", self.told(&self.terms.session))
            .with("cli_id", agent)
            .with(
                "user_context",
                json!({"caller": self.whose.caller.id, "name": name}),
            );
        match self.turn() {
            0 => event,
            turn => event.with("turn", turn),
        }
    }

    /// Foreign text as a record has it, without what nobody is told.
    pub(super) fn told(&self, text: &str) -> String {
        told(&self.door.shop().mask().mask(text))
    }

    /// Adds which tool it was. Names and paths are the agent's words, and a tool's may be a whole command.
    pub(super) fn used(&self, event: Event, tool: &ToolUse) -> Event {
        let told = |text: &str| self.told(text);
        let paths: Vec<String> = tool
            .paths
            .iter()
            .take(PATHS)
            .map(|path| told(&path.to_string_lossy()))
            .collect();
        let event = event
            .with("tool_call", told(&tool.id))
            .with("tool", told(&tool.name))
            .with("kind", tool.kind.map(word));
        match paths.is_empty() {
            true => event,
            false => event.with("paths", Value::from(paths)),
        }
    }

    /// Appends a record.
    pub(super) fn append(&self, event: &Event, durability: Durability) -> Result<(), Denied> {
        let shop = self.door.shop();
        let kept = shop.record().append(event, durability);
        kept.map(drop).map_err(|error| Denied::from(&error))
    }
}

/// The protocol-free word for a kind of act.
pub(super) fn word(kind: ToolKind) -> &'static str {
    match kind {
        ToolKind::Read => "read",
        ToolKind::Edit => "edit",
        ToolKind::Delete => "delete",
        ToolKind::Move => "move",
        ToolKind::Search => "search",
        ToolKind::Execute => "execute",
        ToolKind::Think => "think",
        ToolKind::Fetch => "fetch",
        ToolKind::SwitchMode => "switch_mode",
        ToolKind::Other => "other",
    }
}

/// Foreign text as a record has it: bounded, and nothing in it that could be mistaken.
fn told(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(NAME) {
        match is_invisible(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    if text.chars().nth(NAME).is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_bounded_and_visible() {
        assert_eq!(told("developer__shell"), "developer__shell");
        assert_eq!(told("a\u{1b}[2J\u{202e}"), r"a\u{1b}[2J\u{202e}");
        assert_eq!(told(&"x".repeat(9_999)).chars().count(), NAME + 1);
    }
}
