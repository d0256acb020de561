//! One place of credentials, and how paths lie to it.

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
    pub(super) except: &'static [&'static str],
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

/// Below any place, where installers of the same tools put programs.
const PROGRAMS: &str = "bin";

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

#[cfg(test)]
mod tests {
    use super::super::secret_places;
    use super::*;

    fn of(at: &str) -> SecretPlace {
        secret_places().find(|place| place.at == at).unwrap()
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
        // A service whose home lies in such a place has a home like any other.
        let home = Path::new("/var/lib/private/service");
        assert_eq!(
            of("/var/lib/private").relation(&home.join(".cargo/bin"), home),
            Relation::Apart
        );
        assert_eq!(of("~/.aws").relation(&home.join(".aws"), home), Relation::Within);
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
}
