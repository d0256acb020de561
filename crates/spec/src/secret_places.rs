//! Places that hold credentials wherever a home or a system has them: the one list that every description is held to.
//!
//! Harmless things (toolchains, caches) and secret ones (settings with a token in them) often lie in one directory. A
//! description that names the directory does not mean the token, and a program that lives beside it does not need it. So
//! whatever is at or below one of these places is a secret, whoever names it: it is shown only to a call that says so
//! (`x-secrets`) and may, and a wider path is shown without it.
//!
//! What is listed holds credentials as a rule, or is where a tool writes them when somebody signs in. A file that holds
//! one only now and then, and that other files are useless without, counts by what it says
//! ([`Certainty::IfItSaysSo`]). Of the system, what its owner alone may read by default is listed.

use std::path::{Component, Path};

/// A place that holds credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretPlace {
    /// Where: `~/…` or `/…`, with `*` for anything inside of a name. It stands for itself and all below it.
    pub at: &'static str,
    /// Why.
    pub why: &'static str,
    /// Whether there is a credential in it for sure.
    pub certainty: Certainty,
    /// Names below it that hold none.
    except: &'static [&'static str],
}

/// Whether a place holds a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// It is taken for one, whatever it says.
    Always,
    /// It is one if it says so.
    IfItSaysSo,
}

/// How a path and a place lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Neither is part of the other.
    Apart,
    /// The path is the place, or below it.
    Within,
    /// The place is below the path.
    Holds,
}

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
            "/root",
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

/// Below any place, where installers of the same tools put programs.
const PROGRAMS: &str = "bin";

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

impl SecretPlace {
    /// Returns how an absolute path lies to the place, by names alone.
    pub fn relation(&self, path: &Path, home: &Path) -> Relation {
        let (rest, wanted) = match self.at.strip_prefix("~/") {
            Some(wanted) => match path.strip_prefix(home) {
                Ok(rest) => (rest, wanted),
                Err(_) if home.starts_with(path) => return Relation::Holds,
                Err(_) => return Relation::Apart,
            },
            // The home of whoever runs this is compared by its own places.
            None if path.starts_with(home) => return Relation::Apart,
            None => (path, self.at),
        };
        let names = rest.components().filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        });
        let mut wanted = wanted.split('/').filter(|name| !name.is_empty());
        let mut last = None;
        for name in names {
            match wanted.next() {
                Some(pattern) if fits(pattern, &name) => {}
                Some(_) => return Relation::Apart,
                // The first name below the place.
                None => {
                    last = Some(name.into_owned());
                    break;
                }
            }
        }
        match (wanted.next(), last) {
            (Some(_), _) => Relation::Holds,
            (None, Some(below)) if below == PROGRAMS || self.except.contains(&below.as_str()) => {
                Relation::Apart
            }
            (None, _) => Relation::Within,
        }
    }

    /// Returns the same for a path as a description writes it: `~/…` or `/…`.
    pub fn relation_of_text(&self, text: &str) -> Relation {
        // No path of a description begins so, and what is below the home is compared without it.
        let home = Path::new("/\u{1}");
        match text.strip_prefix('~') {
            Some(rest) => self.relation(&home.join(rest.trim_start_matches('/')), home),
            None => self.relation(Path::new(text), home),
        }
    }
}

/// Whether a name is one that a pattern with stars stands for.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(name) = name.strip_prefix(start) else {
        return false;
    };
    // No pattern of the list has more than one star.
    name.len() >= rest.len() && name.ends_with(rest)
}

/// Parts of names that credentials have: fields of settings, variables.
const CREDENTIAL_NAMES: &[&str] = &[
    "token",
    "secret",
    "pass",
    "pwd",
    "auth",
    "credential",
    "apikey",
    "api_key",
    "api-key",
    "access_key",
    "access-key",
    "private_key",
    "private-key",
    "signing_key",
    "encryption_key",
    "key-data",
];

/// Whether a field or a variable is called as credentials are: `_authToken`, `AWS_SECRET_ACCESS_KEY`.
pub fn is_credential_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    CREDENTIAL_NAMES.iter().any(|part| name.contains(part))
}

/// Whether settings say something that may be a credential: anything that is called so, or a URL with a user. Comments
/// count: what was commented out may still open something.
pub fn says_credential(text: &str) -> bool {
    is_credential_name(text) || text.lines().any(has_user)
}

