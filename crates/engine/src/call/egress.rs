//! Where a call may talk to: the hosts that its description names, found out.

use std::io::{ErrorKind, Read};
use std::path::Path;

use argrail_spec::atip::Effects;
use serde_json::Value;

use crate::policy::{Basis, Egress};

/// The most of a file that names hosts: bytes, and values.
const MOST: u64 = 1 << 20;
const NODES: usize = 20_000;

/// Reads what `effects` say about the network. Hosts count only where somebody settles them.
pub(super) fn egress(effects: &Effects, basis: Basis, clusters: impl Fn() -> Option<Vec<String>>) -> Egress {
    if effects.network != Some(true) {
        return Egress::None;
    }
    let named = effects.extra.get("x-egress").and_then(Value::as_array);
    let (Basis::Settled, Some(named)) = (basis, named) else {
        return Egress::Public;
    };
    if named.is_empty() {
        return Egress::Public;
    }
    let mut hosts = Vec::new();
    for entry in named.iter().filter_map(Value::as_str) {
        match entry {
            "from:kubeconfig" => match clusters() {
                Some(clusters) => hosts.extend(clusters),
                None => return Egress::Public,
            },
            host => hosts.push(host.to_owned()),
        }
    }
    Egress::Names(hosts)
}

/// Returns the hosts of every cluster that the user has named in a kubeconfig. Without the file there are none; one
/// that cannot be read tells nothing.
pub(super) fn clusters(file: &Path) -> Option<Vec<String>> {
    let text = match std::fs::File::open(file) {
        Ok(file) => {
            let mut text = String::new();
            file.take(MOST).read_to_string(&mut text).ok()?;
            text
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Some(Vec::new()),
        Err(_) => return None,
    };
    servers(&text)
}

/// The hosts of `clusters[].cluster.server`.
fn servers(text: &str) -> Option<Vec<String>> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_nodes: NODES },
    };
    let config: Value = serde_saphyr::from_str_with_options(text, options).ok()?;
    let clusters = config.get("clusters")?.as_array()?;
    let host = |cluster: &Value| {
        let server = cluster.pointer("/cluster/server")?.as_str()?;
        let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next()?;
        let host = authority.rsplit('@').next()?;
        let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
        (!host.is_empty()).then(|| host.to_ascii_lowercase())
    };
    Some(clusters.iter().filter_map(host).collect())
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
            let clusters = || cluster.map(|host| vec![host.to_owned()]);
            assert_eq!(egress(effects, basis, clusters), want);
        };
        let names = |hosts: &[&str]| Egress::Names(hosts.iter().map(|host| (*host).to_owned()).collect());
        check(&Effects::default(), Basis::Settled, None, Egress::None);
        check(&effects(false, &["a.test"]), Basis::Settled, None, Egress::None);
        check(
            &effects(true, &["a.test"]),
            Basis::Settled,
            None,
            names(&["a.test"]),
        );
        check(&effects(true, &["a.test"]), Basis::Claimed, None, Egress::Public);
        check(&effects(true, &[]), Basis::Settled, None, Egress::Public);
        let cluster = effects(true, &["from:kubeconfig"]);
        check(&cluster, Basis::Settled, Some("k.test"), names(&["k.test"]));
        check(&cluster, Basis::Settled, None, Egress::Public);
    }

    #[test]
    fn every_cluster_that_the_user_named_counts() {
        let check = |text: &str, want: Option<&[&str]>| {
            let want = want.map(|hosts| hosts.iter().map(|host| (*host).to_owned()).collect::<Vec<_>>());
            assert_eq!(servers(text), want, "{text}");
        };
        let text = "current-context: b\nclusters:\n- name: one\n  cluster: {server: 'https://one.test:6443'}\n\
                    - name: two\n  cluster: {server: 'https://Two.test:6443/x'}\n- name: three\n";
        check(text, Some(&["one.test", "two.test"]));
        check("clusters: []", Some(&[]));
        check("current-context: b", None);
        check("{", None);
        assert_eq!(clusters(Path::new("/nowhere/kubeconfig")), Some(Vec::new()));
    }
}
