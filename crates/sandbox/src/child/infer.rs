//! What a child seems to have been refused, by what it said on standard error.
//!
//! The kernel tells nobody which file it refused. Programs do, in a few well-known words beside a path; a path that
//! is there and that the policy does not show, or not for writing, was refused. Some ask whether a file can be started
//! before they try, and then never try: a program that is there and not listed was refused too. A child without a
//! network finds nobody, and says so.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::compile::{DEFAULT_PATH, VisiblePaths};
use crate::denial::{DenialKind, Denials};

/// How much of the end of standard error is looked at.
const LOOKED_AT: usize = 16 * 1024;

/// How many lines, and words in a line.
const MAX_LINES: usize = 64;
const MAX_WORDS_PER_LINE: usize = 64;

/// The words of programs for what the kernel refused, and whether a path must exist to have been refused.
const REFUSAL_PHRASES: &[(&str, bool)] = &[
    ("ermission denied", false),
    ("peration not permitted", false),
    ("ead-only file system", false),
    ("o such file", true),
    ("irectory nonexistent", true),
    ("EACCES", false),
    ("EPERM", false),
    ("EROFS", false),
    ("ENOENT", true),
];

/// The words of programs that would have made a file.
const CREATION_PHRASES: &[&str] = &[
    "cannot create",
    "cannot touch",
    "annot open for writing",
    "failed to create",
];

/// The words of programs that found no network.
const NO_NETWORK: &[&str] = &[
    "etwork is unreachable",
    "ould not resolve host",
    "emporary failure in name resolution",
    "ame or service not known",
    "o route to host",
    "ould not translate host name",
    "ENETUNREACH",
    "EAI_AGAIN",
    "ENOTFOUND",
];

/// What stands for a host that has no name here.
pub(super) const SOME_HOST: &str = "the network";

/// Whether the child had a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NetworkAccess {
    /// None: nobody could be reached.
    Absent,
    /// One that the host serves, and sees.
    Served,
}

/// What the child was given.
pub(super) struct InferenceContext<'g> {
    pub(super) directory: &'g Path,
    pub(super) visible: &'g VisiblePaths,
    /// Files and directories from which programs may be started; nothing when all may be.
    pub(super) spawnable: Option<&'g [PathBuf]>,
    pub(super) network: NetworkAccess,
}

/// Notes the paths in lines that tell of a refusal.
pub(super) fn infer(stderr: &[u8], given: &InferenceContext<'_>, denials: &Denials) {
    let InferenceContext {
        directory,
        visible,
        spawnable,
        network,
    } = given;
    let tail = stderr
        .get(stderr.len().saturating_sub(LOOKED_AT)..)
        .unwrap_or_default();
    for line in String::from_utf8_lossy(tail).lines().take(MAX_LINES) {
        if *network == NetworkAccess::Absent && is_about_network(line) {
            denials.inferred(DenialKind::Net, host(line).unwrap_or(SOME_HOST));
            continue;
        }
        let Some((words, absent)) = REFUSAL_PHRASES.iter().find(|(words, _)| line.contains(words)) else {
            continue;
        };
        if let Some(program) = spawnable.and_then(|spawnable| refused_program(line, directory, spawnable))
            && program.canonicalize().is_ok_and(|real| visible.shows(&real))
        {
            denials.inferred(DenialKind::Exec, &program.to_string_lossy());
            continue;
        }
        let bare = bare(line, words, directory).filter(|_| !absent);
        let mut found: Vec<PathBuf> = paths(line, directory).into_iter().chain(bare).collect();
        if found.len() > 1 && names_itself(line) {
            found.remove(0);
        }
        for path in found {
            let refused = match absent {
                true if path.symlink_metadata().is_ok() => !visible.shows(&path),
                true => is_unmade(line, &path, visible),
                false => !visible.may_write(&path),
            };
            if refused {
                denials.inferred(DenialKind::Fs, &path.to_string_lossy());
            }
        }
    }
}

/// Whether a file that a line says was not found is one that could not be made: the directory it would be in is there
/// and not shown.
fn is_unmade(line: &str, path: &Path, visible: &VisiblePaths) -> bool {
    let Some(directory) = path.parent() else {
        return false;
    };
    CREATION_PHRASES.iter().any(|words| line.contains(words))
        && directory.is_dir()
        && !visible.shows(directory)
}

