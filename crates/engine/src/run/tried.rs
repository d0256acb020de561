//! What a call tried that its description does not have, and what would allow it: a refusal that teaches.
//!
//! The targets are foreign text and stand quoted. Nothing here loosens anything: it names the field that a person
//! would have to change.

use std::cmp::Reverse;
use std::path::Path;

use argrail_acli::Text;
use argrail_sandbox::{Denial, DenialKind, Report};
use serde_json::{Value, json};

use super::weight::{Weight, weigh};
use crate::policy::{Basis, Confinement, Facts};
use crate::profile::Profile;

/// The most refusals that are listed.
const LISTED: usize = 8;

/// What a call tried in vain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// What it tried, and what is said of it.
    pub message: Text,
    /// What would allow it.
    pub hint: Text,
    /// Every refusal, for programs: `[{"act","target","inferred"?}]`.
    pub details: Value,
    /// What it weighs, all in all.
    pub weight: Weight,
}

/// An act that was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Read,
    Write,
    Connect,
    Start,
    Call,
}

impl Act {
    fn of(denial: &Denial, profile: &Profile) -> Self {
        match denial.kind {
            DenialKind::Fs if profile.shows(Path::new(&denial.target)) => Self::Write,
            DenialKind::Fs | DenialKind::FsRead => Self::Read,
            DenialKind::FsWrite => Self::Write,
            DenialKind::Net => Self::Connect,
            DenialKind::Exec => Self::Start,
            DenialKind::Syscall if denial.target == "fork" => Self::Start,
            DenialKind::Syscall => Self::Call,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Connect => "connect",
            Self::Start => "start",
            Self::Call => "syscall",
        }
    }
}

/// Returns what a call was refused, if it was. What weighs more comes first, and refusals that were seen before those
/// that were concluded.
pub fn tried(report: &Report, facts: &Facts, profile: &Profile) -> Option<Tried> {
    let weight = |denial: &Denial| weigh(denial, Act::of(denial, profile), facts, profile);
    let mut denials: Vec<&Denial> = report.denials.iter().collect();
    denials.sort_by_key(|denial| (Reverse(weight(denial)), denial.inferred(), rank(denial)));
    let first = denials.first()?;
    let act = Act::of(first, profile);
    let target = shown(&first.target, profile);
    Some(Tried {
        message: message(act, &target, facts, profile),
        hint: hint(act, facts, profile),
        details: denials
            .iter()
            .take(LISTED)
            .map(|denial| detail(denial, profile))
            .collect(),
        weight: weight(first),
    })
}

/// A program that is named says more than a fork that failed.
fn rank(denial: &Denial) -> u8 {
    match denial.kind {
        DenialKind::Exec | DenialKind::Net => 0,
        DenialKind::Fs | DenialKind::FsRead | DenialKind::FsWrite => 1,
        DenialKind::Syscall => 2,
    }
}

fn detail(denial: &Denial, profile: &Profile) -> Value {
    let mut detail = json!({
        "act": Act::of(denial, profile).as_str(),
        "target": shown(&denial.target, profile),
    });
    if denial.inferred() {
        detail["inferred"] = json!(true);
    }
    detail
}

fn message(act: Act, target: &str, facts: &Facts, profile: &Profile) -> Text {
    let closed = match (profile.confinement(), facts.basis) {
        (Confinement::Closed, _) => Some("what nobody vouches for runs where it can do no such thing"),
        (Confinement::Effects, Basis::Undescribed) => Some("nobody describes what it does"),
        (Confinement::Effects, Basis::Settled | Basis::Claimed) => None,
    };
    let template = match act {
        Act::Read => "it tried to read {}, and {}",
        Act::Write => "it tried to write {}, and {}",
        Act::Connect => "it tried to reach {}, and {}",
        Act::Start => match target {
            "fork" => {
                return Text::new("it tried to start another program, and {}").word(said(act, facts, closed));
            }
            _ => "it tried to start {}, and {}",
        },
        Act::Call => "it tried the system call {}, and {}",
    };
    Text::new(template).value(target).word(said(act, facts, closed))
}

/// What is said of it that does not fit.
fn said(act: Act, facts: &Facts, closed: Option<&'static str>) -> &'static str {
    let effects = &facts.invoked.effects;
    let writes = effects
        .filesystem
        .as_ref()
        .is_some_and(|files| files.write == Some(true) || files.delete == Some(true));
    match (act, closed) {
        (Act::Call, _) => "no sandbox allows that",
        (Act::Read, _) => "only the roots and what its description names can be read",
        (Act::Write | Act::Connect | Act::Start, Some(closed)) => closed,
        (Act::Write, None) if writes => "its description does not name that among what it writes",
        (Act::Write, None) => "its description says that it writes nothing",
        (Act::Connect, None) if effects.network == Some(true) => "its description names other hosts",
        (Act::Connect, None) => "its description says that it uses no network",
        (Act::Start, None) => "its description says that it starts no such program",
    }
}

/// What a person would change.
fn hint(act: Act, facts: &Facts, profile: &Profile) -> Text {
    let field = match act {
        Act::Read => "filesystem.read with filesystem.paths, x-reads, or x-secrets for credentials",
        Act::Write => "filesystem.write with filesystem.paths",
        Act::Connect => "network with x-egress",
        Act::Start => "subprocess with x-exec",
        Act::Call => return Text::new("Use another command: no setting allows this one"),
    };
    match profile.confinement() {
        Confinement::Closed => Text::new(
            "A person can describe {} in ~/.config/agent-tools/overrides, with {}; then it is asked for, or runs",
        ),
        Confinement::Effects => {
            Text::new("A person can correct what is said of {} in ~/.config/agent-tools/overrides: {}")
        }
    }
    .value(&meant(facts).invoked.tool)
    .word(field)
}

/// Whose description would have to change: the first call, from outside in, that nobody vouches for, else the innermost.
/// What a wrapper starts is what tries things.
fn meant(facts: &Facts) -> &Facts {
    unsettled(facts).unwrap_or_else(|| {
        let mut innermost = facts;
        while let [only] = innermost.inner.as_slice() {
            innermost = only;
        }
        innermost
    })
}

fn unsettled(facts: &Facts) -> Option<&Facts> {
    match facts.basis {
        Basis::Claimed | Basis::Undescribed => Some(facts),
        Basis::Settled => facts.inner.iter().find_map(unsettled),
    }
}

/// A path from the working directory or the home, so that it can be typed.
fn shown(target: &str, profile: &Profile) -> String {
    let path = Path::new(target);
    if !path.is_absolute() {
        return target.to_owned();
    }
    let (home, workspace) = (profile.anchors.home(), profile.anchors.workspace());
    match (path.strip_prefix(workspace), path.strip_prefix(home)) {
        (Ok(rest), _) => format!("./{}", rest.display()),
        (Err(_), Ok(rest)) => format!("~/{}", rest.display()),
        (Err(_), Err(_)) => target.to_owned(),
    }
}
