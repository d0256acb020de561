//! A program, run by an approved call: in its profile, listened to, and its words made data of.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use argrail_acli::{Answer, Call, Caller, Code, Error, Text};
use argrail_sandbox::{Cancel, OutputCallback, Refusal, Stdin};
use argrail_spec::digest::Digest;
use argrail_spec::identity::Identity;
use serde_json::json;

use super::attempt::Reading;
use super::bundle::{Contract, Wanted};
use super::bundle_entry::{Understood, with_output};
use super::delivery::{Passthrough, Reader, Streams, Words};
use super::intent::{Intent, intend};
use super::outcome::{explained, outcome, with_hooks, with_withheld};
use super::plan::{Frame, Read};
use super::secrets::CallSecrets;
use super::shop::Shop;
use super::tool::{Runs, Tool};
use crate::audit::Durability;
use crate::config::NetworkOverrides;
use crate::files::identity;
use crate::output::{self, CAP, Collector, End, Ending, Redactor, Secrets, Stream, interpret};
use crate::policy::{self, Approved, Confinement, Facts, Terms};
use crate::profile::{Ground, Profile, bounded, profile};
use crate::ready::{self, Asked, Check, CheckOutcome, Step};
use crate::refusal;
use crate::run::{self, ChildOwner, Order, Ran, apart, tried};

/// How long what a person runs may take: they can interrupt it.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A program that is to run, and in what.
pub(super) struct Plan {
    /// The program.
    pub(super) path: PathBuf,
    /// Its words, it first.
    argv: Vec<OsString>,
    /// What it runs in.
    pub(super) profile: Profile,
    /// The contract of a bundle that it is called by.
    contract: Option<Contract>,
}

impl Plan {
    /// Fixes a call of the program at `path`.
    ///
    /// # Errors
    /// When no sandbox could hold it.
    pub(super) fn of(shop: &Shop, read: &Read<'_>, path: PathBuf, caller: &Caller) -> Result<Self, Error> {
        Ok(Self {
            argv: argv(&path, read.words),
            profile: shop.profile(
                read.tool,
                &path,
                (read.facts, read.contract.as_ref()),
                read.terms,
                caller,
            )?,
            contract: read.contract.clone(),
            path,
        })
    }

    /// Sees that this machine can hold it, before anybody is asked about what could not run whoever says yes.
    ///
    /// # Errors
    /// What cannot be held, and what would have to change.
    pub(super) async fn holds(&self, shop: &Shop) -> Result<(), Error> {
        let cancel = Cancel::new().map_err(Error::execution)?;
        let (argv, profile) = (self.argv.clone(), self.profile.clone());
        let launcher = shop.surroundings.launcher.clone();
        let checked = apart(cancel, move || {
            let command = profile.command(argv, &launcher, &NetworkOverrides::default());
            command.check()
        });
        let checked = checked.await.map_err(|error| Error::execution(&error))?;
        checked.map_err(|error| refusal::not_started(&error))
    }

    pub(super) fn frame(&self) -> Frame {
        Frame {
            argv: self.argv.clone(),
            directory: self.profile.anchors.workspace().to_owned(),
            program: Some(self.path.clone()),
            stdin: Digest::of(""),
            variables: self.profile.environment.names().collect(),
            profile: self.profile.digest(),
            sandbox: self.profile.summary(),
        }
    }
}

/// Runs a program as it was planned, by a call that was approved; again where its contract says so and that does no harm.
///
/// # Errors
/// Why it did not run, or how it failed.
pub(super) async fn run(
    shop: &Shop,
    tool: &Tool,
    plan: Plan,
    approved: &Approved,
    (call, secrets): (&Call, &CallSecrets),
) -> Result<Answer, Error> {
    let passed = call.context::<Passthrough>();
    let nothing = || Streams {
        stdin: Stdin::Null,
        words: Words::Answer,
    };
    let mut streams = passed.and_then(Passthrough::take).unwrap_or_else(nothing);
    let mut pauses = match (&plan.contract, passed) {
        (Some(contract), None) => contract.pauses(),
        (Some(_) | None, _) => Vec::new(),
    }
    .into_iter();
    loop {
        let outcome = once(shop, tool, (&plan, secrets), approved, (call, streams)).await;
        match (&outcome, pauses.next()) {
            (Err(error), Some(pause)) if may_be_repeated(error) => call.host().sleep(pause).await,
            (Ok(_) | Err(_), _) => return outcome,
        }
        streams = nothing();
    }
}

