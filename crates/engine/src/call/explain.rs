//! Why a command would run, ask or be refused: the same path, up to where something would be started.

use argrail_acli::{Caller, Error, ExpandedWord, KnownOnly, Mask, mask_json};
use serde_json::{Value, json};

use super::attempt::Reading;
use super::bundle::Wanted;
use super::secrets::CallSecrets;
use super::shop::Shop;
use super::tool::Runs;
use super::written_out::check_written_out;
use crate::consent::Code;
use crate::policy::{Danger, Decision};
use crate::refusal::fix;

/// A command, understood and judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// The decision with its reasons.
    pub decision: Decision,
    /// The command without its arguments: `git push`.
    pub command: String,
    /// The words that would run, the program first.
    pub argv: Vec<String>,
    /// What it changes, as far as it is known.
    pub effects: Value,
    /// What of it is dangerous, with that of the commands inside it.
    pub dangers: Vec<Danger>,
    /// What it would run in.
    pub sandbox: Value,
    /// What to write instead, if it would wait for a person.
    pub prompts: Option<String>,
}

/// Explains the command that `words` are, of which a shell would have replaced those of `expanded`.
///
/// # Errors
/// When there is no such tool, or it would not understand the words.
pub fn explain(
    shop: &Shop,
    (words, expanded): (&[String], &[ExpandedWord]),
    caller: &Caller,
) -> Result<Explained, Error> {
    let Reading {
        tool,
        facts,
        words,
        contract,
    } = shop.read(words, caller, Wanted::Data)?;
    check_written_out(&facts, expanded, &shop.directory(caller))?;
    let CallSecrets { mask, .. } = shop.call_secrets(&tool, Some(&facts));
    let mut decision = shop.decided(&facts, caller)?;
    let (argv, code) = (words, Code::of(&facts));
    let found = match &tool.runs {
        Runs::Program(found) => found.clone(),
        Runs::Bundle(runs) => shop.bundle_program(runs).ok(),
        Runs::Server | Runs::Manifest(_) => None,
    };
    let sandbox = match &found {
        Some(program) => match shop.held_in(
            &tool,
            program,
            (&facts, contract.as_ref()),
            decision.terms(),
            caller,
        ) {
            Ok(profile) => profile.summary(),
            Err(refusal) => {
                json!({"refused": {"field": refusal.field, "reason": refusal.reason, "fix": fix(&refusal)}})
            }
        },
        None => Value::Null,
    };
    let program = found.map_or_else(
        || tool.name.clone(),
        |program| program.to_string_lossy().into_owned(),
    );
    let command = std::iter::once(&tool.name).chain(&facts.invoked.path);
    let argv: Vec<String> = std::iter::once(program).chain(argv).collect();
    let effects = serde_json::to_value(&facts.invoked.effects).unwrap_or_default();
    for reason in &mut decision.reasons {
        reason.effect = mask.mask_known(&reason.effect).into_owned();
    }
    let command = command.cloned().collect::<Vec<_>>().join(" ");
    let told = |mut value: Value| {
        mask_json(&KnownOnly(&mask), &mut value);
        value
    };
    Ok(Explained {
        decision,
        command: mask.mask_known(&command).into_owned(),
        argv: code.masked(&argv, &mask),
        effects: told(effects),
        sandbox: told(sandbox),
        dangers: facts.dangers(),
        prompts: facts.prompts().map(str::to_owned),
    })
}
