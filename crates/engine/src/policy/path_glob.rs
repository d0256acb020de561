//! Globs of paths in a permission policy: `/etc/*`, `~/notes/**`, `*.pem`.
//!
//! A rule that restricts matches widely, so that it is not dodged by depth or by naming a directory above: `*` crosses
//! `/`, everything below a match matches, and so does every directory that the glob's fixed part is in. A rule that
//! permits matches narrowly: `*` stays within one name, and only `**` crosses. Paths are compared as they are written,
//! without `.` and `..`; where links lead is for the caller to find out.

use std::path::{Component, Path, PathBuf};

/// How far a glob reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// For a rule that restricts.
    Wide,
    /// For a rule that permits.
    Narrow,
}

/// Whether `glob` speaks about `path`, which is absolute. `home` is what `~` means.
pub(super) fn matches(glob: &str, path: &Path, home: &Path, width: Width) -> bool {
    let glob = expand(glob, home);
    let path = tidy(path).to_string_lossy().into_owned();
    match width {
        Width::Wide => wide(&glob, &path),
        Width::Narrow => {
            // Classes and choices are nothing that we read: a rule with them permits nothing.
            glob.starts_with('/') && !glob.contains(['[', '{', '\\']) && walk(&glob, &path, Star::InName)
        }
    }
}

/// Whether a pattern with `*` stands for a text.
pub(super) fn matches_text(pattern: &str, text: &str) -> bool {
    walk(pattern, text, Star::Anything)
}

/// Returns a declared path as an absolute one, if that can be told here.
pub(super) fn declared(path: &str, home: &Path) -> Option<PathBuf> {
    match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            Some(home.join(rest.trim_start_matches('/')))
        }
        Some(_) | None => Some(PathBuf::from(path)).filter(|path| path.is_absolute()),
    }
}

fn expand(glob: &str, home: &Path) -> String {
    match declared(glob, home) {
        Some(path) if glob.starts_with('~') => path.to_string_lossy().into_owned(),
        Some(_) | None => glob.to_owned(),
    }
}

fn wide(glob: &str, path: &str) -> bool {
    let glob = loosened(glob);
    let glob = glob.trim_end_matches('/');
    if glob.is_empty() {
        return true;
    }
    let Some(rooted) = glob.strip_prefix('/') else {
        // Relative to nothing that is known here, so anywhere.
        let glob = glob.trim_start_matches("./").trim_start_matches("**/");
        let anywhere = format!("*/{glob}");
        return walk(&anywhere, path, Star::Anything) || walk(&format!("{anywhere}/*"), path, Star::Anything);
    };
    let below = format!("{glob}/*");
    if walk(glob, path, Star::Anything) || walk(&below, path, Star::Anything) {
        return true;
    }
    let fixed = rooted.split('/').take_while(|name| !name.contains(['*', '?']));
    let base: PathBuf = std::iter::once("/").chain(fixed).collect();
    tidy(&base).starts_with(path)
}

/// Puts `?` and `*` in the place of classes, choices and escapes, which are not read: it matches more, never less.
fn loosened(glob: &str) -> String {
    let mut out = String::with_capacity(glob.len());
    let mut chars = glob.chars();
    while let Some(c) = chars.next() {
        match c {
            '[' | '{' => {
                let end = if c == '[' { ']' } else { '}' };
                out.push('*');
                // Without an end, the rest of it is taken for anything.
                chars.by_ref().find(|inside| *inside == end);
            }
            '\\' => {
                chars.next();
                out.push('*');
            }
            other => out.push(other),
        }
    }
    out
}

/// The path without `.` and `..`, as far as that can be told without looking.
pub(crate) fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => out.push(part),
        }
    }
    out
}

/// What a star takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Star {
    /// Any characters.
    Anything,
    /// Any but `/`; two stars take that too.
    InName,
}

