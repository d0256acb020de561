//! The draft's own examples (ATIP §8), as the catalogue would settle them and as the tools themselves claim them.

use argrail_spec::atip::{Invoked, Metadata, load};
use indexmap::IndexMap;

use crate::policy::{Approval, Basis, Confinement, Decision, Egress, Facts, Rules, Trust, Verdict, decide};

const GH: &str = include_str!("../../../../../corpus/atip/examples/gh.json");
const KUBECTL: &str = include_str!("../../../../../corpus/atip/examples/kubectl.json");
const TERRAFORM: &str = include_str!("../../../../../corpus/atip/examples/terraform.json");

fn metadata(tool: &str) -> Metadata {
    let text = match tool {
        "gh" => GH,
        "kubectl" => KUBECTL,
        "terraform" => TERRAFORM,
        other => panic!("no example: {other}"),
    };
    load(text.as_bytes()).unwrap().metadata
}

/// Decides an example: `gh pr list`.
fn decided(command: &str, basis: Basis, egress: Egress) -> Decision {
    let mut words = command.split(' ');
    let tool = words.next().unwrap();
    let metadata = metadata(tool);
    let mut effects = metadata.effects.clone().unwrap_or_default();
    let mut commands = &metadata.commands;
    for word in words.clone() {
        let command = &commands
            .get(word)
            .unwrap_or_else(|| panic!("{word} is no command"));
        effects = command.effects.clone().unwrap_or_default().inherit(&effects);
        commands = &command.commands;
    }
    let facts = Facts {
        invoked: Invoked {
            tool: tool.to_owned(),
            path: words.map(str::to_owned).collect(),
            effects,
            ..Invoked::default()
        },
        basis,
        origins: IndexMap::new(),
        trust: Trust::Unpinned,
        egress,
        paths: Vec::new(),
        approval: Approval::default(),
        programs: Vec::new(),
        inner: Vec::new(),
    };
    decide(&facts, &Rules::default())
}

fn strictest(decision: &Decision) -> Vec<&'static str> {
    let reasons = decision.reasons.iter();
    reasons
        .filter(|reason| reason.verdict != Verdict::Allow)
        .map(|reason| reason.rule)
        .collect()
}

#[test]
fn the_drafts_examples_run_if_they_read_and_ask_if_they_change() {
    let check = |command: &str, verdict: Verdict, rules: &[&str]| {
        let named = Egress::Names(vec!["api.example.org".to_owned()]);
        let decision = decided(command, Basis::Settled, named);
        assert_eq!(decision.verdict, verdict, "{command}");
        assert_eq!(strictest(&decision), rules, "{command}");
        assert_eq!(decision.confinement, Confinement::Effects, "{command}");
    };
    use Verdict::{Allow, Ask};
    check("gh pr list", Allow, &[]);
    check("gh pr create", Ask, &["default.change", "default.repeat"]);
    check("gh pr merge", Ask, &["default.change", "default.repeat"]);
    check("gh issue create", Ask, &["default.change", "default.unknown"]);
    check(
        "gh repo clone",
        Ask,
        &["default.change", "default.change", "default.unknown"],
    );
    check(
        "gh repo delete",
        Ask,
        &["default.change", "default.destructive", "default.unknown"],
    );
    check("kubectl get", Allow, &[]);
    check("kubectl apply", Ask, &["default.change"]);
    check(
        "kubectl delete",
        Ask,
        &["default.change", "default.destructive", "default.unknown"],
    );
    check("kubectl exec", Ask, &["default.repeat"]);
    check("terraform init", Ask, &["default.change"]);
    check("terraform plan", Allow, &[]);
    check("terraform output", Allow, &[]);
    check(
        "terraform apply",
        Ask,
        &[
            "default.change",
            "default.change",
            "default.billable",
            "default.cost",
            "default.repeat",
        ],
    );
    check(
        "terraform destroy",
        Ask,
        &[
            "default.change",
            "default.destructive",
            "default.billable",
            "default.unknown",
        ],
    );
}

#[test]
fn a_network_read_without_named_hosts_asks() {
    for command in ["gh pr list", "kubectl get", "terraform plan"] {
        for egress in [Egress::Public, Egress::None, Egress::Names(Vec::new())] {
            let decision = decided(command, Basis::Settled, egress);
            assert_eq!(strictest(&decision), ["default.network"], "{command}");
        }
    }
    let output = decided("terraform output", Basis::Settled, Egress::None);
    assert_eq!(output.verdict, Verdict::Allow);
}

#[test]
fn what_a_tool_claims_of_itself_runs_only_where_it_is_made_true() {
    let named = || Egress::Names(vec!["api.example.org".to_owned()]);
    for command in ["gh pr list", "kubectl get", "terraform plan"] {
        let decision = decided(command, Basis::Claimed, named());
        assert_eq!(strictest(&decision), ["default.network"], "{command}");
        assert_eq!(decision.confinement, Confinement::Closed);
    }
    let output = decided("terraform output", Basis::Claimed, Egress::None);
    assert_eq!(
        (output.verdict, output.confinement),
        (Verdict::Allow, Confinement::Closed)
    );
    for command in [
        "gh pr create",
        "kubectl apply",
        "kubectl delete",
        "kubectl exec",
        "terraform destroy",
    ] {
        assert_eq!(
            decided(command, Basis::Claimed, named()).verdict,
            Verdict::Ask,
            "{command}"
        );
    }
}
