//! A call of a bundle's program: by the contract of a `TOOL.md`, or past all of them by the program's own grammar.
//!
//! What a contract says in its own words becomes the program's words by its template, and those are what is judged,
//! asked about, recorded and run: where the catalogue knows the program, its word about them counts, and what the
//! contract's author adds only tightens. Where nobody knows it, the contract's claims are a stranger's.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use argrail_acli::{Answer, Code, Error, Text, nearest};
use argrail_spec::atip::{ExitMeaning, Invoked, OutputFormat, Unverified, Why};
use argrail_spec::bundle::{self, BundleTool, OutputRules};
use argrail_spec::cli_md::{Format, Stream};
use argrail_spec::tool_md::{self, Backoff, ToolMd};

use super::claimants::tighten;
use super::shop::Shop;
use super::tool::{BundleRuns, Said, Tool};
use crate::catalog::bundle::{BundleStanding, Held};
use crate::output::{self, Collected};
use crate::policy::{Approval, Basis, CostClass, Egress, Facts, Wish};

/// The most times that a call is tried again, and the longest pause between two.
const MOST_AGAIN: u64 = 19;
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A call by the contract of a tool of a bundle.
#[derive(Debug, Clone)]
pub(super) struct Contract {
    held: Arc<Held>,
    index: usize,
}

/// Whether the program is made to print data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// What the answer is made of.
    Data,
    /// What it prints for people: its words go through as they are.
    Words,
}

/// A bundle's call, read.
pub(super) struct Order {
    /// What is known of it.
    pub(super) facts: Facts,
    /// The words that run, without the program.
    pub(super) words: Vec<String>,
    /// The contract that it is called by, if it is by one.
    pub(super) contract: Option<Contract>,
}

impl Contract {
    /// Returns the bundle for whoever outlives the call.
    pub(super) fn shared(&self) -> Arc<Held> {
        Arc::clone(&self.held)
    }

    /// Returns the tool.
    pub(super) fn tool(&self) -> Option<&BundleTool> {
        self.held.bundle.tools.get(self.index)
    }

    /// Returns where the program prints what it found.
    fn stream(&self) -> Stream {
        let rules = self.tool().map(|tool| tool.output(&self.held.bundle.cli));
        rules.map_or(Stream::Stdout, |rules| rules.stream)
    }

    /// Returns how long to wait before each time that a failed call is tried again: only for what can be repeated.
    pub(super) fn pauses(&self) -> Vec<Duration> {
        let tool = self
            .tool()
            .map(|tool| &tool.tool)
            .filter(|tool| tool.idempotent == Some(true));
        let Some(retry) = tool.and_then(|tool| tool.retry.as_ref()) else {
            return Vec::new();
        };
        let first = Duration::from_millis(retry.initial_ms.unwrap_or_default());
        let again = retry.max_attempts.saturating_sub(1).min(MOST_AGAIN);
        let pause = |number: u64| match retry.backoff {
            Backoff::Fixed => first,
            Backoff::Exponential => first.saturating_mul(1 << number.min(16)),
        };
        (0..again)
            .map(|number| pause(number).min(LONGEST_PAUSE))
            .collect()
    }

    /// Returns where what was asked for is, as far as that is known before the program runs.
    pub(super) fn results(&self) -> output::Stream {
        match self.stream() {
            Stream::Stderr => output::Stream::Stderr,
            Stream::Stdout | Stream::Mixed => output::Stream::Stdout,
        }
    }

    /// A program that prints what it found on either stream has printed it where something is.
    pub(super) fn mix(&self, collected: &mut Collected) {
        let nothing = collected.stdout.head.trim_ascii().is_empty();
        if self.stream() == Stream::Mixed && nothing {
            collected.results = output::Stream::Stderr;
        }
    }

    /// Holds an answer against what the contract promises, if the program was to print data.
    ///
    /// # Errors
    /// `OUTPUT_PARSE_FAILED`, with the place.
    pub(super) fn promised(&self, answer: Answer, format: OutputFormat) -> Result<Answer, Error> {
        match format {
            OutputFormat::Text | OutputFormat::Binary | OutputFormat::Ndjson => Ok(answer),
            OutputFormat::Json | OutputFormat::Yaml => {
                self.held.check_output(self.index, answer.data())?;
                Ok(answer)
            }
        }
    }
}

