//! The list: where credentials are kept, and why each place is on it.
//!
//! What is listed holds credentials as a rule, or is where a tool writes them when somebody signs in. A file that holds
//! one only now and then, and that other files are useless without, counts by what it says
//! ([`Certainty::IfItSaysSo`]). Of the system, what its owner alone may read by default is listed.

use super::place::{Certainty, SecretPlace};

/// Places of one kind, and why they are listed.
type Kind = (&'static str, &'static [&'static str]);

/// What is listed, by why.
const ALWAYS: &[Kind] = &[
    (
        "private keys and what opens them",
        &[
            "~/.age",
            "~/.config/1Password",
            "~/.config/age",
            "~/.config/Bitwarden CLI",
            "~/.config/keepassxc",
            "~/.config/op",
            "~/.config/sops",
            "~/.gnupg",
            "~/.local/share/gopass",
            "~/.local/share/keyrings",
            "~/.local/share/kwalletd",
            "~/.op",
            "~/.password-store",
            "~/.pki",
            "~/.putty",
            "~/.ssh",
            "~/.vault_pass",
            "~/.vault_pass.txt",
        ],
    ),
    (
        "passwords of hosts, and of git",
        &[
            "~/.authinfo",
            "~/.authinfo.gpg",
            "~/.config/git/config",
            "~/.config/git/credentials",
            "~/.curlrc",
            "~/.git-credential-cache",
            "~/.git-credentials",
            "~/.gitconfig",
            "~/.gitcookies",
            "~/.hgrc",
            "~/.msmtprc",
            "~/.netrc",
            "~/.subversion/auth",
            "~/.wgetrc",
            "~/_netrc",
        ],
    ),
    (
        "sessions of browsers and mail programs",
        &[
            "~/.config/BraveSoftware",
            "~/.config/chromium",
            "~/.config/google-chrome",
            "~/.config/microsoft-edge",
            "~/.mozilla",
            "~/.thunderbird",
            "~/.var/app",
            "~/snap",
        ],
    ),
    (
        "logins of forges and services",
        &[
            "~/.circleci",
            "~/.cloudflared",
            "~/.config/.wrangler",
            "~/.config/com.vercel.cli",
            "~/.config/configstore",
            "~/.config/gh",
            "~/.config/github-copilot",
            "~/.config/glab-cli",
            "~/.config/heroku",
            "~/.config/hub",
            "~/.config/netlify",
            "~/.config/ngrok",
            "~/.config/stripe",
            "~/.config/tea",
            "~/.config/twilio-cli",
            "~/.databrickscfg",
            "~/.doppler",
            "~/.fly",
            "~/.huggingface",
            "~/.cache/huggingface/token",
            "~/.kaggle",
            "~/.local/share/com.vercel.cli",
            "~/.local/share/heroku",
            "~/.netlify",
            "~/.ngrok2",
            "~/.railway",
            "~/.sentryclirc",
            "~/.snowflake",
            "~/.snowsql",
            "~/.supabase",
            "~/.twilio-cli",
            "~/.vercel",
            "~/.wrangler",
        ],
    ),
    (
        "logins of clouds and stores",
        &[
            "~/.aliyun",
            "~/.aws",
            "~/.azure",
            "~/.bluemix",
            "~/.boto",
            "~/.config/doctl",
            "~/.config/gcloud",
            "~/.config/hcloud",
            "~/.config/linode-cli",
            "~/.config/openstack",
            "~/.config/rclone",
            "~/.config/restic",
            "~/.config/s3cmd",
            "~/.config/scw",
            "~/.consul-token",
            "~/.gsutil",
            "~/.mc",
            "~/.nomad-token",
            "~/.oci",
            "~/.pulumi/credentials.json",
            "~/.rclone.conf",
            "~/.s3cfg",
            "~/.terraform.d/credentials.tfrc.json",
            "~/.terraformrc",
            "~/.tofurc",
            "~/.vault",
            "~/.vault-token",
        ],
    ),
    (
        "logins of clusters and registries of images",
        &[
            "~/.argocd",
            "~/.config/argocd",
            "~/.config/containers/auth.json",
            "~/.config/containers/certs.d",
            "~/.config/helm",
            "~/.docker/.token_seed",
            "~/.docker/config.json",
            "~/.docker/contexts",
            "~/.docker/machine",
            "~/.docker/trust",
            "~/.dockercfg",
            "~/.kube",
            "~/.local/share/containers/storage/secrets",
            "~/.local/share/k9s",
            "~/.minikube",
            "~/.skaffold",
            "~/.talos",
        ],
    ),
    (
        "tokens of package registries",
        &[
            "~/.ansible.cfg",
            "~/.ansible/galaxy_token",
            "~/.bundle/config",
            "~/.bunfig.toml",
            "~/.cabal/config",
            "~/.cargo/credentials",
            "~/.cargo/credentials.toml",
            "~/.composer/auth.json",
            "~/.composer/config.json",
            "~/.conan/.conan.db",
            "~/.conan2/credentials.json",
            "~/.config/composer/auth.json",
            "~/.config/composer/config.json",
            "~/.config/dart",
            "~/.config/NuGet",
            "~/.config/pip",
            "~/.config/pnpm",
            "~/.config/pypoetry",
            "~/.config/uv",
            "~/.config/yarn",
            "~/.gem/credentials",
            "~/.gradle/gradle.properties",
            "~/.gradle/init.d",
            "~/.gradle/init.gradle",
            "~/.gradle/init.gradle.kts",
            "~/.hex",
            "~/.ivy2/.credentials",
            "~/.local/share/gem/credentials",
            "~/.local/share/uv/credentials",
            "~/.m2/settings-security.xml",
            "~/.m2/settings.xml",
            "~/.npmrc",
            "~/.nuget/NuGet",
            "~/.pip",
            "~/.pub-cache/credentials.json",
            "~/.pypirc",
            "~/.sbt/.credentials",
            "~/.yarnrc",
            "~/.yarnrc.yml",
        ],
    ),
    (
        "passwords of databases",
        &[
            "~/.cassandra",
            "~/.dbshell",
            "~/.local/share/DBeaverData",
            "~/.mongodb",
            "~/.mongorc.js",
            "~/.my.cnf",
            "~/.mylogin.cnf",
            "~/.pg_service.conf",
            "~/.pgpass",
            "~/.postgresql",
        ],
    ),
    (
        "logins of agents and models",
        &[
            "~/.anthropic",
            "~/.claude",
            "~/.claude.json",
            "~/.codex",
            "~/.config/goose",
            "~/.config/openai",
            "~/.gemini",
            "~/.local/share/opencode",
            "~/.qwen",
        ],
    ),
    (
        "what was typed, and what shells export",
        &[
            "~/.*_history",
            "~/.bash_login",
            "~/.bash_profile",
            "~/.bashrc",
            "~/.config/environment.d",
            "~/.config/fish",
            "~/.envrc",
            "~/.local/share/fish",
            "~/.pam_environment",
            "~/.profile",
            "~/.zlogin",
            "~/.zprofile",
            "~/.zshenv",
            "~/.zshrc",
        ],
    ),
    (
        "keys and passwords of the system",
        &[
            "/etc/NetworkManager/system-connections",
            "/etc/apt/auth.conf",
            "/etc/apt/auth.conf.d",
            "/etc/ansible",
            "/etc/containers/auth.json",
            "/etc/containers/certs.d",
            "/etc/docker",
            "/etc/gshadow",
            "/etc/gshadow-",
            "/etc/ipsec.d",
            "/etc/ipsec.secrets",
            "/etc/java-*/management",
            "/etc/krb5.keytab",
            "/etc/kubernetes",
            "/etc/letsencrypt",
            "/etc/mysql/debian.cnf",
            "/etc/openvpn",
            "/etc/pacman.d/gnupg",
            "/etc/pki/tls/private",
            "/etc/ppp",
            "/etc/rancher",
            "/etc/shadow",
            "/etc/shadow-",
            "/etc/ssh/ssh_host_*_key",
            "/etc/ssl/private",
            "/etc/sudoers",
            "/etc/sudoers.d",
            "/etc/wireguard",
            "/run/containers",
            "/run/credentials",
            "/run/secrets",
            "/run/user",
            "/var/lib/docker",
            "/var/lib/kubelet",
            "/var/lib/private",
            "/var/lib/rancher",
            "/var/run/secrets",
            "/var/spool/cron",
        ],
    ),
];

/// Settings that rarely hold a credential, and without which a toolchain does not find what it has: mirrors, proxies.
const IF_THEY_SAY_SO: &[Kind] = &[(
    "settings in which a token or a URL with a password may stand",
    &["~/.cargo/config", "~/.cargo/config.toml", "~/.config/go/env"],
)];

/// Names below a place that hold no credential: what was fetched, and programs elsewhere than in `bin`.
const EXCEPT: &[(&str, &[&str])] = &[
    ("~/.claude", &["local"]),
    ("~/.kube", &["cache"]),
    ("~/.minikube", &["cache"]),
];

/// Directories that are shared by everything, so that no description means all of them.
const TOO_WIDE: &[&str] = &[
    "/",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/media",
    "/mnt",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/srv",
    "/sys",
    "/tmp",
    "/usr",
    "/var",
    "/var/cache",
    "/var/lib",
    "/var/log",
    "/var/run",
    "/var/spool",
    "/var/tmp",
    "~",
    "~/.cache",
    "~/.config",
    "~/.local",
    "~/.local/share",
    "~/.local/state",
];

/// Whether a path of a description is as wide as a system or a home. A glob of bare stars is as wide as where it stands.
pub fn is_too_wide(text: &str) -> bool {
    let mut plain = text.trim_end_matches('/');
    while let Some((above, "*" | "**")) = plain.rsplit_once('/') {
        plain = above.trim_end_matches('/');
    }
    let plain = match plain {
        "" if text.starts_with('/') => "/",
        plain => plain,
    };
    TOO_WIDE.contains(&plain)
}

/// Returns every place.
pub fn secret_places() -> impl Iterator<Item = SecretPlace> {
    let kinds = |kinds: &'static [Kind], certainty: Certainty| {
        kinds.iter().flat_map(move |(why, places)| {
            places.iter().map(move |at| SecretPlace {
                at,
                why,
                certainty,
                except: except(at),
            })
        })
    };
    kinds(ALWAYS, Certainty::Always).chain(kinds(IF_THEY_SAY_SO, Certainty::IfItSaysSo))
}

fn except(at: &str) -> &'static [&'static str] {
    let found = EXCEPT.iter().find(|(place, _)| *place == at);
    found.map_or(&[], |(_, names)| names)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::place::Relation;
    use super::*;

    #[test]
    fn every_place_is_listed_once_and_can_be_compared() {
        let mut seen = HashSet::new();
        for place in secret_places() {
            assert!(seen.insert(place.at), "{} twice", place.at);
            assert!(
                place.at.starts_with("~/") || place.at.starts_with('/'),
                "{}",
                place.at
            );
            assert!(
                !place.at.ends_with('/') && !place.at.contains("//"),
                "{}",
                place.at
            );
            assert!(
                place.at.split('/').all(|name| name.matches('*').count() < 2),
                "{}",
                place.at
            );
            assert_eq!(
                place.relation_of_text(&place.at.replace('*', "x")),
                Relation::Within,
                "{}",
                place.at
            );
        }
        for (at, _) in EXCEPT {
            assert!(seen.contains(at), "{at}");
        }
    }

    #[test]
    fn no_place_is_part_of_another() {
        let places: Vec<SecretPlace> = secret_places().collect();
        for one in &places {
            for other in places.iter().filter(|other| other.at != one.at) {
                let relation = one.relation_of_text(&other.at.replace('*', "x"));
                assert_ne!(relation, Relation::Within, "{} in {}", other.at, one.at);
            }
        }
    }

    #[test]
    fn whole_systems_and_homes_are_too_wide() {
        for wide in [
            "/",
            "~",
            "~/",
            "/tmp",
            "/tmp/*/",
            "/etc/",
            "/run/",
            "/var//",
            "~/.config/**",
            "~/.local/*/*",
            "/**",
        ] {
            assert!(is_too_wide(wide), "{wide}");
        }
        for narrow in [
            "/etc/passwd",
            "~/.cargo/bin/",
            "/run/udev/data/",
            "sub/*",
            "/tmp/x/",
            "/tmp/x-*/",
        ] {
            assert!(!is_too_wide(narrow), "{narrow}");
        }
    }
}