/// Whether a URL in a line names a user: `https://user:password@host`.
fn has_user(line: &str) -> bool {
    let mut rests = line.split("://").skip(1);
    rests.any(|rest| {
        let authority = rest
            .split(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '?' | '#'))
            .next()
            .unwrap_or_default();
        authority.contains('@')
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn of(at: &str) -> SecretPlace {
        secret_places().find(|place| place.at == at).unwrap()
    }

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
    fn a_path_is_held_against_a_place_by_its_names() {
        let home = Path::new("/data/ann");
        let check = |at: &str, path: &str, want: Relation| {
            assert_eq!(of(at).relation(Path::new(path), home), want, "{path} and {at}");
        };
        check("~/.aws", "/data/ann/.aws", Relation::Within);
        check("~/.aws", "/data/ann/.aws/credentials", Relation::Within);
        check("~/.aws", "/data/ann/.awsome", Relation::Apart);
        check("~/.aws", "/data/ann", Relation::Holds);
        check("~/.aws", "/data", Relation::Holds);
        check("~/.aws", "/", Relation::Holds);
        check("~/.aws", "/data/bob/.aws", Relation::Apart);
        check("~/.aws", "/etc/.aws", Relation::Apart);
        check("~/.cargo/credentials.toml", "/data/ann/.cargo", Relation::Holds);
        check(
            "~/.cargo/credentials.toml",
            "/data/ann/.cargo/bin",
            Relation::Apart,
        );
        check("~/.kube", "/data/ann/.kube/config", Relation::Within);
        check("~/.kube", "/data/ann/.kube/cache/http", Relation::Apart);
        check("~/.fly", "/data/ann/.fly/config.yml", Relation::Within);
        check("~/.fly", "/data/ann/.fly/bin/flyctl", Relation::Apart);
        check("/root", "/root/.cache", Relation::Within);
        check("~/.*_history", "/data/ann/.bash_history", Relation::Within);
        check("~/.*_history", "/data/ann/.history", Relation::Apart);
        check(
            "/etc/ssh/ssh_host_*_key",
            "/etc/ssh/ssh_host_rsa_key",
            Relation::Within,
        );
        check(
            "/etc/ssh/ssh_host_*_key",
            "/etc/ssh/ssh_host_rsa_key.pub",
            Relation::Apart,
        );
        check("/etc/ssh/ssh_host_*_key", "/etc/ssh", Relation::Holds);
        check("/etc/ssh/ssh_host_*_key", "/etc/ssh/ssh_config", Relation::Apart);
        let root = Path::new("/root");
        assert_eq!(
            of("/root").relation(Path::new("/root/.cargo/bin"), root),
            Relation::Apart
        );
        assert_eq!(
            of("~/.aws").relation(Path::new("/root/.aws"), root),
            Relation::Within
        );
    }

    #[test]
    fn a_text_of_a_description_is_read_as_one() {
        let check = |at: &str, text: &str, want: Relation| {
            assert_eq!(of(at).relation_of_text(text), want, "{text} and {at}");
        };
        check("~/.config/gh", "~/.config/gh/", Relation::Within);
        check("~/.config/gh", "~/.config/", Relation::Holds);
        check("~/.config/gh", "~", Relation::Holds);
        check("~/.config/gh", "~/", Relation::Holds);
        check("~/.config/gh", "/", Relation::Holds);
        check("/etc/ssl/private", "/etc/ssl/", Relation::Holds);
        check("/etc/ssl/private", "/etc/ssl/certs/", Relation::Apart);
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

    #[test]
    fn what_settings_say_is_looked_at() {
        let check = |text: &str, want: bool| assert_eq!(says_credential(text), want, "{text}");
        check("[source.crates-io]\nreplace-with = \"mirror\"\n", false);
        check(
            "[source.mirror]\nregistry = \"https://mirror.example/index\"\n",
            false,
        );
        check("[registries.own]\ntoken = \"x\"\n", true);
        check("registries = { own = { token = \"x\" } }\n", true);
        check("# token = \"x\"\n", true);
        check("index = \"sparse+https://user:word@mirror.example/\"\n", true);
        check("GOPROXY=https://me@proxy.example,direct\n", true);
        check("GOFLAGS=-mod=mod\nGOPROXY=https://proxy.example/a@b\n", false);
        check("", false);
    }

    #[test]
    fn names_of_credentials_are_known() {
        for name in [
            "GH_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "PGPASSWORD",
            "_authToken",
            "VAULT_TOKEN",
            "MYSQL_PWD",
        ] {
            assert!(is_credential_name(name), "{name}");
        }
        for name in ["VAULT_ADDR", "NOMAD_REGION", "LANG", "KUBECONFIG", "registry"] {
            assert!(!is_credential_name(name), "{name}");
        }
    }
}