/// Whether a failure may be gone the next time. What tried more than it may tries it again.
fn may_be_repeated(error: &Error) -> bool {
    matches!(error.code(), Code::ExecutionError | Code::Timeout) && error.get_detail("tried").is_none()
}

async fn once(
    shop: &Shop,
    tool: &Tool,
    (plan, secrets): (&Plan, &CallSecrets),
    approved: &Approved,
    (call, streams): (&Call, Streams),
) -> Result<Answer, Error> {
    let Plan { argv, profile, .. } = plan;
    let CallSecrets {
        mask,
        output: secrets,
    } = secrets;
    let intent = Intent {
        tool,
        approved,
        argv: argv.clone(),
        program: Some(plan.path.clone()),
        directory: shop.directory(call.caller()),
        env_keys: profile.environment.names().collect(),
        sandbox: &profile.summary().to_string(),
        mask,
    };
    let recorded = intend(shop, call, intent).await?;
    recorded.note(call);
    let order = |stdin, stdout, stderr, timeout, owner| Order {
        argv: argv.clone(),
        profile: profile.clone(),
        launcher: shop.surroundings.launcher.clone(),
        stdin,
        stdout,
        stderr,
        timeout,
        cancel: None,
        reach: shop.stock.config.reach.clone(),
        owner,
    };
    let owner = Some(ChildOwner::of(call.caller()));
    let Streams { stdin, words } = streams;
    let passed = call.context::<Passthrough>();
    if let (
        Some(raw),
        Words::Raw {
            stdout,
            stderr,
            reader,
        },
    ) = (passed, words)
    {
        raw.starts();
        let [stdout, stderr] = [stdout, stderr].map(|sink| match reader {
            Reader::Person => sink,
            Reader::Agent => without_secrets(sink, secrets),
        });
        let owner = match reader {
            Reader::Person => None,
            Reader::Agent => owner,
        };
        let ran = started(order(stdin, stdout, stderr, Some(A_DAY), owner)).await?;
        recorded.ended(call, &ran.report, mask);
        raw.end(ran.report.ended);
        return match explained(&ran, approved, profile) {
            Some(error) => Err(error),
            None => Ok(Answer::new(json!({"exitCode": ran.report.ended.code()}))),
        };
    }
    let invoked = &approved.facts().invoked;
    let results = plan.contract.as_ref().map_or(Stream::Stdout, Contract::results);
    let taking = output::Plan {
        format: invoked.output.format,
        cap: CAP,
        secrets: secrets.clone(),
        keep: &shop.keep,
        account: call.caller().account(),
    };
    // Where it prints what it found is its output; what it prints where keeps its name.
    let collector = Collector::with_results_on(results, &taking);
    let sinks = (collector.sink(Stream::Stdout), collector.sink(Stream::Stderr));
    let timeout = shop.stock.config.call_timeout;
    let ran = started(order(stdin, sinks.0, sinks.1, timeout, owner)).await?;
    recorded.ended(call, &ran.report, mask);
    let end = End::from(&ran.report);
    let mut collected = collector.finish(end.ending());
    let answer = match &plan.contract {
        Some(contract) => {
            contract.mix(&mut collected);
            let seen = end.ended.code().map(|code| output::seen(code, &collected));
            let asked = shop.understood(tool, contract, end, &collected).await;
            let mut understood = asked.map_err(|error| with_output(error, seen.clone()))?;
            let conflicts = understood.conflicts();
            let outcome = understood.outcome.unwrap_or_else(|| {
                interpret(invoked, end, collected)
                    .and_then(|answer| contract.promised(answer, invoked.output.format))
            });
            Understood::warn(conflicts, outcome.map_err(|error| with_output(error, seen)))
        }
        None => interpret(invoked, end, collected),
    };
    let tried = tried(&ran.report, approved.facts(), profile);
    if let Some(tried) = &tried {
        call.note("tried", tried.details.clone());
    }
    let outcome = outcome(answer, &ran, tried, profile);
    with_hooks(with_withheld(outcome, profile), profile)
}

/// A sink that is given everything but secrets. What may be the beginning of one waits until it is known.
fn without_secrets(sink: OutputCallback, secrets: &Secrets) -> OutputCallback {
    let mut clean = Clean {
        redactor: Redactor::new(secrets),
        sink,
    };
    Box::new(move |bytes| clean.take(bytes))
}

