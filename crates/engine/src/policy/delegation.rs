//! What a lead agent delegated (ATIP §4.3). What is not covered is denied, whoever would approve it.
//!
//! Judged on the parsed command, with every spelling of its flags. A restriction refuses what is unknown: words that
//! nobody describes, commands inside that could not be read, programs whose text may do anything.

use argrail_spec::atip::{self, Flag, Given, Invocation, Verdict as Judged};

use super::case::Case;
use super::decision::{Reason, Verdict};
use super::wording::plain;

/// Says which delegation does not cover the call. Calls inside are judged by themselves.
pub(super) fn reasons(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let delegations = &case.rules.delegations;
    if delegations.is_empty() {
        return;
    }
    let invoked = &case.facts.invoked;
    let path: Vec<&str> = invoked.path.iter().map(String::as_str).collect();
    let operands: Vec<&str> = invoked.words.iter().map(|word| word.text.as_str()).collect();
    let flags: Vec<Flag<'_>> = invoked.options.iter().map(flag).collect();
    let invocation = Invocation {
        tool: &invoked.tool,
        path: &path,
        flags: &flags,
        operands: &operands,
        effects: &case.effects,
        certainty: case.certainty(),
    };
    let unread = case.facts.inner.len() < invoked.inner.len();
    for (name, delegation) in delegations {
        let mut deny = |rule, effect| {
            reasons.push(Reason {
                rule,
                origin: format!("delegation:{}", plain(name)),
                effect,
                verdict: Verdict::Deny,
            });
        };
        match atip::judge(delegation, &invocation) {
            Judged::Allowed => {}
            Judged::ToolNotAllowed => deny("delegation.allowedTools", plain(&invoked.tool)),
            Judged::CommandDenied { rule } => deny("delegation.deniedCommands", plain(&rule)),
            Judged::EffectRestricted { effect } => deny("delegation.effectRestrictions", plain(&effect)),
        }
        if unread {
            deny(
                "delegation.unknown",
                "a command inside that nobody can read".to_owned(),
            );
        }
        if !delegation.denied_commands.is_empty() && case.has_impure_program() {
            deny(
                "delegation.unknown",
                "a program inside that may run any command".to_owned(),
            );
        }
    }
}

fn flag(given: &Given) -> Flag<'_> {
    let spellings = if given.negated {
        // `--no-force` is not what a rule about `--force` means.
        vec![given.spelt.as_str()]
    } else {
        let all = given.spellings.iter().map(String::as_str);
        all.chain([given.spelt.as_str()]).collect()
    };
    Flag {
        spellings,
        values: given.values.iter().map(String::as_str).collect(),
    }
}
