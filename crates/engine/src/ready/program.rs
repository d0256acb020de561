//! Whether the program of a tool is on this machine.

use std::path::PathBuf;

use argrail_acli::{Code, Error, Text};

/// Returns the program of the tool `name`.
///
/// # Errors
/// `SETUP_REQUIRED` with the pending step `install` when there is none. An agent's call never installs.
pub fn program(name: &str, found: Option<PathBuf>) -> Result<PathBuf, Error> {
    found.ok_or_else(|| {
        Error::new(
            Code::SetupRequired,
            Text::new("{} is described, but no program of that name is on the search path").value(name),
        )
        .hint(Text::new("A person has to install {} first; then call it again").value(name))
        .detail("pending", vec!["install"])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_has_to_be_installed() {
        assert_eq!(
            program("gh", Some("/usr/bin/gh".into())),
            Ok("/usr/bin/gh".into())
        );
        let error = program("gh", None).unwrap_err();
        assert_eq!((error.code(), error.exit()), (&Code::SetupRequired, 4));
        assert_eq!(error.get_detail("pending"), Some(&vec!["install"].into()));
        assert!(error.to_string().contains("'gh'") && error.hint_text().unwrap().contains("install 'gh'"));
    }
}
