//! Every rule, asked and listed.

use super::super::findings::Findings;
use super::super::run::{Context, UNKNOWN_KIND};
use super::super::view::Tool;
use super::{
    authentication, draft, effects, examples, extensions, fields, flags, order, patterns, quality, reading,
    secrets, values, wording,
};
use crate::doc::{Node, Rule};
use crate::{
    acp_md, agent_bundle, agent_cli_md, bundle, cli_md, driver_md, intent_md, manifest, runner_block,
    sandbox_block, secrets_md, tool_md, tools_json,
};

/// Asks every rule about the metadata of a tool.
pub(in crate::lint) fn metadata(tool: &Tool<'_>, context: Context<'_>, findings: &mut Findings) {
    draft::check(tool, context, findings);
    fields::check(tool, context, findings);
    quality::check(tool, context, findings);
    flags::check(tool, findings);
    values::check(tool, findings);
    order::check(tool, findings);
    examples::check(tool, findings);
    effects::check(tool, context, findings);
    extensions::check(tool, findings);
    authentication::check(tool, findings);
    wording::check(tool.root, findings);
    secrets::check(tool.root, findings);
    patterns::of_tool(tool, findings);
}

/// Asks the rules that a file of patterns has to keep.
pub(in crate::lint) fn pattern_file(root: &Node, context: Context<'_>, findings: &mut Findings) {
    patterns::of_file(root, findings);
    fields::check_patterns(root, context, findings);
    wording::check(root, findings);
    secrets::check(root, findings);
}

/// Asks the rules that a Markdown manifest has to keep beside its own.
pub(in crate::lint) fn manifest(root: &Node, findings: &mut Findings) {
    wording::check(root, findings);
    secrets::check(root, findings);
}

/// Returns every rule with its reason, families in order.
pub fn rules() -> Vec<Rule> {
    let families = [
        draft::RULES,
        fields::RULES,
        quality::RULES,
        flags::RULES,
        values::RULES,
        order::RULES,
        examples::RULES,
        effects::RULES,
        extensions::RULES,
        authentication::RULES,
        wording::RULES,
        secrets::RULES,
        patterns::RULES,
        tools_json::RULES,
        manifest::RULES,
        cli_md::RULES,
        tool_md::RULES,
        secrets_md::RULES,
        intent_md::RULES,
        driver_md::RULES,
        runner_block::RULES,
        sandbox_block::RULES,
        bundle::RULES,
        agent_cli_md::RULES,
        acp_md::RULES,
        agent_bundle::RULES,
    ];
    let ours = families.into_iter().flatten().copied();
    reading::RULES
        .iter()
        .copied()
        .chain([UNKNOWN_KIND])
        .chain(ours)
        .collect()
}
