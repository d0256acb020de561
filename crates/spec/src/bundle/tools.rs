//! The tools of a bundle: there, with ids of their own, within the bundle's sandbox and limits, and fillable.

use std::collections::BTreeMap;

use argrail_sandbox::policy::{HostPattern, Policy};

use super::check::CLI;
use super::model::BundleTool;
use super::reading::Reading;
use super::rules::{NEEDS, OTHER_BUNDLE, SECRET, TIMEOUT, TOOL_ID};
use super::template_inputs;
use crate::cli_md::CliMd;
use crate::declare::Decode;
use crate::doc::fields::Quoted;
use crate::lint::FileKind;
use crate::runner_block::Runner;
use crate::sandbox_block::{Narrowing, SandboxBlock, WIDENS, narrows, sketch};
use crate::secrets_md::SecretsMd;
use crate::tool_md::ToolMd;

/// Reads every tool that the tree of commands names.
pub(super) fn read(cli: &CliMd, reading: &mut Reading<'_>) -> Vec<BundleTool> {
    let mut read: BTreeMap<String, Option<(ToolMd, String)>> = BTreeMap::new();
    let mut tools = Vec::new();
    for leaf in cli.commands.leaves() {
        let Some(path) = reading.named(leaf.tool) else {
            continue;
        };
        if !read.contains_key(&path) {
            let tool = reading.read(&path, FileKind::Tool, ToolMd::decode);
            read.insert(path.clone(), tool);
        }
        if let Some((tool, body)) = read.get(&path).cloned().flatten() {
            tools.push(BundleTool {
                words: leaf.words.iter().map(|word| (*word).to_owned()).collect(),
                path,
                tool,
                body,
            });
        }
    }
    ids(&tools, reading);
    tools
}

/// No two files have one id.
fn ids(tools: &[BundleTool], reading: &mut Reading<'_>) {
    for (index, one) in tools.iter().enumerate() {
        let mut before = tools.iter().take(index);
        if let Some(other) = before.find(|other| other.tool.id == one.tool.id && other.path != one.path) {
            let what = format!(
                "id: {} is also the id of {}",
                Quoted(&one.tool.id),
                Quoted(&other.path)
            );
            let diagnostic = TOOL_ID
                .error(one.tool.id.span, what)
                .hint("give each tool an id of its own");
            reading.push(&one.path, FileKind::Tool, diagnostic);
        }
    }
}

/// Holds every tool against its bundle. A file that several commands name is held once.
pub(super) fn check(
    sandbox: &SandboxBlock,
    runner: &Runner,
    secrets: Option<&SecretsMd>,
    tools: &[BundleTool],
    reading: &mut Reading<'_>,
) {
    let parent = sketch().and_then(|anchors| sandbox.policy(&anchors)).ok();
    let parent = parent.map(|policy| policy.limits(runner.policy_limits()));
    let mut seen: Vec<&str> = Vec::new();
    for one in tools {
        if seen.contains(&one.path.as_str()) {
            continue;
        }
        seen.push(&one.path);
        if let Some(parent) = &parent {
            within(one, parent, reading);
            hosts(one, parent, reading);
        }
        own_bundle(one, reading);
        timeout(one, runner, reading);
        secrets_of(one, secrets, reading);
    }
}

/// Holds every template against its inputs, whatever else of the bundle can be read.
pub(super) fn check_templates(tools: &[BundleTool], reading: &mut Reading<'_>) {
    let mut seen: Vec<&str> = Vec::new();
    for one in tools {
        if seen.contains(&one.path.as_str()) {
            continue;
        }
        seen.push(&one.path);
        let text = reading.files.get(&one.path).unwrap_or_default();
        let text = std::str::from_utf8(text).unwrap_or_default();
        for diagnostic in template_inputs::check(&one.tool, text) {
            reading.push(&one.path, FileKind::Tool, diagnostic);
        }
    }
}