/// The program that a line says was not started, for one that is there and not listed: `make: touch: Permission
/// denied`, `bash: /usr/bin/touch: Permission denied`.
fn refused_program(line: &str, directory: &Path, spawnable: &[PathBuf]) -> Option<PathBuf> {
    let (before, _) = line.rsplit_once(": Permission denied")?;
    let (_, word) = before.rsplit_once(": ")?;
    let word = word.trim_matches(|c: char| "'\"`‘’“”".contains(c));
    if word.is_empty() || word.contains(char::is_whitespace) {
        return None;
    }
    let found = if word.contains('/') {
        Some(directory.join(word)).filter(|file| is_program(file))
    } else {
        let places = DEFAULT_PATH.split(':').map(|place| Path::new(place).join(word));
        places.into_iter().find(|file| is_program(file))
    };
    found.filter(|file| {
        let real = file.canonicalize();
        real.is_ok_and(|real| !spawnable.iter().any(|allowed| real.starts_with(allowed)))
    })
}

fn is_program(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Whether a line begins with the path of whoever speaks: `/bin/cat: /etc/shadow: Permission denied`.
fn names_itself(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    first.contains('/') && first.ends_with(':') && !first.starts_with(['\'', '"'])
}

/// A file without a directory in its name, where the line says that it could not be written: `touch: cannot touch
/// 'x': Read-only file system`, `Read-only file system: 'x'`.
fn bare(line: &str, words: &str, directory: &Path) -> Option<PathBuf> {
    if !matches!(words, "ead-only file system" | "EROFS") {
        return None;
    }
    let (before, after) = line.split_once(words)?;
    let is_quote = |c: char| "'\"`‘’“”".contains(c);
    let before = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '(');
    let name = match after.strip_prefix(": ") {
        Some(after) => after.trim(),
        None => before.trim_end_matches([' ', ':', '[']).rsplit(' ').next()?,
    };
    let name = name.trim_matches(is_quote);
    let plain = !name.is_empty() && !name.contains(['/', ':', ' ']) && name != "." && name != "..";
    plain.then(|| directory.join(name))
}

/// Whether a line tells that nobody could be reached. Landlock refuses to connect as it refuses a file.
fn is_about_network(line: &str) -> bool {
    let refused = line.contains("ermission denied") || line.contains("EACCES") || line.contains("EPERM");
    NO_NETWORK.iter().any(|words| line.contains(words))
        || (refused
            && ["connect", "socket", "/dev/tcp/"]
                .iter()
                .any(|word| line.contains(word)))
}

/// The host that a line names: a word with dots in it that is no path and no file, or an address.
fn host(line: &str) -> Option<&str> {
    let is_edge = |c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-' || c == '_');
    let name = |word: &str| {
        let labels = word.split('.');
        word.contains('.') && labels.clone().count() > 1 && labels.into_iter().all(|label| !label.is_empty())
    };
    line.split(|c: char| c.is_whitespace() || "'\"`‘’“”()[]<>,;/".contains(c))
        .take(MAX_WORDS_PER_LINE)
        .map(|word| word.split(':').next().unwrap_or_default().trim_matches(is_edge))
        .find(|word| name(word))
        .or_else(|| line.split_once(" host ")?.1.split_whitespace().next())
}

/// A path from a directory, which has no link in it: where it climbs at its beginning, it leads above.
fn from(directory: &Path, path: &Path) -> PathBuf {
    let mut start = directory;
    let mut rest = path;
    while let Ok(below) = rest.strip_prefix("..") {
        start = start.parent().unwrap_or(start);
        rest = below;
    }
    start.join(rest).components().collect()
}

