//! The loader that a program asks for: the kernel starts it in the program's place, so it must be allowed to run.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// What a file is, by its first bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileFormat {
    /// A program for the processor, and the loader it wants.
    Binary { loader: Option<PathBuf> },
    /// A text with the words after `#!`: the interpreter, and its one argument.
    Script {
        interpreter: PathBuf,
        argument: Option<OsString>,
    },
    /// Neither a binary nor a script.
    Other,
}

const SEGMENT_INTERPRETER: u32 = 3; // PT_INTERP

/// Tells what a file is. `head` is its beginning: a page is enough for all that linkers and people write.
pub(super) fn file_format(head: &[u8]) -> FileFormat {
    if head.starts_with(b"\x7fELF") {
        return FileFormat::Binary { loader: loader(head) };
    }
    match head.strip_prefix(b"#!") {
        Some(line) => script(line),
        None => FileFormat::Other,
    }
}

fn script(rest: &[u8]) -> FileFormat {
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = line.trim_ascii();
    let end = line
        .iter()
        .position(|byte| matches!(byte, b' ' | b'\t'))
        .unwrap_or(line.len());
    let (interpreter, argument) = line.split_at(end);
    if interpreter.is_empty() || line.contains(&0) {
        return FileFormat::Other;
    }
    let argument = argument.trim_ascii();
    FileFormat::Script {
        interpreter: PathBuf::from(OsString::from_vec(interpreter.to_vec())),
        argument: (!argument.is_empty()).then(|| OsString::from_vec(argument.to_vec())),
    }
}

/// Reads the program header of the loader. Anything odd is no loader: then the program cannot start, which is safe.
fn loader(head: &[u8]) -> Option<PathBuf> {
    let wide = *head.get(4)? == 2;
    let (table, entry_size, entries) = if wide {
        (long(head, 32)?, short(head, 54)?, short(head, 56)?)
    } else {
        (u64::from(word(head, 28)?), short(head, 42)?, short(head, 44)?)
    };
    for index in 0..usize::from(entries) {
        let at = usize::try_from(table)
            .ok()?
            .checked_add(index.checked_mul(usize::from(entry_size))?)?;
        if word(head, at)? != SEGMENT_INTERPRETER {
            continue;
        }
        let (offset, length) = if wide {
            (long(head, at.checked_add(8)?)?, long(head, at.checked_add(32)?)?)
        } else {
            (
                word(head, at.checked_add(4)?)?.into(),
                word(head, at.checked_add(16)?)?.into(),
            )
        };
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        let name = head.get(start..end)?.split(|byte| *byte == 0).next()?;
        return Some(PathBuf::from(OsString::from_vec(name.to_vec())));
    }
    None
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(bytes.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn script(interpreter: &str, argument: Option<&str>) -> FileFormat {
        FileFormat::Script {
            interpreter: interpreter.into(),
            argument: argument.map(Into::into),
        }
    }

    #[test]
    fn files_are_told_by_their_beginning() {
        assert_eq!(file_format(b"#!/bin/sh\necho"), script("/bin/sh", None));
        assert_eq!(
            file_format(b"#! /usr/bin/env  python3 -u \nx"),
            script("/usr/bin/env", Some("python3 -u"))
        );
        assert_eq!(file_format(b"#!\n"), FileFormat::Other);
        assert_eq!(file_format(b"#!/bin/\0sh"), FileFormat::Other);
        assert_eq!(file_format(b"plain"), FileFormat::Other);
        assert_eq!(file_format(b"\x7fELF"), FileFormat::Binary { loader: None });
    }

    #[test]
    fn the_test_itself_names_a_loader_that_exists() {
        let mut head = std::fs::read("/proc/self/exe").unwrap();
        head.truncate(4096);
        match file_format(&head) {
            FileFormat::Binary { loader: Some(loader) } => assert!(loader.is_file(), "{}", loader.display()),
            FileFormat::Binary { loader: None } => {} // built without one
            other => panic!("{other:?}"),
        }
    }

    proptest! {
        #[test]
        fn no_beginning_of_a_file_is_too_odd(mut head in prop::collection::vec(any::<u8>(), 0..256), elf: bool) {
            if elf {
                head.splice(0..0, *b"\x7fELF\x02");
            }
            file_format(&head);
        }
    }
}
