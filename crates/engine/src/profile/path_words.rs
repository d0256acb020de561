//! The paths that may stand in a word, in whatever form a tool may take it. Pure, but for links that are read.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::ground::Ground;
use super::pointed::PIECES;
use super::quiet::QUIET;

/// The longest path, and how many ends a part of a word may have.
const LONGEST: usize = 4096;
const ENDS: usize = 12;
/// A text of more words is prose, or a program.
const PROSE: usize = 64;
/// Characters that a path may stand before or behind.
const MARKS: &[char] = &[
    '=', ':', '@', ',', ';', '|', '&', '<', '>', '(', ')', '[', ']', '{', '}', '"', '\'', '`', '!', '#', '+',
    '^', '?',
];
/// Schemes of URLs that name no file of this machine.
const REMOTE: &[&str] = &[
    "abfs",
    "amqp",
    "amqps",
    "az",
    "docker",
    "ftp",
    "ftps",
    "gcs",
    "git",
    "grpc",
    "gs",
    "hdfs",
    "http",
    "https",
    "kafka",
    "ldap",
    "ldaps",
    "mongodb",
    "mongodb+srv",
    "mqtt",
    "mysql",
    "nats",
    "oci",
    "postgres",
    "postgresql",
    "redis",
    "rediss",
    "rsync",
    "s3",
    "s3a",
    "sftp",
    "ssh",
    "svn",
    "tcp",
    "tls",
    "udp",
    "ws",
    "wss",
];

/// A text as it is, without its percent signs, with its variables, and with files where it has URLs of files.
pub(super) fn forms(text: &str, ground: &Ground) -> Vec<String> {
    let mut forms = vec![text.to_owned()];
    for _ in 0..2 {
        let plain = forms.last().and_then(|last| unescaped(last));
        forms.extend(plain);
    }
    for index in 0..forms.len() {
        for whose in [Variables::Ours, Variables::Childs] {
            let made = forms.get(index).map(|form| with_variables(form, ground, whose));
            let changed = made.filter(|made| !forms.contains(made));
            forms.extend(changed);
        }
    }
    for index in 0..forms.len() {
        let made = forms.get(index).and_then(|form| without_authority(form));
        forms.extend(made);
    }
    forms
}

/// The text without the parts of paths that say nothing: `//` and `/./`. A `//` behind a `:` is that of a URL.
pub(super) fn without_empty_parts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_empty_part = out.ends_with('/') && !out.ends_with(":/") && !out.ends_with("://");
        let skipped = match is_empty_part {
            true => rest.strip_prefix('/').or_else(|| rest.strip_prefix("./")),
            false => None,
        };
        match skipped {
            Some(left) => rest = left,
            None => {
                out.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
    }
    out
}

/// Whether a path leads where nobody can tell from here: through a process, which is another one inside of the sandbox, or
/// because it is too long to be looked up. Tools shorten what the kernel would not take.
pub(super) fn leads_anywhere(path: &str) -> bool {
    path.len() > LONGEST && path.contains('/') || through_processes(path)
}

/// `/proc/NUMBER/root`, `/proc/self/cwd`, `/dev/fd/3` and their like.
fn through_processes(path: &str) -> bool {
    const LINKS_OF_PROCESSES: [&str; 5] = ["root", "cwd", "fd", "exe", "map_files"];
    let mut parts = path.split('/').skip_while(|part| *part != "proc");
    let through_proc = parts.next().is_some() && parts.any(|part| LINKS_OF_PROCESSES.contains(&part));
    through_proc || path.contains("/dev/fd/")
}

/// Whether a link is written to lead through a process.
pub(super) fn leads_to_processes(link: &Path) -> bool {
    fs::read_link(link).is_ok_and(|target| through_processes(&target.to_string_lossy()))
}

/// The text that percent signs stand for, if there are any and it is one.
fn unescaped(text: &str) -> Option<String> {
    if !text.contains('%') {
        return None;
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digits = text.get(at + 1..at + 3).filter(|_| *byte == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                at += 3;
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    let out = String::from_utf8_lossy(&out).into_owned();
    (out != text).then_some(out)
}

/// Whose variables a text is read with: a child has those that it declares, and what keeps it quiet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variables {
    Ours,
    Childs,
}

/// The text with values for `$NAME` and `${NAME}`. One that is not set is empty, which makes another path of it.
fn with_variables(text: &str, ground: &Ground, whose: Variables) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let inner = after.strip_prefix('{').unwrap_or(after);
        let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let (name, tail) = inner.split_at(end.unwrap_or(inner.len()));
        if name.is_empty() {
            out.push('$');
            rest = after;
            continue;
        }
        let quiet = || {
            let known = QUIET.iter().find(|(known, _)| *known == name);
            known.map_or("", |(_, value)| value)
        };
        let ours = ground
            .environment
            .get(OsStr::new(name))
            .and_then(|value| value.to_str());
        let value = match (name, whose) {
            ("HOME", _) => ground.home.to_str(),
            (_, Variables::Ours) => ours,
            (_, Variables::Childs) => None,
        };
        out.push_str(value.unwrap_or_else(quiet));
        rest = tail.strip_prefix('}').unwrap_or(tail);
    }
    out.push_str(rest);
    out
}

