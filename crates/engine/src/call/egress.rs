//! Where a call may talk to: the hosts that its description names, found out.

use std::io::{ErrorKind, Read};
use std::path::Path;

use argrail_spec::atip::Invoked;
use serde_json::Value;

use super::git_remotes::GitHosts;
use crate::policy::{Basis, Egress};

/// The most of a file that names hosts: bytes, and values.
const MOST: u64 = 1 << 20;
const NODES: usize = 20_000;

/// Where the hosts of a description come from besides itself.
pub(super) trait HostSources {
    /// The hosts of every cluster of the user's; nothing where that cannot be told.
    fn clusters(&self) -> Option<Vec<String>>;
    /// The hosts of the repository that git works in, as the words of these arguments pick them.
    fn git_remote(&self, invoked: &Invoked, arguments: &str) -> Option<GitHosts>;
    /// Whether a person accepted the project, so that its remotes are theirs.
    fn is_accepted(&self) -> bool;
}

/// Reads what a call says about the network. Hosts count only where somebody settles them. What a repository names that
/// nobody accepted joins what only the caller's words name.
pub(super) fn egress(invoked: &mut Invoked, basis: Basis, sources: &impl HostSources) -> Egress {
    if invoked.effects.network != Some(true) {
        return Egress::None;
    }
    let named = invoked.effects.extra.get("x-egress").and_then(Value::as_array);
    let (Basis::Settled, Some(named)) = (basis, named) else {
        return Egress::Public;
    };
    if named.is_empty() {
        return Egress::Public;
    }
    let mut hosts: Vec<String> = Vec::new();
    let mut new_hosts: Vec<String> = Vec::new();
    for entry in named.iter().filter_map(Value::as_str) {
        if entry == "from:kubeconfig" {
            match sources.clusters() {
                Some(clusters) => hosts.extend(clusters),
                None => return Egress::Public,
            }
        } else if let Some(arguments) = entry.strip_prefix("from:git-remote:") {
            let Some(GitHosts { configured, written }) = sources.git_remote(invoked, arguments) else {
                return Egress::Public;
            };
            if !configured.is_empty() && !sources.is_accepted() {
                new_hosts.extend(configured.iter().cloned());
            }
            new_hosts.extend(written.iter().cloned());
            hosts.extend(configured.into_iter().chain(written));
        } else {
            hosts.push(entry.to_owned());
        }
    }
    for host in new_hosts {
        if !invoked.caller_named.contains(&host) {
            invoked.caller_named.push(host);
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

    fn invoked(network: bool, hosts: &[&str]) -> Invoked {
        let mut invoked = Invoked::default();
        invoked.effects.network = Some(network);
        if !hosts.is_empty() {
            invoked.effects.extra.insert("x-egress".to_owned(), json!(hosts));
        }
        invoked
    }

    /// What there is beside a description.
    #[derive(Default, Clone, Copy)]
    struct Around {
        cluster: Option<&'static str>,
        remote: Option<(&'static str, &'static str)>,
        accepted: bool,
    }

    impl HostSources for Around {
        fn clusters(&self) -> Option<Vec<String>> {
            self.cluster.map(|host| vec![host.to_owned()])
        }

        fn git_remote(&self, _: &Invoked, arguments: &str) -> Option<GitHosts> {
            assert_eq!(arguments, "repository");
            let some = |host: &str| vec![host.to_owned()].into_iter().filter(|host| !host.is_empty());
            self.remote.map(|(configured, written)| GitHosts {
                configured: some(configured).collect(),
                written: some(written).collect(),
            })
        }

        fn is_accepted(&self) -> bool {
            self.accepted
        }
    }

    fn names(hosts: &[&str]) -> Egress {
        Egress::Names(hosts.iter().map(|host| (*host).to_owned()).collect())
    }

    #[test]
    fn only_settled_hosts_count() {
        let check = |mut invoked: Invoked, basis, cluster: Option<&'static str>, want: Egress| {
            let around = Around {
                cluster,
                ..Around::default()
            };
            assert_eq!(egress(&mut invoked, basis, &around), want);
        };
        check(Invoked::default(), Basis::Settled, None, Egress::None);
        check(invoked(false, &["a.test"]), Basis::Settled, None, Egress::None);
        check(
            invoked(true, &["a.test"]),
            Basis::Settled,
            None,
            names(&["a.test"]),
        );
        check(invoked(true, &["a.test"]), Basis::Claimed, None, Egress::Public);
        check(invoked(true, &[]), Basis::Settled, None, Egress::Public);
        let cluster = || invoked(true, &["from:kubeconfig"]);
        check(cluster(), Basis::Settled, Some("k.test"), names(&["k.test"]));
        check(cluster(), Basis::Settled, None, Egress::Public);
    }

    #[test]
    fn remotes_are_new_hosts_where_nobody_accepted_the_project() {
        let check =
            |remote: Option<(&'static str, &'static str)>, accepted: bool, want: Egress, new: &[&str]| {
                let mut invoked = invoked(true, &["from:git-remote:repository"]);
                let around = Around {
                    remote,
                    accepted,
                    ..Around::default()
                };
                assert_eq!(egress(&mut invoked, Basis::Settled, &around), want);
                assert_eq!(invoked.caller_named, new);
            };
        check(Some(("a.test", "")), true, names(&["a.test"]), &[]);
        check(Some(("a.test", "")), false, names(&["a.test"]), &["a.test"]);
        check(Some(("", "b.test")), true, names(&["b.test"]), &["b.test"]);
        check(Some(("", "")), true, names(&[]), &[]);
        check(None, true, Egress::Public, &[]);
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
