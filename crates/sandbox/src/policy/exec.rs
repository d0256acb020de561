//! Which programs a child may start.

use std::path::{Component, Path, PathBuf};

use crate::refusal::{Refusal, refuse};

/// Bytes in the name of a program, and in a path to one.
const MAX_NAME_BYTES: usize = 255;
const MAX_PATH_BYTES: usize = 4096;

/// What a child may start, from least to most.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Exec {
    /// Nothing: it cannot even fork. It may have threads.
    #[default]
    None,
    /// These programs. It may fork even if there are none.
    List(Vec<Program>),
    /// Anything that it can read.
    Any,
}

impl Exec {
    /// Whether no more may be started than `other` lets.
    pub fn is_within(&self, other: &Self) -> bool {
        self.beyond(other).is_none()
    }

    /// Returns what may be started that `other` does not let: a program, or words for all of them.
    pub(super) fn beyond(&self, other: &Self) -> Option<String> {
        match (self, other) {
            (Self::None, Self::None | Self::List(_) | Self::Any) | (Self::List(_) | Self::Any, Self::Any) => {
                None
            }
            (Self::List(own), Self::List(others)) => own
                .iter()
                .find(|program| !others.contains(program))
                .map(|program| program.as_str().to_owned()),
            (Self::List(own), Self::None) => Some(own.first().map_or("forking", Program::as_str).to_owned()),
            (Self::Any, Self::None | Self::List(_)) => Some("any program".to_owned()),
        }
    }

    /// Returns what both let.
    pub(super) fn narrow(&self, by: &Self) -> Self {
        match (self, by) {
            (Self::None, Self::None | Self::List(_) | Self::Any)
            | (Self::List(_) | Self::Any, Self::None) => Self::None,
            (Self::Any, narrower) | (narrower, Self::Any) => narrower.clone(),
            (Self::List(own), Self::List(others)) => Self::List(
                own.iter()
                    .filter(|program| others.contains(program))
                    .cloned()
                    .collect(),
            ),
        }
    }
}

/// A program: its name, to be looked up, or its absolute path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Program(String);

impl Program {
    /// Reads a name or a path. `field` is where it stands, for the refusal.
    ///
    /// # Errors
    /// The text is neither: a relative path, a command line, a glob.
    pub fn parse(field: &str, text: &str) -> Result<Self, Refusal> {
        let checked = match text.contains('/') {
            true => check_path(text),
            false => check_name(text),
        };
        match checked {
            Ok(()) => Ok(Self(text.to_owned())),
            Err((reason, fix)) => Err(refuse(field, text, reason, fix)),
        }
    }

    /// Returns the name or the path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path, if this is one.
    pub fn path(&self) -> Option<&Path> {
        self.0.starts_with('/').then(|| Path::new(&self.0))
    }
}

/// Why, and what to do about it.
type ProgramFault = (&'static str, &'static str);

fn check_name(text: &str) -> Result<(), ProgramFault> {
    if matches!(text, "" | "." | "..") {
        return Err(("this names no program", "write the name of a program"));
    }
    if text.len() > MAX_NAME_BYTES {
        return Err(("the name is longer than 255 bytes", "write the name of a program"));
    }
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err((
            "the name holds a blank: this list is of programs, not of command lines",
            "write the program alone, without arguments",
        ));
    }
    if text.contains(['*', '?', '{', '}', '\\']) {
        return Err(("globs of programs are not accepted", "name each program"));
    }
    if text.starts_with(['-', '~', '$']) {
        return Err((
            "the name starts with a character that shells and programs read in their own way",
            "write the name of a program, or its absolute path",
        ));
    }
    Ok(())
}

fn check_path(text: &str) -> Result<(), ProgramFault> {
    let path = Path::new(text);
    if !path.is_absolute() {
        return Err((
            "a relative path can be another program tomorrow",
            "write the program's name alone, or its absolute path",
        ));
    }
    if text.len() > MAX_PATH_BYTES {
        return Err(("the path is longer than 4096 bytes", "write a shorter path"));
    }
    if text.chars().any(char::is_control) {
        return Err(("the path holds a control character", "remove it"));
    }
    if text.contains(['*', '?', '{', '}', '\\']) {
        return Err(("globs of programs are not accepted", "name each program"));
    }
    let shortest: PathBuf = path.components().collect();
    let climbs = path.components().any(|part| part == Component::ParentDir);
    if climbs || shortest.as_os_str() != path.as_os_str() || text == "/" {
        return Err((
            "the path is not that of a file in its shortest form",
            "write it without '.', '..', doubled slashes and a slash at its end",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(names: &[&str]) -> Exec {
        Exec::List(
            names
                .iter()
                .map(|name| Program::parse("exec", name).unwrap())
                .collect(),
        )
    }

    #[test]
    fn programs_are_names_or_absolute_paths() {
        fn check(text: &str, reason: Option<&str>) {
            let refusal = Program::parse("exec.spawn[0]", text).err();
            assert_eq!(refusal.is_none(), reason.is_none(), "{text:?}: {refusal:?}");
            if let (Some(refusal), Some(reason)) = (refusal, reason) {
                assert!(refusal.reason.contains(reason), "{text:?}: {}", refusal.reason);
            }
        }
        for text in ["git", "g++", "[", "python3.12", "/usr/bin/git", "/opt/a b/c"] {
            check(text, None);
        }
        check("", Some("no program"));
        check("..", Some("no program"));
        check("git status", Some("blank"));
        check("a\0", Some("blank"));
        check("*", Some("globs"));
        check("/usr/bin/*", Some("globs"));
        check("-c", Some("starts with"));
        check("~", Some("starts with"));
        check("./git", Some("relative"));
        check("~/bin/git", Some("relative"));
        check("/usr/../bin/git", Some("shortest"));
        check("/usr//bin/git", Some("shortest"));
        check("/usr/bin/", Some("shortest"));
        check("/", Some("shortest"));
        check("/a\n", Some("control"));
        check(&"a".repeat(256), Some("255"));
        check(&"/a".repeat(2049), Some("4096"));
        let path = Program::parse("f", "/bin/sh").unwrap();
        assert_eq!(path.path(), Some(Path::new("/bin/sh")));
        assert_eq!(Program::parse("f", "sh").unwrap().path(), None);
    }

    #[test]
    fn less_is_within_more() {
        let ordered = [
            Exec::None,
            list(&[]),
            list(&["git"]),
            list(&["git", "ssh"]),
            Exec::Any,
        ];
        for (low, less) in ordered.iter().enumerate() {
            for (high, more) in ordered.iter().enumerate() {
                assert_eq!(less.is_within(more), low <= high, "{less:?} in {more:?}");
                assert_eq!(&less.narrow(more), ordered.get(low.min(high)).unwrap());
            }
        }
        assert_eq!(
            list(&["git", "sh"]).beyond(&list(&["git"])).as_deref(),
            Some("sh")
        );
        assert_eq!(list(&[]).beyond(&Exec::None).as_deref(), Some("forking"));
        assert!(!list(&["/bin/git"]).is_within(&list(&["git"]))); // who knows what the name finds
    }
}
