//! What a profile of ACP means for what agents claim.

use argrail_spec::acp_md::{Tier, load};
use argrail_spec::agent_cli_md::Capability;

fn check(aip44: &str, lacks: &[Capability]) {
    let text = format!(
        "---\nname: a\nid: a1\ndescription: A.\nversion: 1.0.0\nkind: client\ntransport: stdio\nmetadata: {{ aip44: {{ acp_rev: \"7f3c2a1\", {aip44} }} }}\n---\n"
    );
    let profile = load(text.as_bytes()).unwrap().manifest;
    let all = [
        Capability::Streaming,
        Capability::ToolCalls,
        Capability::SubAgents,
        Capability::FileIo,
        Capability::Multimodal,
        Capability::Resumable,
        Capability::Bidirectional,
    ];
    let came: Vec<Capability> = all
        .into_iter()
        .filter(|claim| profile.lacks(*claim).is_some())
        .collect();
    assert_eq!(came, lacks, "{aip44}");
}

#[test]
fn a_tier_stands_for_capabilities_until_they_are_written() {
    use Capability::{Multimodal, Resumable, ToolCalls};
    check("tier: basic", &[ToolCalls, Multimodal, Resumable]);
    check("tier: governance-aware", &[Multimodal]);
    check("tier: sandboxed, sandbox: ./SANDBOX.md", &[Multimodal]);
    // What is written counts in the place of the tier, and what it leaves out is not there.
    check(
        "tier: governance-aware, capabilities: {}",
        &[Multimodal, Resumable],
    );
    check(
        "tier: basic, capabilities: { agent: { loadSession: true } }",
        &[ToolCalls, Multimodal],
    );
    check(
        "tier: governance-aware, capabilities: { agent: { promptCapabilities: { audio: true } } }",
        &[Resumable],
    );
}

#[test]
fn tiers_are_in_order() {
    assert!(Tier::Basic < Tier::GovernanceAware && Tier::GovernanceAware < Tier::Sandboxed);
}
