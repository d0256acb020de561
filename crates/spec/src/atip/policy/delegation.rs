//! Whether a delegation covers a command. Pure: the words were parsed by whoever asks.

use super::super::model::Effects;
use super::restriction;
use super::types::{Delegation, DeniedCommand};

/// A command as the tool's own grammar reads it.
#[derive(Debug, Clone, Copy)]
pub struct Invocation<'a> {
    /// The tool.
    pub tool: &'a str,
    /// The subcommands, in order.
    pub path: &'a [&'a str],
    /// Each option that is given, with all its spellings.
    pub flags: &'a [&'a [&'a str]],
    /// The words that are neither.
    pub operands: &'a [&'a str],
    /// What is known of its effects, inherited ones included.
    pub effects: &'a Effects,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The delegation covers it.
    Allowed,
    /// `allowedTools` does not name the tool.
    ToolNotAllowed,
    /// `deniedCommands` names it.
    CommandDenied {
        /// The entry.
        rule: String,
    },
    /// An effect is not within `effectRestrictions`, or is not known to be.
    EffectRestricted {
        /// The effect.
        effect: String,
    },
}

/// Judges `invocation`: a tool that is not named, a command that is, and an effect that is not known to be within
/// its restriction are refused.
pub fn judge(delegation: &Delegation, invocation: &Invocation<'_>) -> Verdict {
    let allowed = delegation.allowed_tools.as_ref();
    if allowed.is_some_and(|tools| !tools.iter().any(|tool| tool == invocation.tool)) {
        return Verdict::ToolNotAllowed;
    }
    let denied = delegation.denied_commands.iter();
    if let Some(rule) = denied.into_iter().find(|rule| covers(rule, invocation)) {
        return Verdict::CommandDenied {
            rule: rule.text.clone(),
        };
    }
    let mut restrictions = delegation.effect_restrictions.iter();
    match restrictions.find(|one| !restriction::holds(invocation.effects, &one.effect, &one.value)) {
        Some(one) => Verdict::EffectRestricted {
            effect: one.effect.clone(),
        },
        None => Verdict::Allowed,
    }
}

/// Whether an entry speaks of this command: the tool and its words in order, and every flag of it among those given.
fn covers(rule: &DeniedCommand, invocation: &Invocation<'_>) -> bool {
    let Some((tool, words)) = rule.words.split_first() else {
        return false;
    };
    let (flags, plain): (Vec<&str>, Vec<&str>) = words
        .iter()
        .map(String::as_str)
        .partition(|word| word.starts_with('-'));
    let mut said = invocation.path.iter().chain(invocation.operands);
    tool == invocation.tool
        && plain.iter().all(|word| said.next() == Some(word))
        && flags.iter().all(|flag| given(flag, invocation.flags))
}

fn given(flag: &str, flags: &[&[&str]]) -> bool {
    flags.iter().any(|spellings| spellings.contains(&flag))
}
