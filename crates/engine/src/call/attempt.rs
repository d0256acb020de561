//! The whole path of one call.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use argrail_acli::{Answer, Call, Caller, Error, Text};
use argrail_spec::atip::{Delegation, allows_tool};

use super::bundle::{Contract, Order, Wanted};
use super::delivery::Passthrough;
use super::judge::Judged;
use super::plan::{Plan, Read};
use super::shop::Shop;
use super::tool::{Runs, Tool};
use super::written_out::check_written_out;
use crate::policy::{CarriedOut, Facts, Rules};

/// A call, read.
pub(super) struct Reading {
    /// The tool.
    pub(super) tool: Arc<Tool>,
    /// What is known of the call.
    pub(super) facts: Facts,
    /// The words as they will run, without the program.
    pub(super) words: Vec<String>,
    /// The contract of a bundle that it is called by.
    pub(super) contract: Option<Contract>,
}

/// Answers a call of a tool: the words are read, judged, fixed, agreed to where that is needed, and run, in this order.
///
/// # Errors
/// Why it did not run, or how it failed; in our words, with the tool's own as data.
pub(super) async fn attempt(shop: &Shop, call: &Call) -> Result<Answer, Error> {
    shop.tidy(call).await;
    let Reading {
        tool,
        facts,
        words,
        contract,
    } = shop.read(call.words(), call.caller(), wanted(call))?;
    let secrets = shop.call_secrets(&tool, Some(&facts));
    call.conceal(Arc::new(secrets.mask.clone()));
    check_written_out(&facts, call.expanded_words(), &shop.directory(call.caller()))?;
    answerable(&facts)?;
    let input = input(&tool, call.words().get(1..).unwrap_or_default())?;
    let judged = shop.judge(facts, call)?;
    let read = Read {
        tool: &tool,
        words: &words,
        input,
        contract,
        facts: judged.facts(),
        terms: judged.terms(),
    };
    let mut plan = Plan::of(shop, read, call)?;
    shop.as_installed(&tool, &plan).await?;
    let check = plan.sign_in(shop, (&tool, judged.facts()), call)?;
    let approved = match judged {
        Judged::Approved(approved) => {
            shop.in_range(&tool, &plan).await?;
            shop.signed_in(check, call).await?;
            *approved
        }
        Judged::Asks(refused, rules) => {
            plan.holds(shop).await?;
            let asked = (refused, *rules);
            let consented = shop.consent(&mut plan, &tool, asked, (call, &secrets)).await?;
            shop.as_installed(&tool, &plan).await?;
            shop.in_range(&tool, &plan).await?;
            shop.signed_in(check, call).await?;
            shop.unchanged(consented, call).await?
        }
    };
    plan.run(shop, &tool, &approved, (call, &secrets)).await
}

/// What a tool of a manifest reads. It is held against the tool's schema before anybody is asked.
fn input(tool: &Tool, words: &[String]) -> Result<Vec<u8>, Error> {
    match &tool.runs {
        Runs::Manifest(manifest) => manifest.input(words),
        Runs::Program(_) | Runs::Server | Runs::Bundle(_) => Ok(Vec::new()),
    }
}

/// A person who runs a program themselves wants its own words.
fn wanted(call: &Call) -> Wanted {
    match call.context::<Passthrough>() {
        Some(passed) if passed.is_raw() => Wanted::Words,
        Some(_) | None => Wanted::Data,
    }
}

/// What would wait for a person is refused before anybody is asked: nobody could answer it.
fn answerable(facts: &Facts) -> Result<(), Error> {
    let Some(advice) = facts.prompts() else {
        return Ok(());
    };
    let what =
        Text::new("this command prompts, and nobody is there to answer: {}").value(&facts.invoked.tool);
    Err(Error::invalid(what, Text::new("Write {} instead").value(advice)))
}

