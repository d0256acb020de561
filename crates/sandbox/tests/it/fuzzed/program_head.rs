//! Any beginning of a file that is to be started: what it names stands in it, and is a path.
//!
//! `fuzz/` includes this file, so it uses the public API of the crate and nothing else.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use argrail_sandbox::replay::{ProgramHead, program_head as read};

/// Checks one beginning.
pub(crate) fn program_head(head: &[u8]) {
    match read(head) {
        ProgramHead::Binary(loader) => {
            assert!(head.starts_with(b"\x7fELF"));
            if let Some(loader) = loader {
                check_word(head, loader.as_os_str());
            }
        }
        ProgramHead::Script(interpreter, argument) => {
            assert!(head.starts_with(b"#!") && !interpreter.as_os_str().is_empty());
            check_word(head, interpreter.as_os_str());
            let line = |word: &OsStr| !word.as_bytes().contains(&b'\n');
            assert!(line(interpreter.as_os_str()) && !interpreter.as_os_str().as_bytes().contains(&b' '));
            if let Some(argument) = argument {
                assert!(line(&argument) && !argument.is_empty());
                assert_eq!(argument.as_bytes().trim_ascii(), argument.as_bytes());
                check_word(head, &argument);
            }
        }
        ProgramHead::Other => {}
    }
}

fn check_word(head: &[u8], word: &OsStr) {
    let word = word.as_bytes();
    assert!(!word.contains(&0));
    assert!(word.is_empty() || head.windows(word.len()).any(|part| part == word));
}
