//! The name of an entry, as a path below the directory that is unpacked into, and where a link may lead.

use std::path::PathBuf;

use super::error::ArchiveError;

/// The longest name, the longest part of one, and the most parts.
const NAME: usize = 4096;
const PART: usize = 255;
const PARTS: usize = 64;

/// The parts of a path: none is empty, `.` or `..`. No parts are the directory itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EntryName(Vec<String>);

impl EntryName {
    /// Reads a name.
    ///
    /// # Errors
    /// When it is absolute, climbs, is no text, or is longer than any file's.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ArchiveError> {
        let wrong = |problem| ArchiveError::Name {
            name: String::from_utf8_lossy(bytes).chars().take(200).collect(),
            problem,
        };
        let text = std::str::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8"))?;
        if text.is_empty() || text.len() > NAME {
            return Err(wrong("it is empty or too long"));
        }
        if text.chars().any(char::is_control) || text.contains('\\') {
            return Err(wrong("it has a control character or a backslash"));
        }
        let drive = text.as_bytes().get(1) == Some(&b':');
        if text.starts_with('/') || drive {
            return Err(wrong("it is absolute"));
        }
        let mut parts = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => return Err(wrong("it leads out")),
                part if part.len() > PART => return Err(wrong("a part of it is too long")),
                part => parts.push(part.to_owned()),
            }
        }
        match parts.len() > PARTS {
            true => Err(wrong("it is too deep")),
            false => Ok(Self(parts)),
        }
    }

    /// Checks where a symlink of this name leads: up to the top at most, and then down.
    ///
    /// `..` may stand at the beginning only. There it means the directories of this name, which are real ones; after
    /// another part it could mean the parent of wherever a second link leads.
    ///
    /// # Errors
    /// When it can lead out.
    pub(super) fn check_target(&self, target: &[u8]) -> Result<String, ArchiveError> {
        let wrong = |problem| ArchiveError::Link {
            name: self.shown(),
            target: String::from_utf8_lossy(target).chars().take(200).collect(),
            problem,
        };
        let text = std::str::from_utf8(target).map_err(|_| wrong("it is not UTF-8"))?;
        if text.is_empty() || text.len() > NAME || text.chars().any(char::is_control) {
            return Err(wrong("it is empty, too long, or has a control character"));
        }
        if text.starts_with('/') {
            return Err(wrong("it is absolute"));
        }
        let depth = self.0.len().saturating_sub(1);
        let (mut climbs, mut descends) = (0_usize, false);
        for part in text.split('/') {
            match (part, descends) {
                ("" | ".", _) => {}
                ("..", true) => return Err(wrong("it climbs after it descended")),
                ("..", false) => climbs += 1,
                (_, _) => descends = true,
            }
        }
        match climbs > depth {
            true => Err(wrong("it leads out")),
            false => Ok(text.to_owned()),
        }
    }

    /// Returns the path from the top.
    pub(super) fn path(&self) -> PathBuf {
        self.0.iter().collect()
    }

    /// Returns the directories above it, the highest first, without the top.
    pub(super) fn parents(&self) -> impl Iterator<Item = Self> {
        (1..self.0.len()).map(|count| Self(self.0.iter().take(count).cloned().collect()))
    }

    /// Whether it is the directory itself.
    pub(super) fn is_top(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns it as people read it.
    pub(super) fn shown(&self) -> String {
        self.0.join("/")
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Component, Path};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_stay_below_the_directory() {
        let check = |name: &str, want: Option<&str>| {
            let came = EntryName::parse(name.as_bytes()).ok().map(|name| name.shown());
            assert_eq!(came.as_deref(), want, "{name:?}");
        };
        check("bin/gh", Some("bin/gh"));
        check("./bin//gh", Some("bin/gh"));
        check("./", Some(""));
        check("..x/y", Some("..x/y"));
        for name in [
            "",
            "/bin/gh",
            "../gh",
            "bin/../../gh",
            "a/..",
            "C:\\x",
            "C:x",
            "a\\b",
            "a\nb",
        ] {
            check(name, None);
        }
        check(&"a".repeat(256), None);
        check(&"a/".repeat(65), None);
        assert!(EntryName::parse(b"\xff").is_err());
    }

    #[test]
    fn links_lead_to_what_is_below_the_directory() {
        let check = |name: &str, target: &str, want: bool| {
            let name = EntryName::parse(name.as_bytes()).unwrap();
            assert_eq!(
                name.check_target(target.as_bytes()).is_ok(),
                want,
                "{name:?} {target:?}"
            );
        };
        check("lib/a.so", "a.so.1", true);
        check("bin/gh", "../lib/gh", true);
        check("a/b/c", "../..", true);
        check("bin/gh", "../../lib/gh", false);
        check("gh", "..", false);
        check("gh", "/bin/sh", false);
        check("a/b", "c/../../..", false);
        check("a/b", "c/../d", false); // `c` can be a link to the top
        check("gh", "", false);
        check("gh", "a\0", false);
    }

    proptest! {
        #[test]
        fn no_name_leads_out(name in "[./a\\\\C:\n]{0,20}") {
            if let Ok(name) = EntryName::parse(name.as_bytes()) {
                prop_assert!(name.path().components().all(|part| matches!(part, Component::Normal(_))));
            }
        }

        #[test]
        fn no_link_leads_out(name in "(a/){0,3}l", target in "[./a]{0,12}") {
            let name = EntryName::parse(name.as_bytes()).unwrap();
            if let Ok(target) = name.check_target(target.as_bytes()) {
                let mut at: Vec<String> = name.0.iter().take(name.0.len() - 1).cloned().collect();
                for part in Path::new(&target).components() {
                    match part {
                        Component::ParentDir => prop_assert!(at.pop().is_some()),
                        Component::CurDir => {}
                        Component::Normal(_) => at.push("x".to_owned()),
                        Component::RootDir | Component::Prefix(_) => prop_assert!(false),
                    }
                }
            }
        }
    }
}
