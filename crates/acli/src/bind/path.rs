//! Where a path argument may lead (ACLI §4.2.3): inside the caller's roots, symlinks followed.

use std::path::{Component, Path, PathBuf};

use crate::host::Host;
use crate::model::Typed;

/// The streams of a child, which no root holds and which lead nowhere else.
const STREAMS: [&str; 4] = ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"];

/// Returns the stream that is called so: `-` is a word by convention, the others are paths.
pub(super) fn stream(given: &str) -> Option<Typed> {
    match given {
        "-" => Some(Typed::Text(given.to_owned())),
        given if STREAMS.contains(&given) => Some(Typed::Path(given.into())),
        _ => None,
    }
}

/// Returns where `given` really leads, or `None` when that is outside every root.
///
/// `..` is resolved by name first, so that no symlink is even looked at outside a root; then the host
/// tells where the place really is. What climbs or starts anew for Windows does so here: a tool behind us
/// may well read a backslash as a separator.
pub(super) fn locate(given: &str, roots: &[PathBuf], host: &dyn Host) -> Option<PathBuf> {
    let home = roots.first()?;
    if given.is_empty() || looks_like_windows(given) {
        return None;
    }
    let lexical = normal(&home.join(given))?;
    if !inside(&lexical, roots) {
        return None;
    }
    let real = host.real_path(&lexical).ok()?;
    inside(&real, roots).then_some(real)
}

fn inside(path: &Path, roots: &[PathBuf]) -> bool {
    roots.iter().any(|root| path.starts_with(root))
}

fn looks_like_windows(path: &str) -> bool {
    let mut chars = path.chars();
    let drive = chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':');
    let separator = matches!(chars.next(), Some('\\' | '/') | None);
    let climbs = || path.contains('\\') && path.split(['/', '\\']).any(|part| part == "..");
    (drive && separator) || path.starts_with('\\') || climbs()
}

/// Returns the path without `.` and `..`, or `None` when it climbs above `/`.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            Component::RootDir | Component::Normal(_) | Component::Prefix(_) => out.push(part),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::StillHost;

    #[test]
    fn a_path_stays_inside_the_roots() {
        let host = StillHost::default()
            .link("/srv/p/out", "/etc")
            .link("/srv/p/in", "/srv/p/sub");
        let roots = [PathBuf::from("/srv/p"), PathBuf::from("/data")];
        let check = |given: &str, want: Option<&str>| {
            assert_eq!(locate(given, &roots, &host), want.map(PathBuf::from), "{given}");
        };
        check("a.txt", Some("/srv/p/a.txt"));
        check("sub/../a.txt", Some("/srv/p/a.txt"));
        check("./.", Some("/srv/p"));
        check("/data/x", Some("/data/x"));
        check("/srv/p/../../data/x", Some("/data/x"));
        check("in/x", Some("/srv/p/sub/x"));
        check("...", Some("/srv/p/..."));
        check("C:notes", Some("/srv/p/C:notes"));
        check("out/passwd", None);
        check("../../../etc/passwd", None);
        check("..", None);
        check("/etc/passwd", None);
        check("/srv/pshop", None);
        check("C:\\Windows", None);
        check("c:/Windows", None);
        check("\\\\server\\share", None);
        check("..\\..\\etc\\passwd", None);
        check("sub/..\\x", None);
        check("a\\b..c", Some("/srv/p/a\\b..c"));
        check("", None);
        assert_eq!(locate("a", &[], &host), None);
    }
}
