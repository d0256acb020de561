//! Where a call may talk to: the hosts that its description names, found out.

use std::path::Path;

use argrail_spec::atip::Effects;
use serde_json::Value;

use crate::policy::{Basis, Egress};

/// The most of a file that names hosts.
const MOST: u64 = 1 << 20;

/// Reads what `effects` say about the network. Hosts count only where somebody settles them.
pub(super) fn egress(effects: &Effects, basis: Basis, kubeconfig: impl Fn() -> Option<String>) -> Egress {
    if effects.network != Some(true) {
        return Egress::None;
    }
    let named = effects.extra.get("x-egress").and_then(Value::as_array);
    let (Basis::Settled, Some(named)) = (basis, named) else {
        return Egress::Public;
    };
    let mut hosts = Vec::new();
    for entry in named.iter().filter_map(Value::as_str) {
        match entry {
            "from:kubeconfig" => match kubeconfig() {
                Some(host) => hosts.push(host),
                None => return Egress::Public,
            },
            host => hosts.push(host.to_owned()),
        }
    }
    if hosts.is_empty() {
        return Egress::Public;
    }
    Egress::Names(hosts)
}

/// Returns the host of the cluster that a kubeconfig has chosen. `file` is read whole and once.
pub(super) fn kubeconfig(file: &Path) -> Option<String> {
    if file.metadata().ok()?.len() > MOST {
        return None;
    }
    current_server(&std::fs::read_to_string(file).ok()?)
}

/// The host of `clusters[current].cluster.server`.
fn current_server(text: &str) -> Option<String> {
    let config: Value = serde_saphyr::from_str(text).ok()?;
    let named = |list: &str, name: &str| -> Option<Value> {
        let items = config.get(list)?.as_array()?;
        items
            .iter()
            .find(|item| item.get("name").and_then(Value::as_str) == Some(name))
            .cloned()
    };
    let context = named("contexts", config.get("current-context")?.as_str()?)?;
    let cluster = named("clusters", context.pointer("/context/cluster")?.as_str()?)?;
    let server = cluster.pointer("/cluster/server")?.as_str()?;
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn effects(network: bool, hosts: &[&str]) -> Effects {
        let mut effects = Effects {
            network: Some(network),
            ..Effects::default()
        };
        if !hosts.is_empty() {
            effects.extra.insert("x-egress".to_owned(), json!(hosts));
        }
        effects
    }

    #[test]
    fn only_settled_hosts_count() {
        let check = |effects: &Effects, basis, cluster: Option<&str>, want: Egress| {
            assert_eq!(egress(effects, basis, || cluster.map(str::to_owned)), want);
        };
        let names = |hosts: &[&str]| Egress::Names(hosts.iter().map(|host| (*host).to_owned()).collect());
        check(&Effects::default(), Basis::Settled, None, Egress::None);
        check(&effects(false, &["a.test"]), Basis::Settled, None, Egress::None);
        check(&effects(true, &["a.test"]), Basis::Settled, None, names(&["a.test"]));
        check(&effects(true, &["a.test"]), Basis::Claimed, None, Egress::Public);
        check(&effects(true, &[]), Basis::Settled, None, Egress::Public);
        let cluster = effects(true, &["from:kubeconfig"]);
        check(&cluster, Basis::Settled, Some("k.test"), names(&["k.test"]));
        check(&cluster, Basis::Settled, None, Egress::Public);
    }

    #[test]
    fn the_chosen_cluster_is_the_one() {
        let text = "current-context: b\ncontexts:\n- name: a\n  context: {cluster: one}\n- name: b\n  context: {cluster: two}\n\
                    clusters:\n- name: one\n  cluster: {server: 'https://one.test:6443'}\n- name: two\n  cluster: {server: 'https://Two.test:6443/x'}\n";
        assert_eq!(current_server(text).as_deref(), Some("two.test"));
        assert_eq!(current_server("current-context: b"), None);
        assert_eq!(current_server("{"), None);
    }
}
