//! Names as the least exact file system takes them: on some, `.Git` is `.git`.

use std::ffi::OsStr;
use std::path::Path;

/// Whether a path is another one or below it, whatever the case of ASCII letters is. No protected name is spelt with
/// others, and a path that differs in nothing else is nobody's but an attacker's.
pub(crate) fn is_below(path: &Path, above: &Path) -> bool {
    let mut parts = path.components();
    above.components().all(|part| {
        parts
            .next()
            .is_some_and(|other| is_same(other.as_os_str(), part.as_os_str()))
    })
}

fn is_same(one: &OsStr, other: &OsStr) -> bool {
    one.eq_ignore_ascii_case(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_no_difference() {
        let check = |path: &str, above: &str, expected| {
            assert_eq!(
                is_below(Path::new(path), Path::new(above)),
                expected,
                "{path} {above}"
            );
        };
        check("/w/.git/hooks/x", "/w/.git/hooks", true);
        check("/w/.Git/HOOKS", "/w/.git/hooks", true);
        check("/w/.git", "/w/.git/hooks", false);
        check("/w/.gitx/hooks", "/w/.git", false);
        check("/v/.git/hooks", "/w/.git", false);
    }
}
