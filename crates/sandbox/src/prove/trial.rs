//! One attempt from the host's side: the ground, the policy, the child, and the verdict.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::time::Duration;

use super::attempt::{Attempt, Said, Setting};
use super::facts::{Facts, KEPT, LISTED, METADATA, PASSED};
use super::ground::Ground;
use super::hostile;
use super::program::RAN;
use crate::child::{Command, Ended, Error, Launcher};
use crate::launch::PROVER;
use crate::policy::{Anchors, EnvName, Exec, HostPattern, PathPattern, Policy, Program, Protected};
use crate::refusal::Refusal;

/// How long one attempt may take, and how much it may say.
const PATIENCE: Duration = Duration::from_secs(20);
const SAID: u64 = 64 * 1024;

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
pub struct Proving {
    /// The program that is launcher and hostile child.
    pub launcher: Launcher,
    /// What holds the child.
    pub hold: Hold,
}

/// What came of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was made, and failed; and what is allowed worked.
    Blocked,
    /// It succeeded.
    Escaped,
    /// It could not be made, or something that is allowed did not work, so that its failure means nothing.
    Unproven,
}

impl Outcome {
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
    /// What came of it.
    pub outcome: Outcome,
    /// The system's answer to each act, or what got through, or why nothing is proven.
    pub detail: String,
}

/// Returns the names of all attempts, in their order.
pub fn attempts() -> impl Iterator<Item = &'static str> {
    hostile::all().map(|attempt| attempt.name)
}

/// Makes one attempt; nothing if there is none of this name.
pub fn prove(name: &str, proving: &Proving) -> Option<Proof> {
    let attempt = hostile::all().find(|attempt| attempt.name == name)?;
    let said = make(attempt, proving).unwrap_or_else(Said::Unproven);
    let (outcome, detail) = match said {
        Said::Blocked(detail) => (Outcome::Blocked, detail),
        Said::Escaped(detail) => (Outcome::Escaped, detail),
        Said::Unproven(detail) => (Outcome::Unproven, detail),
    };
    Some(Proof {
        name: attempt.name,
        attempted: attempt.attempted,
        outcome,
        detail,
    })
}

fn make(attempt: &Attempt, proving: &Proving) -> Result<Said, String> {
    let launcher = proving
        .launcher
        .program()
        .map_err(|error| format!("no program to try with: {error}"))?;
    let mut ground = Ground::new(&std::env::temp_dir(), &launcher)
        .map_err(|error| format!("no scratch ground could be made: {error}"))?;
    let command = command(attempt, proving, &ground.facts)?;
    let said = match command.run() {
        Ok(report) => {
            let text = String::from_utf8_lossy(&report.stdout);
            match (text.lines().find_map(Said::read), report.ended) {
                (Some(said), _) => said,
                (None, Ended::Exit(RAN)) => Said::Escaped("the program ran".to_owned()),
                (None, ended) => {
                    let words = String::from_utf8_lossy(&report.stderr);
                    let words: String = words.chars().take(200).collect();
                    Said::Unproven(format!(
                        "the child said nothing and ended with {ended:?}: {words}"
                    ))
                }
            }
        }
        // Without namespaces many policies are refused, and nothing is started: that is how they are held.
        Err(Error::Refused(refusal)) if proving.hold == Hold::Sandbox(2) => {
            Said::Blocked(format!("nothing was started: {refusal}"))
        }
        Err(error) => Said::Unproven(format!("the child was not started: {error}")),
    };
    Ok(match ground.harm() {
        Some(harm) => Said::Escaped(harm),
        None => said,
    })
}

fn command(attempt: &Attempt, proving: &Proving, facts: &Facts) -> Result<Command, String> {
    let word = facts
        .encode()
        .map_err(|error| format!("the scratch directory cannot be named: {error}"))?;
    let launcher = facts.launcher.as_os_str().to_owned();
    let argv: [OsString; 4] = [launcher, PROVER.into(), attempt.name.into(), word.into()];
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
                    address(LISTED, Ipv4Addr::LOCALHOST),
                    address(METADATA, Ipv4Addr::new(169, 254, 169, 254)),
                ])
                .allow_loopback()
        }
    };
    Ok(command
        .environment([(KEPT, facts.secret.as_str()), (PASSED, "yes")])
        .timeout(PATIENCE)
        .max_output(SAID))
}

/// What cannot be held without namespaces is tried under the nearest policy that can.
fn setting(setting: Setting, tier: u8) -> Setting {
    match (setting, tier) {
        (Setting::Network, 2) => Setting::Files,
        (setting, _) => setting,
    }
}

fn policy(setting: Setting, facts: &Facts) -> Result<Policy, Refusal> {
    let tree = |path: &Path| PathPattern::tree(path);
    let host = |name| HostPattern::parse("network.egress", name);
    let policy = Policy::closed()
        .write(tree(&facts.out()))
        .env_pass(EnvName::parse("env.pass", PASSED)?);
    let reading = |policy: Policy| policy.read(tree(&facts.work()));
    Ok(match setting {
        Setting::Files => reading(policy),
        Setting::Denied => reading(policy).deny(tree(&facts.work().join("secret"))),
        Setting::Home => policy.write(tree(&facts.home())).write(tree(&facts.work())),
        Setting::Network => reading(policy).egress(host(LISTED)?).egress(host(METADATA)?),
        Setting::Programs => {
            let program = Program::parse("exec.spawn", &facts.launcher.to_string_lossy())?;
            reading(policy).exec(Exec::List(vec![program]))
        }
        Setting::Forks => reading(policy).exec(Exec::List(Vec::new())),
        Setting::Terminal => reading(policy).tty(),
    })
}

fn protected(setting: Setting, facts: &Facts) -> Protected {
    match setting {
        Setting::Home => Protected::standard(&facts.home(), &facts.work()),
        Setting::Files
        | Setting::Denied
        | Setting::Network
        | Setting::Programs
        | Setting::Forks
        | Setting::Terminal => Protected::none(),
    }
}
