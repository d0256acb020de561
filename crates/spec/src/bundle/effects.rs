//! What a tool changes, in the words of ATIP: READINGS 31. The table stands in `docs/policy.md` and
//! `docs/drafts/aip-29.md`.
//!
//! What the sandbox of the tool forbids cannot happen, so it is a "no"; what it permits may. Beyond that an author's
//! words only add. What neither says stays unknown.

use std::borrow::Cow;

use argrail_sandbox::policy::{Exec, PathPattern, Policy, Program};
use serde_json::Value;

use super::model::{Bundle, BundleTool};
use crate::atip::{Cost, Duration, Effects, Extra, Filesystem, Interactive};
use crate::sandbox_block::sketch;
use crate::secret_places::{Relation, secret_places};
use crate::tool_md::{Approval, CostClass, ToolMd};

/// From here on nothing can be undone.
const IRREVERSIBLE: u8 = 3;

/// What all tools of a bundle start from, made once.
pub(super) struct Ground {
    parent: Option<Policy>,
    /// Where the login is kept.
    login: Vec<PathPattern>,
}

impl Ground {
    pub(super) fn of(bundle: &Bundle) -> Self {
        let parent = sketch().and_then(|anchors| bundle.sandbox.policy(&anchors));
        Self {
            parent: parent.ok(),
            login: login_paths(bundle),
        }
    }

    /// Returns what a tool of the bundle changes.
    pub(super) fn effects(&self, tool: &BundleTool) -> Effects {
        let mut effects = match self.policy(tool) {
            Some(policy) => permitted(&self.login, &policy),
            None => Effects::default(),
        };
        claimed(&tool.tool, &mut effects);
        effects
    }

    /// Returns the sandbox of a tool, without the real home and workspace.
    fn policy(&self, tool: &BundleTool) -> Option<Cow<'_, Policy>> {
        let parent = self.parent.as_ref()?;
        match &tool.tool.sandbox {
            Some(narrowing) => narrowing.over(parent, &sketch().ok()?).ok().map(Cow::Owned),
            None => Some(Cow::Borrowed(parent)),
        }
    }
}

impl Bundle {
    /// Returns the hosts that a tool of the bundle may reach: those of the block, or what the tool leaves of them.
    pub fn hosts(&self, tool: &BundleTool) -> Vec<String> {
        let policy = Ground::of(self).policy(tool).map(Cow::into_owned);
        let hosts = policy.into_iter().flat_map(|policy| policy.egress);
        hosts.map(|host| host.as_str().to_owned()).collect()
    }
}

/// What the sandbox lets happen.
fn permitted(login: &[PathPattern], policy: &Policy) -> Effects {
    // Where the login is kept is written by whoever signs in, and granted for that.
    let is_change = |pattern: &&PathPattern| !login.iter().any(|path| pattern.is_within(path));
    let written: Vec<String> = policy.write.iter().filter(is_change).map(shown).collect();
    let read = policy.read.iter().chain(&policy.write);
    let outside = read.filter(|pattern| pattern.text().starts_with(['~', '/']));
    let is_secret = |pattern: &&PathPattern| !is_change(pattern) || holds_credentials(pattern.text());
    let (secret, plain): (Vec<_>, Vec<_>) = outside.partition(is_secret);
    let listed = |patterns: Vec<&PathPattern>| -> Vec<String> {
        let all = patterns.into_iter().map(shown);
        let mut listed: Vec<String> = all.filter(|path| !path.contains('*')).collect();
        listed.dedup();
        listed
    };
    let mut extra = Extra::new();
    let hosts: Vec<Value> = policy.egress.iter().map(|host| host.as_str().into()).collect();
    let reaches = !hosts.is_empty();
    if reaches {
        extra.insert("x-egress".to_owned(), hosts.into());
    }
    for (key, paths) in [("x-reads", listed(plain)), ("x-secrets", listed(secret))] {
        if !paths.is_empty() {
            extra.insert(key.to_owned(), paths.into());
        }
    }
    let subprocess = match &policy.exec {
        Exec::None => false,
        Exec::List(programs) => {
            let names: Vec<Value> = programs.iter().map(Program::as_str).map(Value::from).collect();
            extra.insert("x-exec".to_owned(), names.into());
            true
        }
        Exec::Any => {
            extra.insert("x-exec".to_owned(), "any".into());
            true
        }
    };
    let writes = !written.is_empty();
    Effects {
        filesystem: Some(Filesystem {
            read: (!policy.read.is_empty()).then_some(true),
            write: Some(writes),
            delete: (!writes).then_some(false),
            paths: writes.then_some(written),
            ..Filesystem::default()
        }),
        network: Some(reaches),
        subprocess: Some(subprocess),
        interactive: policy.tty.then(|| Interactive {
            tty: Some(true),
            ..Interactive::default()
        }),
        extra,
        ..Effects::default()
    }
}

