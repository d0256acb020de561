//! Globs as tools read them, widely: what a pattern could stand for counts, since who guesses too little shows too much.
//!
//! A star takes any characters of a name, a dot in front included; two stars take any names; a bracket or a brace is
//! taken for anything.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Whether a text is a pattern. A bracket or a brace that is not closed stands for itself.
pub(super) fn is_glob(text: &str) -> bool {
    let is_closed = |open: char, end: char| text.split_once(open).is_some_and(|(_, rest)| rest.contains(end));
    text.contains(['*', '?']) || is_closed('[', ']') || is_closed('{', '}')
}

/// Splits a path into what stands before its first pattern and the names from there on.
fn split(path: &Path) -> (PathBuf, Vec<String>) {
    let mut plain = PathBuf::new();
    let mut rest: Vec<String> = Vec::new();
    for part in path.components() {
        let text = part.as_os_str().to_string_lossy();
        match part {
            Component::CurDir => {}
            Component::ParentDir | Component::Normal(_) if !rest.is_empty() || is_glob(&text) => {
                rest.push(text.into_owned());
            }
            Component::Prefix(_) | Component::RootDir | Component::ParentDir | Component::Normal(_) => {
                plain.push(part);
            }
        }
    }
    (plain, rest)
}

/// Returns what is there that an absolute pattern may stand for, links followed on the way. Every entry that is looked at
/// is taken from `budget`; nothing comes of a pattern that needs more.
pub(super) fn expand(pattern: &Path, budget: &mut usize) -> Option<Vec<PathBuf>> {
    let (plain, rest) = split(pattern);
    let mut found = Vec::new();
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    below(&plain, &rest, budget, &mut found)?;
    Some(found)
}

fn below(directory: &Path, pattern: &[&str], budget: &mut usize, found: &mut Vec<PathBuf>) -> Option<()> {
    let Some((first, rest)) = pattern.split_first() else {
        if directory.symlink_metadata().is_ok() {
            found.push(directory.to_owned());
        }
        return Some(());
    };
    if *first == ".." || !is_glob(first) {
        return below(&directory.join(first), rest, budget, found);
    }
    let is_any_depth = *first == "**";
    if is_any_depth {
        below(directory, rest, budget, found)?;
    }
    let Ok(entries) = fs::read_dir(directory) else {
        return Some(());
    };
    for entry in entries.flatten() {
        *budget = budget.checked_sub(1)?;
        let name = entry.file_name();
        let fits = is_any_depth || name_fits(first, &name.to_string_lossy());
        if !fits {
            continue;
        }
        let path = entry.path();
        // A link is followed once: below it may be everything.
        match is_any_depth && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            true => below(&path, pattern, budget, found)?,
            false => below(&path, rest, budget, found)?,
        }
    }
    Some(())
}

/// Whether an absolute pattern could stand for a path, for one above it or for one below it, links aside.
pub(super) fn could_meet(pattern: &Path, path: &Path) -> bool {
    let (plain, rest) = split(pattern);
    let Ok(names) = path.strip_prefix(&plain) else {
        // The pattern is all below the path.
        return plain.starts_with(path);
    };
    let names: Vec<String> = names
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let mut wanted = rest.iter();
    for name in &names {
        match wanted.next() {
            // It stands for something above the path.
            None => return true,
            Some(first) if first == "**" || first == ".." => return true,
            Some(first) if name_fits(first, name) => {}
            Some(_) => return false,
        }
    }
    true
}

/// Whether a pattern could stand for a name.
fn name_fits(pattern: &str, name: &str) -> bool {
    let wanted = simple(pattern);
    let given: Vec<char> = name.chars().collect();
    // Where the name may be after each place of the pattern.
    let mut reached = vec![true];
    reached.resize(given.len() + 1, false);
    for place in &wanted {
        reached = match place {
            None => {
                let mut so_far = false;
                let spread = reached.iter().map(|at| {
                    so_far |= *at;
                    so_far
                });
                spread.collect()
            }
            Some(wanted) => {
                let steps = reached.iter().zip(&given);
                let stepped = steps.map(|(at, given)| *at && (*wanted == '?' || wanted == given));
                std::iter::once(false).chain(stepped).collect()
            }
        };
    }
    reached.last() == Some(&true)
}

/// A pattern as characters, `?` for any one, and nothing for any number of them.
fn simple(pattern: &str) -> Vec<Option<char>> {
    let mut places = Vec::new();
    let mut characters = pattern.chars();
    while let Some(c) = characters.next() {
        // The last end: whatever stands between may be anything, ends of others included.
        let end = match c {
            '[' => characters.as_str().rfind(']'),
            '{' => characters.as_str().rfind('}'),
            _ => None,
        };
        match (c, end) {
            ('*', _) => places.push(None),
            (_, Some(end)) => {
                places.push(None);
                let rest = characters.as_str().get(end + 1..).unwrap_or_default();
                characters = rest.chars();
            }
            (c, None) => places.push(Some(c)),
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn a_name_fits_whatever_a_tool_may_make_of_the_pattern() {
        let check = |pattern: &str, name: &str, want: bool| {
            assert_eq!(name_fits(pattern, name), want, "{pattern} {name}");
        };
        check("*", ".aws", true);
        check(".a*", ".aws", true);
        check("?aws", ".aws", true);
        check("[.x]aws", ".aws", true);
        check("{.aws,.kube}", ".aws", true);
        check("[.}]aws", ".aws", true);
        check("{.a[w],x}s", ".aws", true);
        check("*.tf", ".aws", false);
        check("a*w*s", "aws", true);
        check("a?", "a", false);
        check("[unclosed", "x", false);
        check("[unclosed", "[unclosed", true);
    }

    #[test]
    fn a_pattern_meets_what_it_may_stand_for() {
        let check = |pattern: &str, path: &str, want: bool| {
            assert_eq!(
                could_meet(Path::new(pattern), Path::new(path)),
                want,
                "{pattern} {path}"
            );
        };
        let secret = "/data/ann/.aws/credentials";
        check("/data/ann/.a*/credentials", secret, true);
        check("/data/ann/*", secret, true);
        check("/data/*", secret, true);
        check("/**/credentials", secret, true);
        check("/data/ann/.aws/credentials/*", secret, true);
        check("/data/ann/.k*/credentials", secret, false);
        check("/data/ann/work/*.tf", secret, false);
        check("/foo.*bar/", secret, false);
        check("/.*/", secret, false);
    }

    #[test]
    fn what_is_there_is_found_behind_links_too() {
        let home = Home::new().file("a/one.tf", "").file("b/two", "");
        let work = home.work();
        symlink(work.join("b"), work.join("a/link")).unwrap();
        let check = |pattern: &str, want: &[&str]| {
            let mut budget = 100;
            let mut found = expand(&work.join(pattern), &mut budget).unwrap();
            found.sort();
            let want: Vec<PathBuf> = want.iter().map(|path| work.join(path)).collect();
            assert_eq!(found, want, "{pattern}");
        };
        check("a/*.tf", &["a/one.tf"]);
        check("a/l*/two", &["a/link/two"]);
        check("*/two", &["b/two"]);
        check("**/two", &["a/link/two", "b/two"]);
        check("a/l*/../b/two", &["a/link/../b/two"]);
        assert_eq!(expand(&work.join("*"), &mut 1), None);
    }
}