/// Puts what makes the tool print JSON in the place of the `--json` that the caller wrote.
pub(super) fn with_json(words: Vec<String>, json: Vec<String>) -> Vec<String> {
    let at = words.iter().position(|word| word == "--json");
    let mut with = words;
    if let Some(at) = at {
        with.splice(at..=at, json);
    }
    with
}

impl Shop {
    /// Finds the tool and reads its words.
    pub(super) fn read(&self, words: &[String], caller: &Caller, wanted: Wanted) -> Result<Reading, Error> {
        self.read_at(words, &self.directory(caller), wanted)
    }

    /// The same, for words that start in a directory.
    pub(super) fn read_at(
        &self,
        words: &[String],
        directory: &Path,
        wanted: Wanted,
    ) -> Result<Reading, Error> {
        let (name, words) = words
            .split_first()
            .ok_or_else(|| Error::invalid("there is no command", "Run 'help' for available commands"))?;
        let tool = self.tool(name)?;
        if let Runs::Bundle(runs) = &tool.runs {
            let Order {
                facts,
                words,
                contract,
            } = self.order(&tool, runs, words, (directory, wanted))?;
            return Ok(Reading {
                tool,
                facts,
                words,
                contract,
            });
        }
        let mut words = words.to_vec();
        let mut facts = self.facts(&tool, &words, directory)?;
        if let Some(json) = facts.invoked.output.json_words.clone() {
            words = with_json(words, json);
            // What is judged is what runs.
            facts = self.facts(&tool, &words, directory)?;
        }
        Ok(Reading {
            tool,
            facts,
            words,
            contract: None,
        })
    }

    /// The rules that hold for this caller. A name can only add some.
    pub(super) fn rules(&self, caller: &Caller) -> Rules {
        let config = &self.stock.config;
        let delegations = self.delegations(caller);
        Rules {
            permission_policy: config.permission_policy.clone(),
            delegations: delegations
                .map(|(name, delegation)| (name, delegation.clone()))
                .collect(),
            grants: Vec::new(),
            hosts: config.hosts.clone(),
            home: self.surroundings.home.clone(),
            directory: self.directory(caller),
            carried_out: CarriedOut::Here,
        }
    }

    /// What the caller was given of another's rights, by name: to everybody of this process, and to it alone.
    fn delegations(&self, caller: &Caller) -> impl Iterator<Item = (String, &Delegation)> {
        let process = self.surroundings.delegation.as_ref();
        let process = process.map(|delegation| ("process".to_owned(), delegation));
        let configured = &self.stock.config.delegations;
        let named = caller
            .name
            .as_ref()
            .and_then(|name| configured.get_key_value(name));
        let named = named.map(|(name, delegation)| (format!("caller {name}"), delegation));
        process.into_iter().chain(named)
    }

    /// Whether the delegations of a caller leave it any call of a tool. Commands of argrail itself are no tools.
    pub fn is_delegated(&self, caller: &Caller, tool: &str) -> bool {
        let is_own = tool.starts_with("x-") || matches!(tool, "help" | "schema" | "version");
        let mut delegations = self.delegations(caller);
        is_own || delegations.all(|(_, delegation)| allows_tool(delegation, tool))
    }

    /// Where a caller's commands start: the first of its roots.
    pub(super) fn directory(&self, caller: &Caller) -> PathBuf {
        let first = caller.roots.first().map(PathBuf::as_path);
        first.unwrap_or(Path::new(&self.stock.directory)).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_callers_wish_for_json_becomes_the_tools_own_words() {
        let words = |text: &[&str]| -> Vec<String> { text.iter().map(|word| (*word).to_owned()).collect() };
        let check = |before: &[&str], after: &[&str]| {
            assert_eq!(with_json(words(before), words(&["-o", "json"])), words(after));
        };
        check(&["get", "pods", "--json"], &["get", "pods", "-o", "json"]);
        check(&["--json", "get"], &["-o", "json", "get"]);
        check(&["get"], &["get"]);
    }
}