struct Clean {
    redactor: Redactor,
    sink: OutputCallback,
}

impl Clean {
    fn take(&mut self, bytes: &[u8]) {
        let mut out = Vec::with_capacity(bytes.len());
        self.redactor.push(bytes, &mut out);
        (self.sink)(&out);
    }
}

impl Drop for Clean {
    fn drop(&mut self) {
        let mut out = Vec::new();
        // Whoever was ended may have been in the middle of one.
        self.redactor.finish(Ending::Cut, &mut out);
        (self.sink)(&out);
    }
}

async fn started(order: Order) -> Result<Ran, Error> {
    run::run(order).await.map_err(|error| match &error {
        run::Error::Sandbox(error) => refusal::not_started(error),
        run::Error::Host { .. } | run::Error::Lost => {
            Error::execution(&error).hint(Text::new("{}").value(error.hint()))
        }
    })
}

/// A profile that cannot be: a hook that would not run and a host that is an address are refused as such, everything else as the sandbox's limit.
fn not_held(refused: &Refusal) -> Error {
    if refused.field == "hooks" {
        let what = Text::new("Permission denied for {}: {}")
            .value(&refused.pattern)
            .value(&refused.reason);
        return Error::new(Code::PermissionDenied, what)
            .hint(Text::new("{}").value(refusal::fix(refused)))
            .detail("reason", "denied_by_policy");
    }
    if refused.field != "x-egress" {
        return refusal::refused(refused);
    }
    let what = Text::new("Permission denied for the host {}: {}")
        .value(&refused.pattern)
        .value(&refused.reason);
    Error::new(Code::PermissionDenied, what)
        .hint("Only names can be reached: see 'network' in config.json for services of this machine")
        .detail("reason", "denied_by_policy")
}

fn argv(path: &Path, words: &[String]) -> Vec<OsString> {
    let words = words.iter().map(OsString::from);
    std::iter::once(path.as_os_str().to_owned())
        .chain(words)
        .collect()
}

impl Shop {
    /// Where the calls of this caller happen.
    pub(super) fn ground(&self, tool: &Tool, caller: &Caller) -> Ground {
        Ground {
            home: self.surroundings.home.clone(),
            directory: self.directory(caller),
            roots: caller.roots.clone(),
            search: tool.search.to_vec(),
            own: self.own.clone(),
            installed: self.stock.places.installed(),
            denied: self.stock.config.denied_paths(),
            environment: self.surroundings.environment.clone(),
        }
    }

    pub(super) fn profile(
        &self,
        tool: &Tool,
        path: &Path,
        facts: (&Facts, Option<&Contract>),
        terms: Terms,
        caller: &Caller,
    ) -> Result<Profile, Error> {
        let ground = self.ground(tool, caller);
        if ground.hides_directory() {
            let shown = ground.directory.to_string_lossy();
            let what = Text::new("Path traversal blocked: no call can work in {}, which holds the home")
                .value(shown);
            return Err(Error::new(Code::PathTraversalBlocked, what)
                .hint("Start argrail in a project, or name one in the roots of config.json"));
        }
        self.held_in(tool, path, facts, terms, caller)
            .map_err(|refusal| not_held(&refusal))
    }

    /// Makes what a call runs in: from its effects, and no more than its bundle's block if it has one.
    pub(super) fn held_in(
        &self,
        tool: &Tool,
        path: &Path,
        (facts, contract): (&Facts, Option<&Contract>),
        terms: Terms,
        caller: &Caller,
    ) -> Result<Profile, Refusal> {
        let ground = self.ground(tool, caller);
        let made = profile(facts, terms, path, &ground)?;
        match &tool.runs {
            Runs::Bundle(runs) => {
                let tool = contract.and_then(Contract::tool);
                bounded(made, &runs.held.bundle, tool, (facts, path), &ground)
            }
            Runs::Program(_) | Runs::Server | Runs::Manifest(_) => Ok(made),
        }
    }

