//! Arguments and variables as the kernel takes them: words that end at their first NUL.
//!
//! What is judged and shown is what runs, word for word. A word with a NUL in it cannot be given to any program, and a
//! shorter one in its place would be another command; so it is refused, with its place. Values of variables may be
//! secrets and are never shown.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::refusal::Refusal;

const NUL_REASON: &str = "it holds a NUL byte, and no program can be given one";
const NUL_FIX: &str = "Leave the NUL byte out";

/// Refuses what could not be handed over as it is.
pub(crate) fn check_words<'v>(
    argv: &[OsString],
    directory: &Path,
    variables: impl IntoIterator<Item = &'v BTreeMap<OsString, OsString>>,
) -> Result<(), Refusal> {
    for (index, word) in argv.iter().enumerate() {
        argument(&format!("argv[{index}]"), word)?;
    }
    argument("directory", directory.as_os_str())?;
    for (name, value) in variables.into_iter().flatten() {
        variable(name, value)?;
    }
    Ok(())
}

/// Returns a word of the command line.
pub(super) fn argument(field: &str, word: &OsStr) -> Result<CString, Refusal> {
    CString::new(word.as_bytes())
        .map_err(|_| Refusal::new(field, word.to_string_lossy(), NUL_REASON, NUL_FIX))
}

/// Returns a variable as `NAME=value`.
pub(super) fn variable(name: &OsStr, value: &OsStr) -> Result<CString, Refusal> {
    let shown = name.to_string_lossy();
    let field = || format!("env.{}", shown.escape_debug());
    if name.is_empty() || name.as_bytes().contains(&b'=') {
        let reason = "a name of a variable is not empty and has no '=' in it";
        return Err(Refusal::new(
            field(),
            shown,
            reason,
            "Give the variable another name",
        ));
    }
    let whole = [name.as_bytes(), b"=", value.as_bytes()].concat();
    CString::new(whole).map_err(|_| Refusal::new(field(), "", NUL_REASON, NUL_FIX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_handed_over_whole_or_refused_with_its_place() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let check = |argv: &[&str], directory: &str, variable: (&str, &str), expected: Option<&str>| {
            let variables = BTreeMap::from([(variable.0.into(), variable.1.into())]);
            let refused = check_words(&words(argv), Path::new(directory), [&variables]).err();
            assert_eq!(refused.as_ref().map(ToString::to_string).as_deref(), expected);
        };
        check(&["echo", "", "ä b"], "/", ("A", ""), None);
        check(
            &["rm", "a\0b"],
            "/",
            ("A", "b"),
            Some(r#"argv[1]: "a\0b": it holds a NUL byte, and no program can be given one"#),
        );
        check(
            &["ls"],
            "/a\0",
            ("A", "b"),
            Some(r#"directory: "/a\0": it holds a NUL byte, and no program can be given one"#),
        );
        check(
            &["ls"],
            "/",
            ("TOKEN", "hunter\0two"),
            Some(r#"env.TOKEN: "": it holds a NUL byte, and no program can be given one"#),
        );
        for (name, shown) in [("", r#"env.: """#), ("A=B", r#"env.A=B: "A=B""#)] {
            let expected = format!("{shown}: a name of a variable is not empty and has no '=' in it");
            check(&["ls"], "/", (name, "b"), Some(&expected));
        }
    }
}