/// Whether credentials are kept at a path, whoever does not say so.
fn holds_credentials(path: &str) -> bool {
    secret_places().any(|place| place.relation_of_text(path) == Relation::Within)
}

/// Returns the paths that hold the login, and everything below them.
fn login_paths(bundle: &Bundle) -> Vec<PathPattern> {
    let Ok(anchors) = sketch() else {
        return Vec::new();
    };
    let state = bundle.cli.auth.as_ref().and_then(|auth| auth.state.as_ref());
    let paths = state.and_then(|state| state.paths.as_deref()).unwrap_or_default();
    let both = paths.iter().flat_map(|path| {
        let below = format!("{}/**", path.trim_end_matches("/**").trim_end_matches('/'));
        [path.value.clone(), below]
    });
    both.filter_map(|path| PathPattern::parse("auth.state.paths", &path, &anchors).ok())
        .collect()
}

/// Returns a pattern as a manifest writes it; a whole folder ends with a slash.
fn shown(pattern: &PathPattern) -> String {
    let text = pattern.text();
    match text.strip_suffix("/**") {
        Some(folder) => format!("{folder}/"),
        None => text.to_owned(),
    }
}

/// Adds what the author says.
fn claimed(tool: &ToolMd, effects: &mut Effects) {
    effects.idempotent = tool.idempotent;
    if says_it_reads(tool) {
        // Whoever changes nothing can be called again. It is only a claim: the closed sandbox makes it true.
        effects.idempotent = Some(true);
        if let Some(filesystem) = &mut effects.filesystem {
            filesystem.write = Some(false);
            filesystem.delete = Some(false);
            filesystem.paths = None;
        }
    }
    for mutation in &tool.mutates {
        match mutation.class.as_str() {
            "workspace" | "sandbox" => {
                let filesystem = effects.filesystem.get_or_insert_with(Filesystem::default);
                if filesystem.write != Some(true) {
                    filesystem.write = Some(true);
                    filesystem.delete = None;
                }
                continue;
            }
            "network" | "external" => effects.network = Some(true),
            _ => {}
        }
        let modifies = effects.modifies.get_or_insert_with(Vec::new);
        if !modifies.contains(&mutation.class) {
            modifies.push(mutation.class.clone());
        }
    }
    if !tool.mutates.is_empty() {
        let all: Vec<Value> = tool.mutates.iter().map(|one| one.to_string().into()).collect();
        effects.extra.insert("x-mutates".to_owned(), all.into());
    }
    if tool.risk_level.is_some_and(|level| level >= IRREVERSIBLE) {
        effects.destructive = Some(true);
        effects.reversible = Some(false);
    }
    effects.cost = match tool.cost_class {
        None | Some(CostClass::Trivial) => None,
        Some(CostClass::Metered) => Some(cost(None)),
        Some(CostClass::Expensive) => Some(cost(Some("high"))),
    };
    effects.duration = tool.timeout_ms.as_ref().map(|timeout| Duration {
        timeout: Some(format!("{}ms", timeout.value)),
        ..Duration::default()
    });
}

/// Whether the author says that a call changes nothing, and wants nobody to be asked.
fn says_it_reads(tool: &ToolMd) -> bool {
    tool.mutates.is_empty()
        && tool.effective_approval() == Approval::Auto
        && tool.risk_level.unwrap_or_default() == 0
        && tool.idempotent != Some(false)
}

fn cost(estimate: Option<&str>) -> Cost {
    Cost {
        estimate: estimate.map(str::to_owned),
        billable: Some(true),
        ..Cost::default()
    }
}
