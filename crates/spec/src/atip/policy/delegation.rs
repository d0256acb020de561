//! Whether a delegation covers a command. Pure: the words were parsed by whoever asks.
//!
//! A command that was not understood whole could be any that its known words begin, so an entry of `deniedCommands`
//! that it could be denies it, and no effect of it is known.

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
    /// Each option that is given.
    pub flags: &'a [Flag<'a>],
    /// The words that are neither.
    pub operands: &'a [&'a str],
    /// What is known of its effects, inherited ones included.
    pub effects: &'a Effects,
    /// Whether all of it was understood.
    pub certainty: Certainty,
}

/// An option that is given.
#[derive(Debug, Clone, Default)]
pub struct Flag<'a> {
    /// All its spellings.
    pub spellings: Vec<&'a str>,
    /// Its values.
    pub values: Vec<&'a str>,
}

/// How much of a command is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// Every word.
    Whole,
    /// There are words that nobody describes, or that come from elsewhere.
    Open,
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

/// Whether a delegation leaves any call of this tool open.
pub fn allows_tool(delegation: &Delegation, tool: &str) -> bool {
    let allowed = delegation.allowed_tools.as_ref();
    allowed.is_none_or(|tools| tools.iter().any(|allowed| allowed == tool))
}

/// Judges `invocation`: a tool that is not named, a command that is, and an effect that is not known to be within
/// its restriction are refused.
pub fn judge(delegation: &Delegation, invocation: &Invocation<'_>) -> Verdict {
    if !allows_tool(delegation, invocation.tool) {
        return Verdict::ToolNotAllowed;
    }
    let denied = delegation.denied_commands.iter();
    if let Some(rule) = denied.into_iter().find(|rule| covers(rule, invocation)) {
        return Verdict::CommandDenied {
            rule: rule.text.clone(),
        };
    }
    let unknown = Effects::default();
    let effects = match invocation.certainty {
        Certainty::Whole => invocation.effects,
        Certainty::Open => &unknown,
    };
    let mut restrictions = delegation.effect_restrictions.iter();
    match restrictions.find(|one| !restriction::holds(effects, &one.effect, &one.value)) {
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
    if tool != invocation.tool {
        return false;
    }
    let mut said = invocation.path.iter().chain(invocation.operands);
    let mut before: Option<&Flag<'_>> = None;
    for word in words {
        if word.starts_with('-') {
            match (given(word, invocation.flags), invocation.certainty) {
                (Found::No, Certainty::Whole) => return false,
                (Found::Flag(flag), _) => before = Some(flag),
                (Found::Bundle, _) | (Found::No, Certainty::Open) => before = None,
            }
            continue;
        }
        // In `kubectl delete -n prod` the last word is the flag's.
        if before
            .take()
            .is_some_and(|flag| flag.values.contains(&word.as_str()))
        {
            continue;
        }
        match (said.next(), invocation.certainty) {
            (Some(said), _) if *said == word => {}
            // The word may be among those that were not understood.
            (None, Certainty::Open) => {}
            (Some(_) | None, _) => return false,
        }
    }
    true
}

/// How the flag of an entry is given.
enum Found<'a> {
    /// As this option.
    Flag(&'a Flag<'a>),
    /// As several: `-rf`.
    Bundle,
    /// Not at all.
    No,
}

fn given<'a>(word: &str, flags: &'a [Flag<'a>]) -> Found<'a> {
    let spelt = |spelling: &str| flags.iter().find(|flag| flag.spellings.contains(&spelling));
    if let Some(flag) = spelt(word) {
        return Found::Flag(flag);
    }
    if let Some((name, value)) = word.split_once('=') {
        let same = |flag: &&Flag<'_>| flag.spellings.contains(&name) && flag.values.contains(&value);
        return flags.iter().find(same).map_or(Found::No, Found::Flag);
    }
    let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    let letters = letters.filter(|letters| letters.chars().nth(1).is_some());
    let all = letters.is_some_and(|letters| letters.chars().all(|one| spelt(&format!("-{one}")).is_some()));
    if all { Found::Bundle } else { Found::No }
}
