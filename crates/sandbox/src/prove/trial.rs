//! One attempt from the host's side: the ground, the policy, the child, and the verdict.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::time::Duration;

use super::attempt::{AttemptPolicy, EscapeAttempt, ProverAnswer};
use super::facts::{GroundFacts, LISTED_HOST, METADATA_HOST, PASSED_VARIABLE, SECRET_VARIABLE};
use super::ground::ProofGround;
use super::hostile;
use super::smallest_program::RAN_EXIT_CODE;
use crate::child::{Command, Ended, Error, Launcher};
use crate::launch::PROVER_ARGUMENT;
use crate::policy::{Anchors, EnvName, Exec, HostPattern, PathPattern, Policy, Program, Protected};
use crate::refusal::Refusal;

/// How long one attempt may take, and how much it may say.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(20);
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// What holds the hostile child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// The sandbox, on a machine of this tier.
    Sandbox(u8),
    /// Nothing at all. Shows that an attempt means something: it succeeds where nobody stops it.
    Nothing,
}

/// How attempts are made.
#[derive(Debug, Clone)]
pub struct ProofOptions {
    /// The program that is launcher and hostile child.
    pub launcher: Launcher,
    /// What holds the child.
    pub hold: Hold,
}

/// What came of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofOutcome {
    /// It was made, and failed; and what is allowed worked.
    Blocked,
    /// The attempt succeeded: the sandbox did not hold.
    Escaped,
    /// It could not be made, or something that is allowed did not work, so that its failure means nothing.
    Unproven,
}

impl ProofOutcome {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::Escaped => "ESCAPED",
            Self::Unproven => "unproven",
        }
    }
}

/// An attempt and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proof {
    /// The attempt's name: `read-key-outside`.
    pub name: &'static str,
    /// What was tried, for a person.
    pub attempted: &'static str,
    /// Whether it was blocked.
    pub outcome: ProofOutcome,
    /// The system's answer to each act, or what got through, or why nothing is proven.
    pub detail: String,
}

/// Returns the names of all attempts, in their order.
pub fn attempts() -> impl Iterator<Item = &'static str> {
    hostile::all().map(|attempt| attempt.name)
}

/// Makes one attempt; nothing if there is none of this name.
pub fn prove(name: &str, proving: &ProofOptions) -> Option<Proof> {
    let attempt = hostile::all().find(|attempt| attempt.name == name)?;
    let said = make(attempt, proving).unwrap_or_else(ProverAnswer::Unproven);
    let (outcome, detail) = match said {
        ProverAnswer::Blocked(detail) => (ProofOutcome::Blocked, detail),
        ProverAnswer::Escaped(detail) => (ProofOutcome::Escaped, detail),
        ProverAnswer::Unproven(detail) => (ProofOutcome::Unproven, detail),
    };
    Some(Proof {
        name: attempt.name,
        attempted: attempt.attempted,
        outcome,
        detail,
    })
}

fn make(attempt: &EscapeAttempt, proving: &ProofOptions) -> Result<ProverAnswer, String> {
    let launcher = proving
        .launcher
        .program()
        .map_err(|error| format!("no program to try with: {error}"))?;
    let mut ground = ProofGround::new(&std::env::temp_dir(), &launcher)
        .map_err(|error| format!("no scratch ground could be made: {error}"))?;
    let command = command(attempt, proving, &ground.facts)?;
    let said = match command.run() {
        Ok(report) => {
            let text = String::from_utf8_lossy(&report.stdout);
            match (text.lines().find_map(ProverAnswer::read), report.ended) {
                (Some(said), _) => said,
                (None, Ended::Exit(RAN_EXIT_CODE)) => ProverAnswer::Escaped("the program ran".to_owned()),
                (None, ended) => {
                    let words = String::from_utf8_lossy(&report.stderr);
                    let words: String = words.chars().take(200).collect();
                    ProverAnswer::Unproven(format!(
                        "the child said nothing and ended with {ended:?}: {words}"
                    ))
                }
            }
        }
        // Without namespaces many policies are refused, and nothing is started: that is how they are held.
        Err(Error::Refused(refusal)) if proving.hold == Hold::Sandbox(2) => {
            ProverAnswer::Blocked(format!("nothing was started: {refusal}"))
        }
        Err(error) => ProverAnswer::Unproven(format!("the child was not started: {error}")),
    };
    Ok(match ground.harm() {
        Some(harm) => ProverAnswer::Escaped(harm),
        None => said,
    })
}