    /// Sees that somebody is signed in where the tool wants that, as far as that can be told without starting anything.
    ///
    /// # Errors
    /// `AUTH_REQUIRED`, with what a person runs to sign in.
    pub(super) fn sign_in(
        &self,
        tool: &Tool,
        path: &Path,
        facts: &Facts,
        call: &Call,
    ) -> Result<Option<Check>, Error> {
        let Some(authentication) = &facts.invoked.authentication else {
            return Ok(None);
        };
        let variables = &self.surroundings.environment;
        let environment = |name: &str| variables.get(OsString::from(name).as_os_str()).cloned();
        let asked = Asked {
            tool: &tool.name,
            words: call.words(),
            authentication,
            program: identity_of(path),
            environment: &environment,
            home: &self.surroundings.home,
            now: Instant::now(),
        };
        match ready::step(&asked, &self.signed_in) {
            Step::Ready => Ok(None),
            Step::Refused(error) => Err(error),
            Step::Check(check) => Ok(Some(check)),
        }
    }

    /// Makes the tool's own check, if there is one to make.
    ///
    /// # Errors
    /// `AUTH_REQUIRED`, with what a person runs to sign in.
    pub(super) async fn signed_in(&self, check: Option<Check>, call: &Call) -> Result<(), Error> {
        let Some(check) = check else { return Ok(()) };
        let outcome = self.ask(&check, call).await;
        check.settle(outcome, &self.signed_in)
    }

    /// Runs a tool's own check, if it may run without a question.
    async fn ask(&self, check: &Check, call: &Call) -> CheckOutcome {
        let caller = call.caller();
        let Ok(Reading {
            tool,
            mut facts,
            words,
            contract,
        }) = self.read(check.words(), caller, Wanted::Words)
        else {
            return CheckOutcome::Untold;
        };
        // A command that asks who is signed in often says that it wants nobody to be. It is shown what the call would be.
        facts.invoked.authentication = Some(check.wanted().clone());
        let path = match &tool.runs {
            Runs::Program(path) => path.clone(),
            Runs::Bundle(runs) => self.bundle_program(runs).ok(),
            Runs::Server | Runs::Manifest(_) => None,
        };
        let Some(path) = &path else {
            return CheckOutcome::Untold;
        };
        let Ok(approved) = policy::check(facts, &self.rules(caller)) else {
            return CheckOutcome::Untold;
        };
        let profile = self.profile(
            &tool,
            path,
            (approved.facts(), contract.as_ref()),
            approved.terms(),
            caller,
        );
        let Ok(profile) = profile else {
            return CheckOutcome::Untold;
        };
        let can_tell = can_tell(check, &profile);
        let CallSecrets { mask, .. } = self.call_secrets(&tool, Some(approved.facts()));
        let intent = Intent {
            tool: &tool,
            approved: &approved,
            argv: argv(path, &words),
            program: Some(path.clone()),
            directory: self.directory(caller),
            env_keys: profile.environment.names().collect(),
            sandbox: &profile.summary().to_string(),
            mask: &mask,
        };
        let Ok(recorded) = intend(self, call, intent).await else {
            return CheckOutcome::Untold;
        };
        let nowhere = || -> OutputCallback { Box::new(|_| {}) };
        let order = Order {
            argv: argv(path, &words),
            profile,
            launcher: self.surroundings.launcher.clone(),
            stdin: Stdin::Null,
            stdout: nowhere(),
            stderr: nowhere(),
            timeout: Some(check.timeout()),
            cancel: None,
            reach: self.stock.config.reach.clone(),
            owner: Some(ChildOwner::of(caller)),
        };
        let ran = run::run(order).await;
        if let Ok(ran) = &ran {
            let outcome = recorded.outcome(&ran.report, &mask, &caller.id);
            // The intent is there, and the call that wants to know goes on to its own.
            let _ = self.surroundings.record.append(&outcome, Durability::Soon);
        }
        match ran {
            Ok(ran) if ran.report.timed_out => CheckOutcome::Untold,
            Ok(ran) if ran.report.ended.code() == Some(0) => CheckOutcome::SignedIn,
            Ok(_) if !can_tell => CheckOutcome::Untold,
            Ok(_) => CheckOutcome::SignedOut,
            Err(_) => CheckOutcome::Untold,
        }
    }
}

/// Whether a check is given what the call would be: who asks without a token, a file or a network is told nothing.
fn can_tell(check: &Check, profile: &Profile) -> bool {
    let given: Vec<String> = profile.environment.names().collect();
    profile.confinement() == Confinement::Effects
        && profile.withheld.is_empty()
        && check.variables().iter().all(|name| given.contains(name))
}

fn identity_of(path: &Path) -> Option<Identity> {
    path.metadata().ok().map(|meta| identity::of(&meta))
}
