//! Where a path argument may lead (ACLI §4.2.3): inside the caller's roots, symlinks followed.

use std::path::{Component, Path, PathBuf};

use crate::host::Host;

/// Returns where `given` really leads, or `None` when that is outside every root.
///
/// `..` is resolved by name first, so that no symlink is even looked at outside a root; then the host
/// tells where the place really is. A drive letter or a backslash counts as absolute and foreign.
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
    (drive && separator) || path.starts_with('\\')
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
            .link("/work/out", "/etc")
            .link("/work/in", "/work/sub");
        let roots = [PathBuf::from("/work"), PathBuf::from("/data")];
        let check = |given: &str, want: Option<&str>| {
            assert_eq!(locate(given, &roots, &host), want.map(PathBuf::from), "{given}");
        };
        check("a.txt", Some("/work/a.txt"));
        check("sub/../a.txt", Some("/work/a.txt"));
        check("./.", Some("/work"));
        check("/data/x", Some("/data/x"));
        check("/work/../data/x", Some("/data/x"));
        check("in/x", Some("/work/sub/x"));
        check("...", Some("/work/..."));
        check("C:notes", Some("/work/C:notes"));
        check("out/passwd", None);
        check("../../../etc/passwd", None);
        check("..", None);
        check("/etc/passwd", None);
        check("/workshop", None);
        check("C:\\Windows", None);
        check("c:/Windows", None);
        check("\\\\server\\share", None);
        check("", None);
        assert_eq!(locate("a", &[], &host), None);
    }
}
