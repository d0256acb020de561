//! What was installed together with a program: directories beside the one that it lies in.

use std::path::{Path, PathBuf};

/// Directories of programs, beside which the rest of a package lies.
const PROGRAMS: &[&str] = &["bin", "sbin", "libexec", "Scripts"];

/// Returns `../PART` of the directory of a program, by the name it has and by the file that it is, for each part.
///
/// Only a directory that programs are installed into has something beside it: next to a script of a project, or of the
/// home itself, is whatever people keep there.
pub(super) fn beside(program: &Path, parts: &[&str]) -> Vec<PathBuf> {
    let real = program.canonicalize().ok();
    let mut found: Vec<PathBuf> = Vec::new();
    for file in std::iter::once(program).chain(real.as_deref()) {
        let directory = file.parent();
        let is_bin = directory
            .and_then(Path::file_name)
            .is_some_and(|name| PROGRAMS.iter().any(|known| name == *known));
        let Some(prefix) = directory.and_then(Path::parent).filter(|_| is_bin) else {
            continue;
        };
        for path in parts.iter().map(|part| prefix.join(part)) {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directories_of_programs_have_something_beside_them() {
        let check = |program: &str, want: &[&str]| {
            let want: Vec<PathBuf> = want.iter().map(PathBuf::from).collect();
            assert_eq!(beside(Path::new(program), &["share/man", "man"]), want);
        };
        check("/place/bin/tool", &["/place/share/man", "/place/man"]);
        check("/place/tools/tool", &[]);
        check("/tool", &[]);
    }
}