impl Shop {
    /// Reads the words of a call of a bundle's program.
    ///
    /// # Errors
    /// When the bundle is not what was accepted, or neither a contract nor the program's description fits the words.
    pub(super) fn order(
        &self,
        tool: &Tool,
        runs: &BundleRuns,
        words: &[String],
        (directory, wanted): (&Path, Wanted),
    ) -> Result<Order, Error> {
        accepted(runs)?;
        let bundle = &runs.held.bundle;
        if let Some(index) = contract_of(&bundle.tools, words) {
            return self.by_contract(tool, runs, index, words, (directory, wanted));
        }
        match &runs.behind {
            Some(behind) => self.past(behind, runs, words, (directory, wanted)),
            None => Err(no_contract(&tool.name, &bundle.tools, words)),
        }
    }

    /// Reads words that no contract is for, in the program's own grammar.
    fn past(
        &self,
        behind: &Tool,
        runs: &BundleRuns,
        words: &[String],
        (directory, wanted): (&Path, Wanted),
    ) -> Result<Order, Error> {
        let bundle = &runs.held.bundle;
        let mut words: Vec<String> = words.to_vec();
        let mut facts = self.facts(behind, &words, directory)?;
        if wanted == Wanted::Data
            && let Some(json) = facts.invoked.output.json_words.clone()
        {
            words = super::attempt::with_json(words, json);
            facts = self.facts(behind, &words, directory)?;
        }
        let meant = meant(&bundle.tools, &words, &facts.invoked);
        if let Some(one) = meant {
            // Another name of the command, or an option before it, leads to the same contract.
            if one.tool.is_closed() {
                return Err(closed(&runs.held.head.about.id, one));
            }
            facts.approval = approval(&one.tool);
        }
        let approval = facts.approval.clone();
        let front = bundle.cli.bin_args.iter().map(|word| word.value.clone());
        let words: Vec<String> = front.chain(words).collect();
        if !bundle.cli.bin_args.is_empty() {
            // What is judged is what runs.
            facts = self.facts(behind, &words, directory)?;
            facts.approval = approval;
        }
        let codes = bundle
            .cli
            .output
            .as_ref()
            .and_then(|output| output.exit_codes.as_ref());
        for (code, word) in codes.iter().flat_map(|codes| codes.iter()) {
            let known = facts.invoked.exits.entry(i32::from(code));
            known.or_insert_with(|| exit_meaning(word));
        }
        if bundle.cli.auth.is_some() {
            facts
                .invoked
                .authentication
                .clone_from(&runs.held.metadata.authentication);
        }
        Ok(Order {
            facts,
            words,
            contract: None,
        })
    }

    fn by_contract(
        &self,
        tool: &Tool,
        runs: &BundleRuns,
        index: usize,
        words: &[String],
        (directory, wanted): (&Path, Wanted),
    ) -> Result<Order, Error> {
        let held = &runs.held;
        let Some(one) = held.bundle.tools.get(index) else {
            return Err(no_contract(&tool.name, &held.bundle.tools, words));
        };
        let said = match tool.read(words) {
            Ok(said) => said,
            // Inputs that their author closed have no others.
            Err(problem) if one.tool.is_closed() => return Err(problem.into()),
            // Whoever knows the program itself may call it as it is, where somebody vouches for what that does.
            Err(problem) => {
                let past = runs
                    .behind
                    .as_ref()
                    .map(|behind| self.past(behind, runs, words, (directory, wanted)));
                return match past {
                    Some(Ok(order)) if order.facts.basis == Basis::Settled => Ok(order),
                    Some(_) | None => Err(problem.into()),
                };
            }
        };
        let name = called(&tool.name, &one.words);
        let input = bundle::input(one, &said.invoked).map_err(|error| error.refusal(&name))?;
        held.check_input(index, &input, &name)?;
        let rules = one.output(&held.bundle.cli);
        let json = match (bundle::json_given(&said.invoked), wanted) {
            (Some(given), _) => given,
            (None, Wanted::Data) => rules.json_words.clone(),
            (None, Wanted::Words) => Vec::new(),
        };
        let made = |json: &[String]| {
            let argv = one.argv_with(&held.bundle.cli, &input, json);
            argv.map_err(|error| error.refusal(&name))
        };
        let mut argv = made(&json)?;
        let mut json = json;
        if !json.is_empty() && bundle::json_given(&said.invoked).is_none() && !one.names_json_flag() {
            let plain = made(&[])?;
            if lacks(runs.behind.as_ref(), &plain, &argv) {
                (argv, json) = (plain, Vec::new());
            }
        }
        let format = match json.is_empty() {
            true => format(rules.format),
            false => OutputFormat::Json,
        };
        let mut facts = self.judged_by(tool, (runs, one), said, &argv, directory);
        facts.approval = approval(&one.tool);
        facts.origins.insert("approval".to_owned(), held.origin());
        if one.tool.idempotent == Some(false) {
            facts.invoked.effects.idempotent = Some(false);
        }
        facts.invoked.output.format = format;
        facts.invoked.exits = exits(&rules);
        Ok(Order {
            facts,
            words: argv,
            contract: Some(Contract {
                held: Arc::clone(held),
                index,
            }),
        })
    }

