//! Whether the bundles and the catalogue agree: no tool of a bundle claims less than the description of its command.
//!
//! The catalogue is believed without a question, so what it knows of a command is the least that a bundle has to say.
//! A program without subcommands has one command, and tools under words of their own are held against that.

use std::collections::BTreeSet;

use argrail_spec::atip::{self, Leaf, claim, leaves};
use argrail_spec::bundle::{Bundle, BundleTool};
use argrail_spec::help::Class;
use argrail_spec::sandbox_block::SandboxBlock;
use argrail_spec::tool_md::Approval;
use serde_json::Value;

use super::tests::all;
use crate::catalog::shipped;
use crate::catalog::shipped::lines::Class as Line;

#[test]
fn no_tool_claims_less_than_the_catalogue() {
    let mut claims = Vec::new();
    for (_, bundle) in all() {
        let bin = &bundle.cli.bin.value;
        let known = shipped::find(bin).unwrap_or_else(|| panic!("{bin} is not in the catalogue"));
        let metadata = atip::load(&known.text()).unwrap().metadata;
        let leaves = leaves(&metadata).list;
        for tool in &bundle.tools {
            let leaf = leaf_of(&leaves, tool);
            let leaf = leaf.unwrap_or_else(|| panic!("{}: no such command", tool.tool.id.value));
            for why in less(&bundle, tool, leaf) {
                claims.push(format!("{}: {why}", tool.tool.id.value));
            }
        }
    }
    assert!(claims.is_empty(), "{}", claims.join("\n"));
}

#[test]
fn the_examples_of_every_tool_are_command_lines_that_do_no_more_than_it_claims() {
    let mut claims = Vec::new();
    for (_, bundle) in all() {
        for tool in &bundle.tools {
            for example in &tool.tool.examples {
                let argv = tool.argv(&bundle.cli, &example.input);
                let argv = argv.unwrap_or_else(|error| panic!("{}: {error}", tool.tool.id.value));
                let mut words = vec![bundle.cli.bin.value.clone()];
                words.extend(argv);
                if let Some(why) = more(tool, Line::of_words(&words)) {
                    claims.push(format!("{words:?}: {why}"));
                }
            }
        }
    }
    assert!(claims.is_empty(), "{}", claims.join("\n"));
}

/// What a command line does that its tool does not say.
fn more(tool: &BundleTool, line: Line) -> Option<&'static str> {
    let always = tool.tool.effective_approval() == Approval::Always;
    let last = always && tool.tool.risk_level == Some(3);
    let says = !tool.tool.mutates.is_empty();
    match line {
        // Hosts that nobody named are those of the bundle; words that nobody described are ours.
        Line::Read | Line::NetworkRead | Line::NewHost | Line::Unverified | Line::Unknown => None,
        Line::Change => (!says).then_some("it changes something"),
        Line::Destructive => (!last).then_some("it destroys something"),
        Line::Credentials => (!always).then_some("it shows secrets"),
        Line::Prompts => Some("it asks a person"),
        Line::Refused => Some("the program does not take it"),
    }
}

/// The command of a tool, or the only one that there is.
fn leaf_of<'l, 'a>(leaves: &'l [Leaf<'a>], tool: &BundleTool) -> Option<&'l Leaf<'a>> {
    let own = leaves.iter().find(|leaf| {
        leaf.path
            .iter()
            .copied()
            .eq(tool.words.iter().map(String::as_str))
    });
    own.or_else(|| {
        leaves
            .first()
            .filter(|leaf| leaves.len() == 1 && leaf.path.is_empty())
    })
}

/// Where a tool says less.
fn less(bundle: &Bundle, tool: &BundleTool, leaf: &Leaf<'_>) -> Vec<&'static str> {
    let contract = &tool.tool;
    let effects = &leaf.effects;
    let says = |key: &str| claim(effects, key) == Some(true);
    let class = Class::of(effects).max(options(tool, leaf));
    let risk = contract.risk_level.unwrap_or_default();
    let asks = contract.effective_approval();
    let changes = class >= Class::Change;
    let far = effects.network == Some(true);
    let last = class == Class::Destructive || (changes && effects.reversible == Some(false));
    let (egress, writes) = reach(bundle, tool);
    let rules = [
        (changes && contract.mutates.is_empty(), "it changes nothing"),
        (changes && asks == Approval::Auto, "nobody is asked"),
        (
            last && asks != Approval::Always,
            "it cannot be undone and asks only sometimes",
        ),
        (last && risk < 3, "it cannot be undone and is no risk of 3"),
        (
            changes && far && risk < 2,
            "it changes something elsewhere and is no risk of 2",
        ),
        (changes && risk < 1, "it changes something and is no risk"),
        (
            contract.idempotent == Some(true) && effects.idempotent != Some(true),
            "it may be repeated",
        ),
        (
            effects.extra.contains_key("x-prints") && asks != Approval::Always,
            "it shows secrets and does not ask",
        ),
        (far && !egress, "it needs the network and has no host"),
        (says("filesystem.write") && !writes, "it writes and may not"),
    ];
    let broken = rules.into_iter().filter(|(broken, _)| *broken);
    broken.map(|(_, why)| why).collect()
}

/// The worst that an option of the template makes of the command, whatever its value is.
fn options(tool: &BundleTool, leaf: &Leaf<'_>) -> Class {
    let argv = tool.tool.argv().unwrap_or_default();
    let words: BTreeSet<&str> = argv
        .iter()
        .flat_map(|word| word.split(['\'', '=']))
        .filter(|part| part.starts_with('-'))
        .collect();
    let given = leaf
        .options
        .iter()
        .filter(|option| option.flags.iter().any(|flag| words.contains(flag)));
    let always = given.filter_map(|option| option.option.extra.get("x-effects")?.as_object());
    let worst = always.map(|effects| {
        let says = |at: &str| effects.get(at).is_some_and(|value| *value != Value::Bool(false));
        let idempotent = effects.get("idempotent").and_then(Value::as_bool);
        if effects.get("destructive") == Some(&Value::Bool(true)) {
            Class::Destructive
        } else if ["filesystem", "creates", "modifies", "deletes"]
            .into_iter()
            .any(says)
            || idempotent == Some(false)
        {
            Class::Change
        } else {
            Class::Read
        }
    });
    worst.max().unwrap_or(Class::Read)
}

/// Whether a tool reaches any host, and may write anything.
fn reach(bundle: &Bundle, tool: &BundleTool) -> (bool, bool) {
    let SandboxBlock::Aip29(block) = &bundle.sandbox else {
        panic!("a bundle of ours has a block of AIP-29");
    };
    let own = tool.tool.sandbox.as_ref();
    let egress = own
        .and_then(|own| own.network.as_ref()?.egress.as_ref())
        .or(block.network.egress.as_ref());
    let write = own
        .and_then(|own| own.fs.as_ref()?.write.as_ref())
        .or(block.fs.write.as_ref());
    (
        egress.is_some_and(|hosts| !hosts.is_empty()),
        write.is_some_and(|paths| !paths.is_empty()),
    )
}