/// The text with `file:///PATH` for each `file://HOST/PATH`, if it has such a URL.
fn without_authority(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        out.push_str(before);
        out.push_str("://");
        let is_file = before.to_ascii_lowercase().contains("file");
        rest = match after.find('/').filter(|_| is_file) {
            Some(path) => after.get(path..).unwrap_or(after),
            None => after,
        };
    }
    out.push_str(rest);
    (out != text).then_some(out)
}

/// The parts of a text that may be paths, each once: itself, and what stands between marks in it and in each of its words.
pub(super) fn pieces_of(text: &str) -> HashSet<&str> {
    let mut pieces = HashSet::new();
    let words = text.split_whitespace();
    // The words of prose are names of files only where they look like it.
    let is_prose = words.clone().nth(PROSE).is_some();
    if !is_prose {
        between_marks(text, &mut pieces);
    }
    for word in words.filter(|word| !is_prose || word.contains(['/', '~']) || word.starts_with('.')) {
        between_marks(word, &mut pieces);
    }
    pieces.retain(|piece| !is_operator(text, piece));
    pieces
}

/// What stands between the beginning of a text or any mark in it, and its end or one of the next marks.
fn between_marks<'t>(text: &'t str, pieces: &mut HashSet<&'t str>) {
    let marks: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| MARKS.contains(c)).collect();
    let starts = std::iter::once(0).chain(marks.iter().map(|(at, c)| at + c.len_utf8()));
    for (number, start) in starts.enumerate() {
        let next = marks.iter().skip(number).take(ENDS).map(|(at, _)| *at);
        for end in std::iter::once(text.len()).chain(next) {
            let Some(piece) = text.get(start..end) else {
                continue;
            };
            let is_path = !piece.is_empty() && !piece.contains('\0');
            if is_path && !is_remote(text, start, piece) && !is_stray(text, start, piece) {
                pieces.insert(piece);
                pieces.extend(attached(piece));
            }
        }
        if pieces.len() > PIECES {
            return;
        }
    }
}

/// Whether a part is what follows the scheme of a URL that names another machine.
fn is_remote(text: &str, start: usize, piece: &str) -> bool {
    let Some(before) = text.get(..start).and_then(|before| before.strip_suffix(':')) else {
        return false;
    };
    let scheme = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-')));
    let scheme = scheme.into_iter().next().unwrap_or_default().to_ascii_lowercase();
    piece.starts_with("//") && REMOTE.contains(&scheme.as_str())
}

/// Whether a part is a sign of a language rather than a place: the division of `.a / .b`.
fn is_operator(text: &str, piece: &str) -> bool {
    is_sign(piece) && text.contains(char::is_whitespace)
}

/// Whether a part is such a sign between others: the slash of `{owner}/{repo}`, the dot of `.[]`.
fn is_stray(text: &str, start: usize, piece: &str) -> bool {
    let before = text.get(..start).and_then(|before| before.chars().next_back());
    let after = text
        .get(start + piece.len()..)
        .and_then(|after| after.chars().next());
    let may_begin = before.is_none_or(|c| "=:@,<\"'".contains(c));
    let may_end = after.is_none_or(|c| ":,;\"'".contains(c));
    is_sign(piece) && !(may_begin && may_end)
}

fn is_sign(piece: &str) -> bool {
    matches!(piece, "/" | "." | "..")
}

/// What stands behind the letter of a short option.
fn attached(piece: &str) -> Option<&str> {
    let rest = piece.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    let mut rest = rest.chars();
    rest.next()?;
    Some(rest.as_str()).filter(|rest| !rest.is_empty())
}

/// Where a part may lead from a directory. What does not depend on the directory is looked at once.
pub(super) fn paths(piece: &str, directory: &Path, home: &Path, is_first: bool) -> Vec<PathBuf> {
    let bare = piece.trim_start_matches('/');
    let mut paths = Vec::new();
    if let Some(rest) = bare.strip_prefix('~').filter(|_| is_first) {
        // Also `~name/…`: whoever that is may be us.
        let rest = rest.split_once('/').map_or("", |(_, rest)| rest);
        paths.push(home.join(rest.trim_start_matches('/')));
    }
    match piece.starts_with('/') {
        true if is_first => paths.push(PathBuf::from(piece)),
        true => {}
        false => paths.push(directory.join(piece)),
    }
    paths
}

/// Whether a text holds a path as a sequence of whole names.
pub(super) fn contains_path(text: &str, path: &str) -> bool {
    let is_part_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.match_indices(path).any(|(at, found)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + found.len()..)
            .and_then(|after| after.chars().next());
        !path.is_empty() && !before.is_some_and(is_part_of_name) && !after.is_some_and(is_part_of_name)
    })
}