    /// What is known of the words that run: by whoever settles what the program does, or else by the contract's claims.
    fn judged_by(
        &self,
        tool: &Tool,
        (runs, contract): (&BundleRuns, &BundleTool),
        said: Said,
        argv: &[String],
        directory: &Path,
    ) -> Facts {
        let known = runs
            .behind
            .as_ref()
            .map(|behind| self.facts(behind, argv, directory));
        let authentication = said.invoked.authentication.clone();
        let refused = matches!(known, Some(Err(_)));
        if let Some(Ok(mut facts)) = known
            && facts.basis == Basis::Settled
        {
            if authentication.is_some() {
                facts.invoked.authentication = authentication;
            }
            let claims = &said.invoked.effects;
            let spoken = facts.invoked.effects.clone();
            tighten(&mut facts.invoked, &spoken, claims, |effect| {
                let origin = facts.origins.entry(effect.to_owned());
                origin.or_insert_with(|| runs.held.origin());
            });
            if facts.invoked.effects.network == Some(true) && spoken.network.is_none() {
                facts.egress = Egress::Public;
            }
            return facts;
        }
        let mut invoked: Invoked = said.invoked;
        if refused {
            // Whoever knows the program does not know these words: a person does the knowing.
            let options = argv.iter().filter(|word| word.starts_with('-'));
            invoked.unverified.extend(options.map(|word| Unverified {
                text: word.clone(),
                why: Why::UnknownWord,
            }));
        }
        let suspected = self.suspected_paths(&invoked, directory);
        invoked.suspected_paths.extend(suspected);
        let egress = match invoked.effects.network {
            Some(true) => hosts(runs, contract),
            Some(false) | None => Egress::None,
        };
        Facts {
            paths: self.paths(&invoked, directory),
            basis: Basis::Claimed,
            origins: said.origins,
            trust: tool.trust.clone(),
            egress,
            approval: Approval::default(),
            programs: Vec::new(),
            inner: Vec::new(),
            invoked,
        }
    }
}

/// The contract whose subcommand is the longest that the words begin with.
fn contract_of(tools: &[BundleTool], words: &[String]) -> Option<usize> {
    let fits = tools
        .iter()
        .enumerate()
        .filter(|(_, tool)| words.starts_with(&tool.words));
    fits.max_by_key(|(_, tool)| tool.words.len())
        .map(|(index, _)| index)
}

/// The contract that words in the program's own grammar lead to. Where nobody understands them all, it is one whose
/// words stand anywhere among them: an unknown option before a subcommand hides it from whoever reads, and not from the
/// program.
fn meant<'t>(tools: &'t [BundleTool], words: &[String], invoked: &Invoked) -> Option<&'t BundleTool> {
    let exact = tools.iter().find(|tool| tool.words == invoked.path);
    let hidden = || {
        let is_among = |tool: &&BundleTool| {
            let count = tool.words.len();
            count > 0 && words.windows(count).any(|some| some == tool.words)
        };
        tools
            .iter()
            .find(is_among)
            .filter(|_| !invoked.unverified.is_empty())
    };
    exact.or_else(hidden)
}

/// Whether somebody who describes the program knows a command and does not know it with what a bundle adds to every one
/// of its commands: `gh pr create` has no `--json`.
fn lacks(behind: Option<&Tool>, plain: &[String], with: &[String]) -> bool {
    let Some(behind) = behind.filter(|behind| !behind.is_undescribed()) else {
        return false;
    };
    let is_known = |words: &[String]| {
        let said = behind.read(words);
        said.is_ok_and(|said| said.invoked.unverified.is_empty())
    };
    is_known(plain) && !is_known(with)
}

