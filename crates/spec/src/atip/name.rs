//! Which names a tool may have: real ones such as `g++`, `python3.11` and `7z`, and none that is a path.
//!
//! A name becomes a file name in the registry, so this check stands between a stranger's JSON and our directories.

/// The longest name, in bytes: what a file name may have.
const MAX_BYTES: usize = 255;
/// What we append to a name when it becomes a file name.
const SUFFIX: &str = ".json";

/// Why a name is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// There is nothing.
    #[error("a tool name may not be empty")]
    Empty,
    /// It would not fit a file name.
    #[error("a tool name may have at most 250 bytes")]
    TooLong,
    /// It could lead somewhere.
    #[error("a tool name may not hold '/', '\\' or be '.' or '..'")]
    Path,
    /// It could hide or break something.
    #[error("a tool name may not hold white space, control or invisible characters")]
    Invisible,
    /// It would be read as an option.
    #[error("a tool name may not begin with '-'")]
    Dash,
}

/// Checks that `name` can be the name of a tool.
///
/// # Errors
/// What is wrong with it.
pub fn check_tool_name(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if name.len() > MAX_BYTES - SUFFIX.len() {
        return Err(NameError::TooLong);
    }
    if name.contains(['/', '\\']) || name.starts_with("..") || name == "." {
        return Err(NameError::Path);
    }
    if name.starts_with('-') {
        return Err(NameError::Dash);
    }
    let hidden = |c: char| c.is_control() || c.is_whitespace() || argrail_acli::is_invisible(c);
    if name.chars().any(hidden) {
        return Err(NameError::Invisible);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_names_pass_and_paths_do_not() {
        let check =
            |name: &str, want: Result<(), NameError>| assert_eq!(check_tool_name(name), want, "{name:?}");
        for name in [
            "gh",
            "g++",
            "python3.11",
            "7z",
            "[",
            "x86_64-linux-gnu-gcc",
            "constructor",
            "größe",
            ".x",
        ] {
            check(name, Ok(()));
        }
        check("", Err(NameError::Empty));
        check(&"a".repeat(250), Ok(()));
        check(&"a".repeat(251), Err(NameError::TooLong));
        for name in ["../../x", "..", ".", "a/b", "/x", "..x", "a\\b"] {
            check(name, Err(NameError::Path));
        }
        for name in ["a b", "a\0", "a\n", "a\u{202e}b", "\u{feff}x"] {
            check(name, Err(NameError::Invisible));
        }
        check("--agent", Err(NameError::Dash));
    }
}