/// Refuses a tool that wants more than its bundle.
fn within(one: &BundleTool, parent: &Policy, reading: &mut Reading<'_>) {
    let limits = one.tool.runner.as_ref().and_then(|runner| runner.limits);
    if one.tool.sandbox.is_none() && limits.is_none() {
        return;
    }
    let Ok(anchors) = sketch() else { return };
    let narrowing: Narrowing = one.tool.sandbox.clone().unwrap_or_default();
    // What cannot be read was said when the file was.
    let Ok(mut child) = narrowing.over(parent, &anchors) else {
        return;
    };
    if let Some(limits) = limits {
        let own = Runner {
            limits: Some(limits),
            ..Runner::default()
        };
        let own = own.policy_limits();
        child.limits.wall = own.wall.or(child.limits.wall);
        child.limits.memory = own.memory.or(child.limits.memory);
        child.limits.cpu = own.cpu.or(child.limits.cpu);
    }
    if let Err(widening) = narrows(&child, parent) {
        let what = format!(
            "{}: {} {}",
            widening.field,
            Quoted(&widening.value),
            widening.reason
        );
        let span = one.tool.place_of(&widening);
        let hint = "narrow it, or widen the bundle's";
        reading.push(&one.path, FileKind::Tool, WIDENS.error(span, what).hint(hint));
    }
}

/// Tells about hosts that a tool needs and its bundle does not reach.
fn hosts(one: &BundleTool, parent: &Policy, reading: &mut Reading<'_>) {
    let needs = one.tool.requires.as_ref().map(|needs| needs.network.as_slice());
    for host in needs.unwrap_or_default() {
        let wanted = HostPattern::parse("requires.network", host).ok();
        let reached =
            wanted.is_some_and(|wanted| parent.egress.iter().any(|granted| wanted.is_within(granted)));
        if !reached {
            let what = format!("requires.network: the bundle does not reach {}", Quoted(host));
            let diagnostic = NEEDS
                .warning(host.span, what)
                .hint("add the host to sandbox.network.egress in CLI.md");
            reading.push(&one.path, FileKind::Tool, diagnostic);
        }
    }
}

/// A tool that names its bundle names this one.
fn own_bundle(one: &BundleTool, reading: &mut Reading<'_>) {
    let Some(cli) = one.tool.runner.as_ref().and_then(|runner| runner.cli.as_ref()) else {
        return;
    };
    let path = reading.follow(&one.path, FileKind::Tool, cli);
    if let Some(path) = path.filter(|path| path != CLI) {
        let what = format!(
            "runner.cli: expected the CLI.md of this bundle, got {}",
            Quoted(&path)
        );
        let diagnostic = OTHER_BUNDLE
            .error(cli.span(), what)
            .hint("write the path to CLI.md, such as ../../CLI.md");
        reading.push(&one.path, FileKind::Tool, diagnostic);
    }
}

fn timeout(one: &BundleTool, runner: &Runner, reading: &mut Reading<'_>) {
    let most = runner.limits.and_then(|limits| limits.timeout_ms);
    let own = one.tool.timeout_ms.as_ref();
    if let (Some(most), Some(own)) = (most, own)
        && own.value > most
    {
        let what = format!("timeout_ms: {} is more than the {most} of the bundle", own.value);
        let diagnostic = TIMEOUT
            .warning(own.span, what)
            .hint("shorten it, or raise runner.limits.timeout_ms in CLI.md");
        reading.push(&one.path, FileKind::Tool, diagnostic);
    }
}

fn secrets_of(one: &BundleTool, secrets: Option<&SecretsMd>, reading: &mut Reading<'_>) {
    let needs = one.tool.requires.as_ref().map(|needs| needs.secrets.as_slice());
    for slug in needs.unwrap_or_default() {
        if secrets.is_none_or(|secrets| secrets.get(slug).is_none()) {
            let what = format!(
                "requires.secrets: no inventory of the bundle lists {}",
                Quoted(slug)
            );
            let diagnostic = SECRET
                .warning(slug.span, what)
                .hint("list it in SECRETS.md, and name that in auth.ref");
            reading.push(&one.path, FileKind::Tool, diagnostic);
        }
    }
}
