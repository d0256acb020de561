//! A repository's settings without those that start programs.
//!
//! Some of them cannot be outranked by a variable (`diff.external`, drivers and filters by name), and a read would end
//! at a program that it may not start. So a read is shown the settings without them. The sandbox holds without it, and
//! a line that is misread here starts nothing either; but settings that cannot be read at all are a refusal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use argrail_sandbox::Refusal;

use argrail_spec::secret_places::says_credential;

use super::git_files::{alone, settings};

/// A mark that git skips at the beginning. A header behind it would be taken for a setting here.
const MARK: &[u8] = "\u{feff}".as_bytes();

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

/// Sections of a person's own settings that say how git shows and compares files, and whose name is on them. What is not
/// among these may name a host, a password, or a program that knows one.
const SHOWN: &[&str] = &[
    "advice",
    "author",
    "blame",
    "branch",
    "checkout",
    "color",
    "column",
    "commit",
    "committer",
    "core",
    "diff",
    "feature",
    "grep",
    "help",
    "i18n",
    "index",
    "init",
    "log",
    "merge",
    "pull",
    "push",
    "rebase",
    "rerere",
    "safe",
    "stash",
    "status",
    "submodule",
    "tag",
    "user",
    "versionsort",
];

/// Returns what a person's own settings say that starts no program and holds no credential.
pub(super) fn without_credentials(file: &Path) -> Option<Vec<u8>> {
    let text = characters(&alone(file)?);
    // Two headers in one line are read by git, and by nobody else.
    let is_odd = |line: &str| line.starts_with('[') && header(line).1.trim_start().starts_with('[');
    if text.lines().any(|line| is_odd(line.trim_start())) {
        return None;
    }
    Some(bytes(&own_without_credentials(&text)))
}

fn own_without_credentials(text: &str) -> String {
    let rules = Rules {
        section: |header| match Section::of(header) {
            Section::Harmless if is_shown(header) => Section::Harmless,
            Section::Harmless | Section::Dropped => Section::Dropped,
        },
        dropped: |setting| starts_programs(setting) || !is_plain(setting),
        first: Section::Dropped,
    };
    kept(text, &rules)
}

/// Whether a section is among those that are shown, without a part of its own: `[url "https://token@host"]`.
fn is_shown(header: &str) -> bool {
    let name = header.trim().trim_start_matches('[').trim_end_matches(']').trim();
    SHOWN.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a setting is one line of a name and a value, with no comment and nothing like a credential in it.
fn is_plain(setting: &str) -> bool {
    let setting = setting.trim();
    setting.starts_with(|c: char| c.is_ascii_alphabetic())
        && !setting.ends_with('\\')
        && !setting.contains(['#', ';'])
        && !setting.contains("://")
        && !says_credential(setting)
}

/// Returns the harmless settings of the repositories that these directories are the top of, by file.
///
/// # Errors
/// Settings that a call can see and that cannot be read.
pub(super) fn texts<'p>(
    tops: impl IntoIterator<Item = &'p PathBuf>,
    is_shown: impl Fn(&Path) -> bool,
) -> Result<BTreeMap<PathBuf, Vec<u8>>, Refusal> {
    let mut texts = BTreeMap::new();
    for top in tops {
        for (file, text) in settings(top, &is_shown)? {
            let kept = harmless_bytes(&text);
            if kept != text {
                texts.insert(file, kept);
            }
        }
    }
    Ok(texts)
}

/// Leaves out what [`harmless`] does. Bytes are taken for characters, one by one: what git looks at is ASCII, and names
/// in any encoding stay what they are.
fn harmless_bytes(text: &[u8]) -> Vec<u8> {
    bytes(&harmless(&characters(text)))
}

fn characters(text: &[u8]) -> String {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    text.iter().map(|byte| char::from(*byte)).collect()
}

fn bytes(text: &str) -> Vec<u8> {
    text.chars().filter_map(|c| u8::try_from(c).ok()).collect()
}

/// Leaves out the settings that start programs. What cannot be read is left out, too.
fn harmless(text: &str) -> String {
    let rules = Rules {
        section: Section::of,
        dropped: starts_programs,
        first: Section::Harmless,
    };
    kept(text, &rules)
}

/// What is left out.
struct Rules {
    /// What becomes of a section, by its header.
    section: fn(&str) -> Section,
    /// Whether a setting is left out.
    dropped: fn(&str) -> bool,
    /// What becomes of settings before any section.
    first: Section,
}

fn kept(text: &str, rules: &Rules) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut section = rules.first;
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
            section = (rules.section)(header);
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
        dropping = section == Section::Dropped || (rules.dropped)(setting);
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

    #[test]
    fn a_persons_own_settings_are_shown_without_credentials() {
        fn check(text: &str, expected: &str) {
            assert_eq!(own_without_credentials(text), expected, "{text:?}");
        }
        check(
            "[user]\n\tname = Ann\n\temail = ann@host.example\n[core]\n\tautocrlf = input\n\teditor = vi\n",
            "[user]\n\tname = Ann\n\temail = ann@host.example\n[core]\n\tautocrlf = input\n",
        );
        check(
            "[credential]\n\thelper = store\n[log]\ndate = iso\n",
            "[log]\ndate = iso\n",
        );
        check(
            "[url \"https://x:word@host/\"]\n\tinsteadOf = https://host/\n",
            "",
        );
        check("[http]\n\textraHeader = Authorization: x\n", "");
        check("[core]\n\tsshCommand = ssh -i key\n\taskPass = x\n", "[core]\n");
        check(
            "[user]\n\tsigningKey = ABC\n\tpassword = x\n",
            "[user]\n\tsigningKey = ABC\n",
        );
        check(
            "[core]\n\t# hunter2\n\tpager = less\n\tabbrev = 8 ; hunter2\n",
            "[core]\n",
        );
        check(
            "[core]\n\tabbrev = 8\\\n hunter2\n\tbare = false\n",
            "[core]\n\tbare = false\n",
        );
        check(
            "hunter2 = x\n[sendemail]\n\tsmtpPass = x\n[diff \"x\"]\n\tcommand = y\n",
            "",
        );
    }

    #[test]
    fn other_encodings_stay_what_they_are() {
        fn check(text: &[u8], expected: &[u8]) {
            assert_eq!(harmless_bytes(text), expected, "{text:?}");
        }
        let latin = b"[user]\n\tname = J\xf6rg\n";
        check(latin, latin);
        check(
            b"[core]\n\tfsmonitor = \xff\n\teditor = x\n[user]\n\tname = \xa0\xc3\xb6\x85\n",
            b"[core]\n[user]\n\tname = \xa0\xc3\xb6\x85\n",
        );
        check(b"\xef\xbb\xbf[diff]\n\texternal = x\n", b"[diff]\n");
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