/// The words of a line that are paths, absolute or from the child's directory. Behind a name, `..` may lead anywhere.
fn paths(line: &str, directory: &Path) -> Vec<PathBuf> {
    let is_quote = |c: char| "'\"`‘’“”()[]<>,;:".contains(c);
    line.split(|c: char| c.is_whitespace() || is_quote(c))
        .take(MAX_WORDS_PER_LINE)
        .filter(|word| word.contains('/') && word.len() > 1)
        .map(|word| from(directory, Path::new(word.trim_end_matches(['.', '!']))))
        .filter(|path| {
            !path
                .components()
                .any(|part| part == std::path::Component::ParentDir)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_what_programs_say() {
        let found = |line| {
            let paths = paths(line, Path::new("/place"));
            paths
                .iter()
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(found("cat: /etc/shadow: Permission denied"), ["/etc/shadow"]);
        assert_eq!(
            found("mkdir: cannot create directory ‘a/b’: Read-only file system"),
            ["/place/a/b"]
        );
        assert_eq!(
            found("PermissionError: [Errno 13] Permission denied: '/srv/x'"),
            ["/srv/x"]
        );
        assert_eq!(found("open ../../etc/x: permission denied"), ["/etc/x"]);
        assert_eq!(
            found("/bin/sh: 1: cannot create ../beside: Read-only file system"),
            ["/bin/sh", "/beside"]
        );
        assert_eq!(found("open a/../x: permission denied"), [""; 0]);
        assert_eq!(found("nothing here"), [""; 0]);
        assert!(names_itself("/bin/cat: /etc/shadow: Permission denied"));
        assert!(!names_itself("cat: /etc/shadow: Permission denied"));
    }

    #[test]
    fn bare_names_are_found_where_nothing_can_be_written() {
        let check = |line: &str, expected: Option<&str>| {
            let (words, _) = REFUSAL_PHRASES
                .iter()
                .find(|(words, _)| line.contains(words))
                .unwrap();
            let found = bare(line, words, Path::new("/place"));
            assert_eq!(found.as_deref(), expected.map(Path::new), "{line}");
        };
        check("touch: cannot touch 'x': Read-only file system", Some("/place/x"));
        check("sh: 1: cannot create x: Read-only file system", Some("/place/x"));
        check("bash: line 1: x: Read-only file system", Some("/place/x"));
        check(
            "OSError: [Errno 30] Read-only file system: 'x.txt'",
            Some("/place/x.txt"),
        );
        check(
            "cp: cannot create regular file 'a/b': Read-only file system",
            None,
        ); // found as a path
        check("Read-only file system", None);
        check("git@example.test: Permission denied (publickey)", None);
    }

    #[test]
    fn hosts_are_found_in_what_programs_say() {
        assert!(is_about_network("bash: connect: Permission denied"));
        assert!(!is_about_network("cat: /etc/shadow: Permission denied"));
        for (line, expected) in [
            (
                "bash: /dev/tcp/127.0.0.1/80: Permission denied",
                Some("127.0.0.1"),
            ),
            (
                "curl: (6) Could not resolve host: example.com",
                Some("example.com"),
            ),
            (
                "dial tcp: lookup api.example.com: Temporary failure in name resolution",
                Some("api.example.com"),
            ),
            (
                "connect to 93.184.216.34:80: Network is unreachable",
                Some("93.184.216.34"),
            ),
            (
                "Could not resolve 'https://a.example/x': Name or service not known",
                Some("a.example"),
            ),
            ("ssh: connect to host box port 22: Permission denied", Some("box")),
            ("OSError: [Errno 101] Network is unreachable", None),
        ] {
            assert_eq!(host(line), expected, "{line}");
        }
    }

    #[test]
    fn programs_that_were_not_started_are_found() {
        let shell = Path::new("/bin/sh").canonicalize().unwrap();
        let check = |line: &str, expected: Option<&str>| {
            let found = refused_program(line, Path::new("/usr"), std::slice::from_ref(&shell));
            let found = found.and_then(|path| path.file_name()?.to_str().map(str::to_owned));
            assert_eq!(found.as_deref(), expected, "{line}");
        };
        check("make: touch: Permission denied", Some("touch"));
        check("bash: line 1: /bin/touch: Permission denied", Some("touch"));
        check("find: ‘touch’: Permission denied", Some("touch"));
        check("env: bin/touch: Permission denied", Some("touch"));
        check("make: sh: Permission denied", None); // listed
        check("cat: /etc/passwd: Permission denied", None); // no program
        check("make: no-such-program: Permission denied", None);
        check("cp: cannot open touch: Permission denied", None); // a sentence about a file
        check("touch: Permission denied", None);
    }
}
