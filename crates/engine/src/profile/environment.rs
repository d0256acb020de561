//! The variables of a call: a few of the host's, ours, and secrets that nobody else sees.
//!
//! Nothing is inherited. Credentials are given where files with credentials are ([`Gate`]), and so is what an option names
//! and is called like one. A variable that steers programs (`LD_PRELOAD`, `GIT_SSH_COMMAND`) is never passed on,
//! whoever asks for it.

use std::collections::BTreeMap;
use std::ffi::OsString;

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{EnvName, Policy};
use argrail_spec::config::Secret;
use argrail_spec::secret_places::{credential_family, is_credential_name};

use super::ground::Ground;
use super::grounds::SYSTEM_PATH;
use super::quiet::QUIET;
use super::withheld::{Gate, Thing, Withheld};
use crate::policy::{Agreed, Basis, Confinement, Facts, Terms};

/// How deep calls inside calls are followed.
const DEEP: usize = 8;

/// What a child gets beside what its policy sets.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Variables of the host that the policy passes on.
    pub(crate) passed: BTreeMap<OsString, OsString>,
    /// Variables that only argrail itself may set.
    pub(crate) fixed: BTreeMap<String, String>,
    /// Credentials.
    pub(crate) secrets: BTreeMap<String, Secret>,
}

impl Environment {
    /// Returns the values that must not be shown.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.values().map(Secret::expose)
    }

    /// Returns the same, each behind the name of its variable.
    pub fn named_secrets(&self) -> impl Iterator<Item = (&str, &str)> {
        let secrets = self.secrets.iter();
        secrets.map(|(name, secret)| (name.as_str(), secret.expose()))
    }

    /// Returns the names of everything that comes from the host's own variables. Never a value.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let passed = self.passed.keys().map(|name| name.to_string_lossy().into_owned());
        passed.chain(self.secrets.keys().cloned())
    }
}

/// Puts variables into a policy, and returns the rest of them.
///
/// # Errors
/// Only when a variable of ours is refused.
pub(super) fn put(
    policy: &mut Policy,
    facts: &Facts,
    terms: Terms,
    ground: &Ground,
    told: &mut Told<'_>,
) -> Result<Environment, Refusal> {
    for (name, value) in QUIET {
        let name = EnvName::parse_set("env", name)?;
        policy.env_set.insert(name, (*value).to_owned());
    }
    policy
        .env_set
        .insert(EnvName::parse_set("env", "PATH")?, path(ground));
    let mut environment = Environment::default();
    let host = ground.environment.keys().filter_map(|name| name.to_str());
    for name in host.filter(|name| is_locale(name)) {
        pass(name, policy, &mut environment, ground);
    }
    let mut giving = Giving {
        policy,
        environment: &mut environment,
        ground,
        confinement: terms.confinement,
        gate: Gate::of(facts, terms),
        is_agreed: terms.agreed == Agreed::Person,
        told,
    };
    giving.declared(facts, 0);
    Ok(environment)
}

/// What is told of what a call does not get.
pub(super) struct Told<'t> {
    pub(super) notes: &'t mut Vec<String>,
    pub(super) withheld: &'t mut Vec<Withheld>,
}

/// Gives a call the variables that descriptions name.
struct Giving<'g, 't> {
    policy: &'g mut Policy,
    environment: &'g mut Environment,
    ground: &'g Ground,
    confinement: Confinement,
    gate: Gate,
    /// Whether a person said yes to this very call.
    is_agreed: bool,
    told: &'g mut Told<'t>,
}

