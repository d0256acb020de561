//! AIP-29, Sandbox: network, files, programs, variables, terminal.

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{Anchors, Policy};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::entries::{self, Entries, Settings};
use super::rules::{SPAWN_EMPTY, SPAWN_IGNORED};
use crate::declare::{Decode, own};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Closed, Field};

/// The whole block.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Aip29Sandbox")]
pub struct Aip29 {
    /// Hosts.
    pub network: Network,
    /// Files.
    pub fs: Fs,
    /// Programs.
    pub exec: Exec,
    /// Variables.
    pub env: Env,
    /// The terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tty: Option<Tty>,
}

/// Hosts that are reached, and URLs at which the program is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Host names, and `*.` before one for all below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub egress: Option<Vec<Spanned<String>>>,
    /// Callback URLs on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingress: Option<Vec<Spanned<String>>>,
}

/// Files, as globs. What is denied is denied whatever the others say.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fs {
    /// May be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<Vec<Spanned<String>>>,
    /// May be written, and read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<Vec<Spanned<String>>>,
    /// May not be touched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deny: Option<Vec<Spanned<String>>>,
}

/// Programs that may be started.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exec {
    /// Whether any may be.
    pub allow: bool,
    /// Which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spawn: Option<Vec<Spanned<String>>>,
}

/// Variables that the program gets.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Env {
    /// Those of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass: Option<Vec<Spanned<String>>>,
    /// Those with these values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<IndexMap<String, Spanned<String>>>,
}

/// Whether the program needs a terminal.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tty {
    /// It does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
}

impl Aip29 {
    /// Returns the policy of the block.
    ///
    /// # Errors
    /// What the sandbox refuses, with its place in the block: `fs.read[2]`.
    pub fn policy(&self, anchors: &Anchors) -> Result<Policy, Refusal> {
        let odd = |error: serde_json::Error| Refusal::new("sandbox", "", error.to_string(), "mend the block");
        let written = serde_json::to_value(self).map_err(odd)?;
        let block: argrail_sandbox::policy::Aip29 = serde_json::from_value(written).map_err(odd)?;
        block.into_policy(anchors)
    }
}

/// Reads a whole block: all parts but the terminal must be there.
pub(super) fn decode(
    object: &mut Closed<'_>,
    anchors: Option<&Anchors>,
    out: &mut Complaints,
) -> Option<Aip29> {
    let network = object.need("network", out).and_then(|field| network(&field, out));
    let fs = object.need("fs", out).and_then(|field| fs(&field, anchors, out));
    let exec = object.need("exec", out).and_then(|field| exec(&field, out));
    let env = object.need("env", out).and_then(|field| env(&field, out));
    let tty = object.take("tty").and_then(|field| tty(&field, out));
    Some(Aip29 {
        network: network?,
        fs: fs?,
        exec: exec?,
        env: env?,
        tty,
    })
}

own! {
    Network: |field, out| network(field, out);
}

pub(crate) fn network(field: &Field<'_>, out: &mut Complaints) -> Option<Network> {
    let mut object = field.open(out)?;
    let network = Network {
        egress: entries::hosts(object.take("egress"), out),
        ingress: entries::callbacks(object.take("ingress"), out),
    };
    object.shut(out);
    Some(network)
}

pub(super) fn fs(field: &Field<'_>, anchors: Option<&Anchors>, out: &mut Complaints) -> Option<Fs> {
    let mut object = field.open(out)?;
    let fs = Fs {
        read: entries::paths(object.take("read"), anchors, out),
        write: entries::paths(object.take("write"), anchors, out),
        deny: entries::paths(object.take("deny"), anchors, out),
    };
    object.shut(out);
    Some(fs)
}

fn exec(field: &Field<'_>, out: &mut Complaints) -> Option<Exec> {
    let mut object = field.open(out)?;
    let allow = object.need("allow", out).and_then(|field| field.truth(out));
    let listed = field.node.as_object().and_then(|object| object.get("spawn"));
    let lists = listed.is_some_and(|list| list.as_array().is_none_or(|list| !list.is_empty()));
    let spawn = spawn(&mut object, allow, out);
    object.shut(out);
    let allow = allow?;
    if allow && !lists {
        let what = "allow is true and spawn is empty: the program may fork and start nothing";
        out.push(
            field
                .warn(SPAWN_EMPTY, what)
                .hint("list in spawn what it may start, or set allow to false"),
        );
    }
    Some(Exec { allow, spawn })
}

/// Reads the list, which has no effect where nothing may be started.
pub(super) fn spawn(object: &mut Closed<'_>, allow: Option<bool>, out: &mut Complaints) -> Entries {
    let field = object.take("spawn");
    let spawn = entries::programs(field.clone(), out);
    if let Some(field) =
        field.filter(|_| allow == Some(false) && spawn.as_ref().is_some_and(|list| !list.is_empty()))
    {
        let what = "allow is false, so nothing may be started and the list has no effect";
        out.push(
            field
                .warn(SPAWN_IGNORED, what)
                .hint("set allow to true if the list is meant, or leave it out"),
        );
    }
    spawn
}

pub(super) fn env(field: &Field<'_>, out: &mut Complaints) -> Option<Env> {
    let mut object = field.open(out)?;
    let env = Env {
        pass: entries::variables(object.take("pass"), out),
        set: object
            .take("set")
            .and_then(|field| Decode::<Settings>::decode(&field, out)),
    };
    object.shut(out);
    Some(env)
}

pub(super) fn tty(field: &Field<'_>, out: &mut Complaints) -> Option<Tty> {
    let mut object = field.open(out)?;
    let required = object.take("required").and_then(|field| field.truth(out));
    object.shut(out);
    Some(Tty { required })
}
