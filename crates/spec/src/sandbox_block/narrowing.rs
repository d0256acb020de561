//! What a tool writes over the sandbox of its bundle: each list it names instead of the bundle's, the rest inherited.
//!
//! What comes of it must lie within the bundle's policy (AIP-29, Inheritance): fewer hosts, files, programs and
//! variables, the same denials or more. Variables that the bundle forces stay as they are, and no others join them.

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{Anchors, EnvName, Exec as Started, Policy, Widening};

use super::aip29::{Aip29, Env, Exec, Fs, Network, Tty, check_spawn};
use super::entries::{Spawned, tell_starters};
use crate::declare::{List, manifest};
use crate::doc::Spanned;

manifest! {
    /// Parts of a block; what is absent is the bundle's.
    #[derive(Default)]
    pub struct Narrowing("SandboxNarrowing") closed {
        /// Hosts.
        may network: Option<Network>,
        /// Files.
        may fs: Option<Fs>,
        /// Programs.
        may exec: Option<NarrowedExec>,
        /// Variables.
        may env: Option<Env>,
        /// The terminal.
        may tty: Option<Tty>,
    }

    /// Programs, where either word may be inherited.
    #[derive(Default)]
    pub struct NarrowedExec closed, before check_spawn {
        /// Whether any may be started.
        may allow: Option<bool>,
        /// Which.
        may spawn: Option<Vec<Spanned<String>>> as List<Spawned> => tell_starters,
    }
}

impl Narrowing {
    /// Returns the policy of a tool: the parent's, with each part that is named here in the place of the parent's.
    ///
    /// It may be wider than the parent's: ask [`narrows`].
    ///
    /// # Errors
    /// What the sandbox refuses, with its place in the block.
    pub fn over(&self, parent: &Policy, anchors: &Anchors) -> Result<Policy, Refusal> {
        let exec = self.exec.clone().unwrap_or_default();
        let whole = Aip29 {
            network: self.network.clone().unwrap_or_default(),
            fs: self.fs.clone().unwrap_or_default(),
            exec: Exec {
                allow: true,
                spawn: exec.spawn.clone(),
            },
            env: self.env.clone().unwrap_or_default(),
            tty: self.tty.clone(),
        };
        let own = whole.policy(anchors)?;
        let mut policy = parent.clone();
        let mut put = |named: bool, change: fn(&mut Policy, &Policy)| {
            if named {
                change(&mut policy, &own);
            }
        };
        let (network, fs, env) = (&whole.network, &whole.fs, &whole.env);
        put(network.egress.is_some(), |policy, own| {
            policy.egress.clone_from(&own.egress)
        });
        put(network.ingress.is_some(), |policy, own| {
            policy.ingress.clone_from(&own.ingress)
        });
        put(fs.read.is_some(), |policy, own| policy.read.clone_from(&own.read));
        put(fs.write.is_some(), |policy, own| {
            policy.write.clone_from(&own.write)
        });
        put(fs.deny.is_some(), |policy, own| policy.deny.clone_from(&own.deny));
        put(env.pass.is_some(), |policy, own| {
            policy.env_pass.clone_from(&own.env_pass)
        });
        put(env.set.is_some(), |policy, own| {
            policy.env_set.extend(own.env_set.clone())
        });
        let terminal = self.tty.as_ref().and_then(|tty| tty.required);
        put(terminal.is_some(), |policy, own| policy.tty = own.tty);
        policy.exec = started(&exec, &parent.exec, own.exec);
        Ok(policy)
    }

    /// Returns where a part of the block stands that a [`Widening`] names, if it stands there.
    pub fn place(&self, widening: &Widening) -> Option<crate::doc::Span> {
        let (field, index) = match widening.field.split_once('[') {
            Some((field, index)) => (field, index.trim_end_matches(']').parse().ok()),
            None => (widening.field.as_str(), None),
        };
        let (network, fs, env) = (self.network.as_ref(), self.fs.as_ref(), self.env.as_ref());
        if field == "env.set" {
            let value = env?.set.as_ref()?.get(&widening.value)?;
            return Some(value.span);
        }
        let list = match field {
            "network.egress" => network?.egress.as_ref(),
            "network.ingress" => network?.ingress.as_ref(),
            "fs.read" => fs?.read.as_ref(),
            "fs.write" => fs?.write.as_ref(),
            "fs.deny" => fs?.deny.as_ref(),
            "env.pass" => env?.pass.as_ref(),
            "exec" => self.exec.as_ref()?.spawn.as_ref(),
            _ => None,
        }?;
        let by_value = || list.iter().find(|entry| entry.value == widening.value);
        let entry = index.and_then(|index: usize| list.get(index)).or_else(by_value);
        entry.or(list.first()).map(|entry| entry.span)
    }
}

/// Returns what may be started: the list where one is named, the parent's where not, nothing where `allow` is false.
fn started(exec: &NarrowedExec, parent: &Started, own: Started) -> Started {
    match (exec.allow, &exec.spawn, parent) {
        (Some(false), _, _) => Started::None,
        (None, Some(_), Started::None) => Started::None,
        (Some(true) | None, Some(_), _) => own,
        // More than the parent has, which is for `narrows` to say.
        (Some(true), None, Started::None) => own,
        (Some(true) | None, None, _) => parent.clone(),
    }
}

/// Checks that `child` grants nothing that `parent` does not, and forces the variables that `parent` does.
///
/// # Errors
/// The first entry that cannot be shown to be within the parent's.
pub fn narrows(child: &Policy, parent: &Policy) -> Result<(), Widening> {
    child.is_within(parent)?;
    let reason = |name: &EnvName, value: &String| match parent.env_set.get(name) {
        Some(forced) if forced == value => None,
        Some(_) => Some("is forced by the parent, with another value"),
        None => Some("is not set by the parent"),
    };
    let mut set = child.env_set.iter();
    let other = set.find_map(|(name, value)| Some((name, reason(name, value)?)));
    match other {
        Some((name, reason)) => Err(Widening {
            field: "env.set".to_owned(),
            value: name.as_str().to_owned(),
            reason: reason.to_owned(),
        }),
        None => Ok(()),
    }
}