/// Whether a pattern stands for the whole text, in time that grows with their lengths' product and no faster.
fn walk(pattern: &str, text: &str, star: Star) -> bool {
    let mut wanted = pattern.chars().peekable();
    // Which lengths of the text the pattern so far stands for.
    let chars: Vec<char> = text.chars().collect();
    let mut reached = vec![false; chars.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    while let Some(c) = wanted.next() {
        let mut next = vec![false; reached.len()];
        let crosses = match (c, star) {
            ('*', Star::Anything) => Some(true),
            ('*', Star::InName) => Some(wanted.next_if_eq(&'*').is_some()),
            _ => None,
        };
        let mut carried = false;
        for (at, slot) in next.iter_mut().enumerate() {
            let before = at
                .checked_sub(1)
                .and_then(|at| chars.get(at).zip(reached.get(at)));
            *slot = match crosses {
                Some(crosses) => {
                    let goes_on = carried && before.is_some_and(|(came, _)| crosses || *came != '/');
                    goes_on || reached.get(at).copied().unwrap_or_default()
                }
                None => before.is_some_and(|(came, was)| *was && (c == *came || (c == '?' && *came != '/'))),
            };
            carried = *slot;
        }
        reached = next;
    }
    reached.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_rule_that_restricts_is_not_dodged() {
        let check = |glob: &str, path: &str, want: bool| {
            let came = matches(glob, Path::new(path), Path::new("/place/ann"), Width::Wide);
            assert_eq!(came, want, "{glob} and {path}");
        };
        for inside in [
            "/etc/passwd",
            "/etc/ssh/sshd_config",
            "/etc",
            "/",
            "/etc/./x",
            "/srv/../etc/x",
        ] {
            check("/etc/*", inside, true);
        }
        for beside in ["/etcetera", "/srv/etc/x", "/srv", "/etc/../srv"] {
            check("/etc/*", beside, false);
        }
        check("/etc", "/etc/a/b", true);
        check("/etc/", "/etc/a", true);
        check("/etc/*.conf", "/etc/a/b.conf", true);
        check("/etc/*.conf", "/etc/a/b.txt", false);
        check("~/.ssh/*", "/place/ann/.ssh/id", true);
        check("~/.ssh/*", "/place/ann", true);
        check("~/.ssh/*", "/place/bob/.ssh/id", false);
        check("~", "/place/ann/x", true);
        check("*.pem", "/srv/a/key.pem", true);
        check("*.pem", "/key.pem", true);
        check("*.pem", "/srv/a", false);
        check("./.env", "/srv/a/.env", true);
        check("**/.env", "/.env", true);
        check(".git/", "/srv/.git/config", true);
        // What is not read is taken for anything.
        check("/srv/[ab]/x", "/srv/c/x", true);
        check("/srv/{a,b}/x", "/srv/c/x", true);
        check("/srv/[ab", "/srv/c", true);
        check("/srv/\\*", "/srv/c", true);
        check("", "/srv", true);
        check("/", "/srv", true);
    }

    #[test]
    fn a_rule_that_permits_goes_no_further_than_it_says() {
        let check = |glob: &str, path: &str, want: bool| {
            let came = matches(glob, Path::new(path), Path::new("/place/ann"), Width::Narrow);
            assert_eq!(came, want, "{glob} and {path}");
        };
        check("/srv/out/*", "/srv/out/a", true);
        check("/srv/out/*", "/srv/out/a/b", false);
        check("/srv/out/**", "/srv/out/a/b", true);
        check("/srv/out/*", "/srv/out", false);
        check("/srv/out/**", "/srv/out/../x", false);
        check("/srv/out", "/srv/out/a", false);
        check("~/out/*", "/place/ann/out/a", true);
        check("*.txt", "/srv/a.txt", false);
        check("/srv/[ab]", "/srv/a", false);
        check("/srv/?", "/srv/a", true);
        check("/srv/a?b", "/srv/a/b", false);
    }

    proptest! {
        #[test]
        fn what_permits_would_also_restrict(glob in "(/|~|)[ab*?/.]{0,12}", path in "/[ab/.]{0,12}") {
            let (path, home) = (Path::new(&path), Path::new("/a/b"));
            if matches(&glob, path, home, Width::Narrow) {
                prop_assert!(matches(&glob, path, home, Width::Wide));
            }
        }

        #[test]
        fn any_glob_is_answered(glob in any::<String>(), path in any::<String>()) {
            let _ = matches(&glob, Path::new(&path), Path::new("/a"), Width::Wide);
            let _ = matches(&glob, Path::new(&path), Path::new("/a"), Width::Narrow);
        }
    }
}
