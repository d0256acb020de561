//! AIP-29, Sandbox: network, files, programs, variables, terminal.

use argrail_sandbox::Refusal;
use argrail_sandbox::policy::{Anchors, Policy};
use indexmap::IndexMap;

use super::entries::{CallbackUrl, Glob, Host, Passed, Settings, Spawned, tell_starters};
use super::rules::{SPAWN_EMPTY, SPAWN_IGNORED};
use crate::declare::{List, Own, manifest, peek};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::Closed;

manifest! {
    /// The whole block.
    pub struct Aip29("Aip29Sandbox") closed {
        /// Hosts.
        need network: Network,
        /// Files.
        need fs: Fs,
        /// Programs.
        need exec: Exec,
        /// Variables.
        need env: Env,
        /// The terminal.
        may tty: Option<Tty>,
    }

    /// Hosts that are reached, and URLs at which the program is.
    #[derive(Default)]
    pub struct Network closed {
        /// Host names, and `*.` before one for all below it.
        may egress: Option<Vec<Spanned<String>>> as List<Host>,
        /// Callback URLs on this machine.
        may ingress: Option<Vec<Spanned<String>>> as List<CallbackUrl>,
    }

    /// Files, as globs. What is denied is denied whatever the others say.
    #[derive(Default)]
    pub struct Fs closed {
        /// May be read.
        may read: Option<Vec<Spanned<String>>> as List<Glob>,
        /// May be written, and read.
        may write: Option<Vec<Spanned<String>>> as List<Glob>,
        /// May not be touched.
        may deny: Option<Vec<Spanned<String>>> as List<Glob>,
    }

    /// Programs that may be started.
    #[derive(Default)]
    pub struct Exec closed, before check_exec {
        /// Whether any may be.
        need allow: bool,
        /// Which.
        may spawn: Option<Vec<Spanned<String>>> as List<Spawned> => tell_starters,
    }

    /// Variables that the program gets.
    #[derive(Default)]
    pub struct Env closed {
        /// Those of the host.
        may pass: Option<Vec<Spanned<String>>> as List<Passed>,
        /// Those with these values.
        may set: Option<IndexMap<String, Spanned<String>>> as Settings,
    }

    /// Whether the program needs a terminal.
    #[derive(Default)]
    pub struct Tty closed {
        /// It does.
        may required: Option<bool>,
    }
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

fn check_exec(object: &mut Closed<'_>, out: &mut Complaints) {
    check_spawn(object, out);
    let spawn = object.field().member("spawn");
    let lists = spawn.is_some_and(|spawn| spawn.node.as_array().is_none_or(|list| !list.is_empty()));
    if peek::<bool, Own>(object, "allow") == Some(true) && !lists {
        let what = "allow is true and spawn is empty: the program may fork and start nothing";
        let hint = "list in spawn what it may start, or set allow to false";
        out.push(object.field().warn(SPAWN_EMPTY, what).hint(hint));
    }
}

/// Warns of a list that has no effect, because nothing may be started.
pub(super) fn check_spawn(object: &mut Closed<'_>, out: &mut Complaints) {
    let allow = peek::<bool, Own>(object, "allow");
    let spawn = peek::<Vec<String>, List<Spawned>>(object, "spawn");
    let field = object.field().member("spawn");
    if let Some(field) = field.filter(|_| allow == Some(false) && spawn.is_some_and(|list| !list.is_empty()))
    {
        let what = "allow is false, so nothing may be started and the list has no effect";
        let hint = "set allow to true if the list is meant, or leave it out";
        out.push(field.warn(SPAWN_IGNORED, what).hint(hint));
    }
}