fn command(attempt: &EscapeAttempt, proving: &ProofOptions, facts: &GroundFacts) -> Result<Command, String> {
    let word = facts
        .encode()
        .map_err(|error| format!("the scratch directory cannot be named: {error}"))?;
    let launcher = facts.launcher.as_os_str().to_owned();
    let argv: [OsString; 4] = [launcher, PROVER_ARGUMENT.into(), attempt.name.into(), word.into()];
    let command = match proving.hold {
        Hold::Nothing => Command::host(argv, &facts.work()),
        Hold::Sandbox(tier) => {
            let refused = |refusal: Refusal| format!("the policy of the attempt was refused: {refusal}");
            let anchors = Anchors::new(facts.home(), facts.work()).map_err(refused)?;
            let policy = policy(setting(attempt.setting, tier), facts).map_err(refused)?;
            let address = |name: &str, address| (name.to_owned(), IpAddr::V4(address));
            Command::confined(argv, policy, anchors)
                .launcher(proving.launcher.clone())
                .protected(protected(attempt.setting, facts))
                .resolve([
                    address(LISTED_HOST, Ipv4Addr::LOCALHOST),
                    address(METADATA_HOST, Ipv4Addr::new(169, 254, 169, 254)),
                ])
                .allow_loopback()
        }
    };
    Ok(command
        .environment([(SECRET_VARIABLE, facts.secret.as_str()), (PASSED_VARIABLE, "yes")])
        .timeout(ATTEMPT_TIMEOUT)
        .max_output(MAX_ANSWER_BYTES))
}

/// What cannot be held without namespaces is tried under the nearest policy that can.
fn setting(setting: AttemptPolicy, tier: u8) -> AttemptPolicy {
    match (setting, tier) {
        (AttemptPolicy::Network, 2) => AttemptPolicy::Files,
        (setting, _) => setting,
    }
}

fn policy(setting: AttemptPolicy, facts: &GroundFacts) -> Result<Policy, Refusal> {
    let tree = |path: &Path| PathPattern::tree(path);
    let host = |name| HostPattern::parse("network.egress", name);
    let policy = Policy::closed()
        .write(tree(&facts.out()))
        .env_pass(EnvName::parse("env.pass", PASSED_VARIABLE)?);
    let reading = |policy: Policy| policy.read(tree(&facts.work()));
    Ok(match setting {
        AttemptPolicy::Files => reading(policy),
        AttemptPolicy::Denied => reading(policy).deny(tree(&facts.work().join("secret"))),
        AttemptPolicy::Home => policy.write(tree(&facts.home())).write(tree(&facts.work())),
        AttemptPolicy::Network => reading(policy)
            .egress(host(LISTED_HOST)?)
            .egress(host(METADATA_HOST)?),
        AttemptPolicy::Programs => {
            let program = Program::parse("exec.spawn", &facts.launcher.to_string_lossy())?;
            reading(policy).exec(Exec::List(vec![program]))
        }
        AttemptPolicy::Forks => reading(policy).exec(Exec::List(Vec::new())),
        AttemptPolicy::Terminal => reading(policy).tty(),
    })
}

fn protected(setting: AttemptPolicy, facts: &GroundFacts) -> Protected {
    match setting {
        AttemptPolicy::Home => Protected::standard(&facts.home(), &facts.work()),
        AttemptPolicy::Files
        | AttemptPolicy::Denied
        | AttemptPolicy::Network
        | AttemptPolicy::Programs
        | AttemptPolicy::Forks
        | AttemptPolicy::Terminal => Protected::none(),
    }
}