impl Giving<'_, '_> {
    /// What the description names, by the word of those who may open something.
    fn declared(&mut self, facts: &Facts, depth: usize) {
        if facts.basis == Basis::Settled {
            self.set(facts);
            self.credentials(facts);
            for name in &facts.invoked.env_vars {
                match (is_credential_name(name), self.confinement) {
                    (true, _) => self.secret(name),
                    (false, Confinement::Effects) => {
                        pass(name, self.policy, self.environment, self.ground);
                    }
                    (false, Confinement::Closed) => {}
                }
            }
        }
        // Of a tool's own word, what a person said yes to with the names before them.
        if facts.basis == Basis::Claimed && self.gate == Gate::Open {
            self.credentials(facts);
        }
        if facts.basis == Basis::Claimed && self.is_agreed && self.confinement == Confinement::Effects {
            for name in facts.invoked.env_vars.iter().filter(|name| may_be_passed(name)) {
                pass(name, self.policy, self.environment, self.ground);
            }
        }
        if depth < DEEP {
            for inner in &facts.inner {
                self.declared(inner, depth + 1);
            }
        }
    }

    /// The variables by which somebody is signed in, and those that make one credential with them.
    fn credentials(&mut self, facts: &Facts) {
        for name in facts
            .invoked
            .authentication
            .iter()
            .flat_map(|auth| auth.variables())
        {
            self.secret(name);
            let beside = credential_family(name).map_or(&[][..], |family| family.beside);
            for name in beside.iter().filter(|_| self.gate == Gate::Open) {
                pass(name, self.policy, self.environment, self.ground);
            }
        }
    }

    fn set(&mut self, facts: &Facts) {
        for (name, value) in &facts.invoked.env {
            match EnvName::parse_set("x-env", name) {
                Ok(name) if !value.contains('\0') => {
                    self.policy.env_set.insert(name, value.clone());
                }
                Ok(_) | Err(_) => self.told.notes.push(format!("the variable {name:?} is not set")),
            }
        }
    }

    /// A credential, which the call gets where it may have any.
    fn secret(&mut self, name: &str) {
        match self.gate {
            Gate::Open => keep_secret(name, self.environment, self.ground),
            Gate::Shut(shut) if self.ground.environment.contains_key(std::ffi::OsStr::new(name)) => {
                let thing = Thing::Variable(name.to_owned());
                self.told.withheld.push(Withheld::credential(thing, shut));
            }
            Gate::Shut(_) => {}
        }
    }
}

/// Whether a variable says only where and in which language somebody lives.
pub(super) fn is_locale(name: &str) -> bool {
    name == "TZ" || name == "LANG" || name.starts_with("LC_")
}

/// Whether a variable that only a tool's own word names may reach it once a person agreed: no credential, nothing that
/// steers programs, and nothing that every call has from us.
pub(crate) fn may_be_passed(name: &str) -> bool {
    let ours = ["PATH", "HOME", "TMPDIR"].contains(&name) || QUIET.iter().any(|(quiet, _)| *quiet == name);
    !ours && !is_locale(name) && !is_credential_name(name) && EnvName::parse("env", name).is_ok()
}

/// Passes on a variable that the host has, unless it steers programs.
pub(super) fn pass(name: &str, policy: &mut Policy, environment: &mut Environment, ground: &Ground) {
    let Some((key, value)) = ground.environment.get_key_value(std::ffi::OsStr::new(name)) else {
        return;
    };
    if let Ok(name) = EnvName::parse("env", name)
        && !policy.env_pass.contains(&name)
    {
        policy.env_pass.push(name);
        environment.passed.insert(key.clone(), value.clone());
    }
}

/// Keeps a credential that the host has. One that is no text cannot be hidden in what is shown, and is not given.
pub(super) fn keep_secret(name: &str, environment: &mut Environment, ground: &Ground) {
    let value = ground
        .environment
        .get(std::ffi::OsStr::new(name))
        .and_then(|value| value.to_str());
    if let (Ok(name), Some(value)) = (EnvName::parse("authentication", name), value) {
        environment
            .secrets
            .insert(name.as_str().to_owned(), Secret::new(value));
    }
}

/// Where programs are looked for inside: where they are outside, then where the system has them.
fn path(ground: &Ground) -> String {
    let checked = ground.search.iter().filter_map(|directory| directory.to_str());
    let mut all: Vec<&str> = Vec::new();
    for directory in checked.chain(SYSTEM_PATH.split(':')) {
        if directory.starts_with('/') && !directory.contains([':', '\0']) && !all.contains(&directory) {
            all.push(directory);
        }
    }
    all.join(":")
}
