//! Why a command would run, ask or be refused: the same path, up to where something would be started.

use argrail_acli::{Caller, Error};
use serde_json::{Value, json};

use super::attempt::Reading;
use super::bundle::Wanted;
use super::shop::Shop;
use super::tool::Runs;
use crate::policy::Decision;

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
    /// What it would run in.
    pub sandbox: Value,
    /// What to write instead, if it would wait for a person.
    pub prompts: Option<String>,
}

/// Explains the command that `words` are.
///
/// # Errors
/// When there is no such tool, or it would not understand the words.
pub fn explain(shop: &Shop, words: &[String], caller: &Caller) -> Result<Explained, Error> {
    let Reading {
        tool,
        facts,
        words,
        contract,
    } = shop.read(words, caller, Wanted::Data)?;
    let decision = shop.decided(&facts, caller)?;
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
                json!({"refused": {"field": refusal.field, "reason": refusal.reason, "fix": refusal.fix}})
            }
        },
        None => Value::Null,
    };
    let program = found.map_or_else(
        || tool.name.clone(),
        |program| program.to_string_lossy().into_owned(),
    );
    let command = std::iter::once(&tool.name).chain(&facts.invoked.path);
    Ok(Explained {
        decision,
        command: command.cloned().collect::<Vec<_>>().join(" "),
        argv: std::iter::once(program).chain(words).collect(),
        effects: serde_json::to_value(&facts.invoked.effects).unwrap_or_default(),
        sandbox,
        prompts: facts.prompts().map(str::to_owned),
    })
}
