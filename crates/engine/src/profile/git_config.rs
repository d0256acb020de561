//! A repository's settings without those that start programs.
//!
//! Some of them cannot be outranked by a variable (`diff.external`, drivers and filters by name), and a read would end
//! at a program that it may not start. So a read is shown the settings without them. A convenience: the sandbox holds
//! without it, and a line that is misread here starts nothing either.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// The longest file that is read.
const LONGEST: u64 = 1 << 20;

/// Sections that only name programs, or files with more settings.
const SECTIONS: &[&str] = &[
    "alias",
    "browser",
    "credential",
    "difftool",
    "filter",
    "guitool",
    "include",
    "includeif",
    "instaweb",
    "man",
    "mergetool",
    "pager",
    "sendemail",
    "tar",
    "trailer",
];

/// Keys that name programs, in any section.
const KEYS: &[&str] = &[
    "alternaterefscommand",
    "askpass",
    "cmd",
    "command",
    "difffilter",
    "driver",
    "editor",
    "external",
    "fsmonitor",
    "gitproxy",
    "hookspath",
    "packobjectshook",
    "pager",
    "program",
    "receivepack",
    "showsignature",
    "sshcommand",
    "textconv",
    "uploadpack",
    "vcs",
];

/// Returns the harmless settings of the repositories that these directories are the top of, by file.
pub(super) fn texts<'p>(tops: impl IntoIterator<Item = &'p PathBuf>) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = tops.into_iter().flat_map(|top| {
        let git = top.join(".git");
        [git.join("config"), git.join("config.worktree")]
    });
    let texts = files.filter_map(|file| {
        let text = read(&file)?;
        let harmless = harmless(&text);
        (harmless != text).then(|| (file, harmless.into_bytes()))
    });
    texts.collect()
}

/// Reads a file that is one, short, and text.
fn read(file: &Path) -> Option<String> {
    let flags = OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let mut open = OpenOptions::new();
    let opened = open
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(file)
        .ok()?;
    let is_short = opened
        .metadata()
        .is_ok_and(|meta| meta.is_file() && meta.len() <= LONGEST);
    let mut text = String::new();
    let length = opened.take(LONGEST + 1).read_to_string(&mut text).ok()?;
    (is_short && u64::try_from(length).is_ok_and(|length| length <= LONGEST)).then_some(text)
}

/// Leaves out the settings that start programs. What cannot be read is left out, too.
fn harmless(text: &str) -> String {
    // Git skips a mark at the beginning; a header behind it would be taken for a setting here.
    let text = text.trim_start_matches('\u{feff}');
    let mut kept = String::with_capacity(text.len());
    let mut section = Section::Harmless;
    // Whether the lines that follow belong to one that was left out.
    let mut dropping = false;
    let mut continued = false;
    for line in text.split_inclusive('\n') {
        if continued {
            continued = continues(line);
            if !dropping {
                kept.push_str(line);
            }
            continue;
        }
        let trimmed = line.trim_start();
        let setting = if trimmed.starts_with('[') {
            let (header, rest) = header(trimmed);
            section = Section::of(header);
            if section == Section::Harmless {
                kept.push_str(header);
                if rest.trim().is_empty() {
                    kept.push_str(rest);
                } else {
                    kept.push('\n');
                }
            }
            rest
        } else {
            line
        };
        if setting.trim().is_empty() {
            continue;
        }
        continued = continues(setting);
        dropping = section == Section::Dropped || starts_programs(setting);
        if !dropping {
            kept.push_str(setting);
        }
    }
    kept
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Harmless,
    Dropped,
}

impl Section {
    /// Judges `[name]`, `[name "part"]` and `[name.part]`.
    fn of(header: &str) -> Self {
        let name = header.trim_start_matches('[').trim_start();
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        let name = end.and_then(|end| name.get(..end)).unwrap_or_default();
        let name = name.to_ascii_lowercase();
        match name.is_empty() || SECTIONS.contains(&name.as_str()) {
            true => Self::Dropped,
            false => Self::Harmless,
        }
    }
}

/// Splits a line behind the bracket that closes its header; quotes may hold another one.
fn header(line: &str) -> (&str, &str) {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return line.split_at_checked(at + 1).unwrap_or((line, "")),
            _ => {}
        }
    }
    (line, "")
}

fn continues(line: &str) -> bool {
    // Git does not continue comments.
    if line.trim_start().starts_with(['#', ';']) {
        return false;
    }
    let line = line.trim_end_matches(['\n', '\r']);
    (line.len() - line.trim_end_matches('\\').len()) % 2 == 1
}

fn starts_programs(setting: &str) -> bool {
    let setting = setting.trim_start();
    let end = setting.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let key = end.map_or(setting, |end| setting.get(..end).unwrap_or_default());
    let key = key.to_ascii_lowercase();
    // `submodule.x.update = !command`
    let bang = key == "update" && setting.contains('!');
    KEYS.contains(&key.as_str()) || bang
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_starts_programs_is_left_out_and_the_rest_stays() {
        fn check(text: &str, expected: &str) {
            assert_eq!(harmless(text), expected, "{text:?}");
        }
        check("[core]\n\tbare = false\n", "[core]\n\tbare = false\n");
        check(
            "[core]\n\tFSMonitor = ./evil\n\tbare = false\n",
            "[core]\n\tbare = false\n",
        );
        check("[core] fsmonitor = x\nbare = true\n", "[core]\nbare = true\n");
        check("[core] bare = true\n", "[core]\n bare = true\n");
        check(
            "[diff]\nexternal=x\n[diff \"a]b\"]\ntextconv=y\nbinary=true\n",
            "[diff]\n[diff \"a]b\"]\nbinary=true\n",
        );
        check("[core]\neditor = a\\\n b\nbare = x\n", "[core]\nbare = x\n");
        check(
            "[filter \"lfs\"]\nclean = x\nrequired = true\n[user]\nname = n\n",
            "[user]\nname = n\n",
        );
        check("[Include]\npath = ../evil\n", "");
        check(
            "[submodule \"s\"]\nupdate = !evil\nurl = u\n",
            "[submodule \"s\"]\nurl = u\n",
        );
        check("[gpg \"ssh\"]\nprogram=x\n", "[gpg \"ssh\"]\n");
        check("# a comment\n[a\nfsmonitor=x\n", "# a comment\n[a\n");
        check("", "");
    }

    proptest! {
        #[test]
        fn no_text_panics_or_grows(text in "(\\[[a-z \"\\\\\\]]{0,8}|[a-z=\\\\ !#\"]{0,8}|\n){0,40}") {
            let once = harmless(&text);
            // A header with a setting behind it gets a line of its own.
            prop_assert!(once.len() <= 2 * text.len());
        }
    }
}