/// A way around a contract that takes no other inputs than its own.
fn closed(id: &str, tool: &BundleTool) -> Error {
    let command = called(id, &tool.words);
    let what =
        Text::new("Invalid argument: {} takes the inputs of its contract and no others").value(&command);
    Error::invalid(what, Text::new("See which there are: help {}").value(command))
}

fn called(name: &str, words: &[String]) -> String {
    let all = std::iter::once(name).chain(words.iter().map(String::as_str));
    all.collect::<Vec<_>>().join(" ")
}

/// The hosts that the block of a bundle names, which a person accepted with it. What metadata claims opens none, so they
/// are read from the block itself; whether the call may talk at all is asked as for any claim.
fn hosts(runs: &BundleRuns, contract: &BundleTool) -> Egress {
    match &runs.standing {
        BundleStanding::Accepted => Egress::Names(runs.held.bundle.hosts(contract)),
        BundleStanding::Unpinned | BundleStanding::Changed(_) => Egress::Names(Vec::new()),
    }
}

/// A bundle that changed is a stranger's again.
fn accepted(runs: &BundleRuns) -> Result<(), Error> {
    let BundleStanding::Changed(files) = &runs.standing else {
        return Ok(());
    };
    let root = runs.held.head.root.to_string_lossy();
    let what = Text::new("the bundle {} is not what was accepted").value(runs.held.head.identity());
    Err(Error::new(Code::SetupRequired, what)
        .hint(Text::new("A person has to look at what changed, with: argrail add {}").value(root))
        .detail("pending", vec!["trust"])
        .detail("changed", files.iter().take(20).cloned().collect::<Vec<_>>()))
}

fn no_contract(name: &str, tools: &[BundleTool], words: &[String]) -> Error {
    let all: Vec<String> = tools.iter().map(|tool| called(name, &tool.words)).collect();
    let given = called(name, words);
    let hint = match nearest(&given, all.iter().map(String::as_str)) {
        Some(near) => Text::new("Did you mean {}?").value(near),
        None => Text::new("Run 'help {}' for its commands").value(name),
    };
    Error::new(
        Code::CommandNotFound,
        Text::new("Command not found: {}").value(given),
    )
    .hint(hint)
}

/// What the author of a contract wishes.
fn approval(tool: &ToolMd) -> Approval {
    Approval {
        wish: match tool.effective_approval() {
            tool_md::Approval::Auto => Wish::Auto,
            tool_md::Approval::OnMutate => Wish::OnMutate,
            // A policy that we cannot look up is one that may say no.
            tool_md::Approval::Always | tool_md::Approval::Policy(_) => Wish::Always,
        },
        mutates: tool
            .mutates
            .iter()
            .map(|mutation| mutation.value.to_string())
            .collect(),
        risk_level: tool.risk_level.unwrap_or_default(),
        cost_class: match tool.cost_class {
            None | Some(tool_md::CostClass::Trivial) => CostClass::Trivial,
            Some(tool_md::CostClass::Metered) => CostClass::Metered,
            Some(tool_md::CostClass::Expensive) => CostClass::Expensive,
        },
    }
}

fn format(format: Format) -> OutputFormat {
    match format {
        Format::Text => OutputFormat::Text,
        Format::Json => OutputFormat::Json,
        Format::Yaml => OutputFormat::Yaml,
        Format::Binary => OutputFormat::Binary,
    }
}

/// What exit codes mean, in the words that answers are made by.
fn exits(rules: &OutputRules) -> std::collections::BTreeMap<i32, ExitMeaning> {
    let codes = rules.exit_codes.iter();
    codes
        .map(|(code, word)| (i32::from(*code), exit_meaning(word)))
        .collect()
}

/// A word that is none of the draft's is the author's own, and is kept.
fn exit_meaning(word: &str) -> ExitMeaning {
    match word {
        "ok" => ExitMeaning::Ok,
        "error" => ExitMeaning::Error,
        "usage_error" => ExitMeaning::UsageError,
        "auth_required" => ExitMeaning::AuthRequired,
        "not_found" => ExitMeaning::NotFound,
        "timeout" => ExitMeaning::Timeout,
        "killed" => ExitMeaning::Killed,
        other => ExitMeaning::Other(other.to_owned()),
    }
}
