//! The pattern of a grant, as a person writes it for a question that they look at.
//!
//! One that is taken covers at least the call that is asked about, and names nothing that no call can have: a grant that
//! never answers anything would be found out when it is needed.

use std::path::{Path, PathBuf};

use argrail_acli::{Error, Text, nearest};
use argrail_engine::policy::{Mismatch, Pattern, PatternError};

use super::asked::Asked;

/// Why a text is no pattern for a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ScopeError {
    /// It is no pattern.
    #[error("{0}")]
    Unreadable(PatternError),
    /// It does not cover what is asked.
    #[error("the pattern does not cover this call: {}", _0.text())]
    Beside(Mismatch),
    /// It names an option that no call of the command can have.
    #[error("the command has no option {name}")]
    NoSuchOption {
        /// The option.
        name: String,
        /// One that it has and that is spelt much alike.
        near: Option<String>,
    },
    /// It names a path where nothing is.
    #[error("nothing is at {}, so no call can name it", _0.display())]
    NoSuchPath(PathBuf),
    /// No pattern could: something about the call cannot be named beforehand.
    #[error("no pattern can cover this call")]
    Never,
}

impl ScopeError {
    /// Returns it as what a verb answers.
    pub(crate) fn error(&self, scope: &str, asked: &Asked) -> Error {
        let id = &asked.id;
        let works = || match &asked.suggest {
            Some(narrow) => Text::new("Start from what covers it: --scope {}").value(narrow),
            None => Text::new("Approve it once: argrail approve {}").value(id),
        };
        match self {
            Self::Unreadable(error) => Error::invalid(
                Text::new("--scope {}: {}").value(scope).value(error.to_string()),
                error.hint(),
            ),
            Self::Beside(mismatch) => Error::invalid(
                Text::new("--scope {} does not cover what {} asks")
                    .value(scope)
                    .value(id)
                    .then(": ", mismatch.text()),
                works(),
            ),
            Self::NoSuchOption { name, near } => Error::invalid(
                Text::new("--scope {}: the command has no option {}")
                    .value(scope)
                    .value(name),
                match near {
                    Some(near) => Text::new("Did you mean {}?").value(near),
                    None => works(),
                },
            ),
            Self::NoSuchPath(path) => Error::invalid(
                Text::new("--scope {}: nothing is at {}, so no call can name it")
                    .value(scope)
                    .value(path.to_string_lossy()),
                "Write path=GLOB below a directory that exists, or leave it out: the directory of the call is covered",
            ),
            Self::Never => Error::invalid(
                Text::new("no pattern can cover what {} asks").value(id),
                Text::new("Approve it once: argrail approve {}").value(id),
            ),
        }
    }
}

/// Returns the part of a pattern that stands for a directory and all below it.
pub(crate) fn everything_below(directory: &Path) -> String {
    let path = directory.to_string_lossy();
    let escaped: String = path
        .trim_end_matches('/')
        .chars()
        .flat_map(|c| {
            let escape = matches!(c, '*' | '\\').then_some('\\');
            escape.into_iter().chain([c])
        })
        .collect();
    argrail_acli::join(&[format!("path={escaped}/**")])
}

/// Reads a pattern that covers the question. `home` is what `~` means.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read(scope: &str, asked: &Asked, home: &Path) -> Result<Pattern, ScopeError> {
    let directory = asked.cwd.as_deref().map(Path::new).ok_or(ScopeError::Never)?;
    if let Ok(pattern) = Pattern::parse(scope, directory)
        && pattern.is_for_hosts()
    {
        let all = asked.new_hosts.iter().all(|host| pattern.names_host(host));
        let enough = pattern.credentials || !asked.uses_credentials;
        return match all && enough && !asked.new_hosts.is_empty() {
            true => Ok(pattern),
            false => Err(ScopeError::Beside(Mismatch::Hosts)),
        };
    }
    let grantable = asked.scope.as_ref().ok_or(ScopeError::Never)?;
    let pattern = Pattern::parse(scope, directory).map_err(ScopeError::Unreadable)?;
    if let Some(mismatch) = grantable.call.mismatch(&pattern, directory, home) {
        return Err(ScopeError::Beside(mismatch));
    }
    if let Some(known) = &grantable.options {
        check_options(&pattern, known)?;
    }
    // What is below the directory of the call may be made yet.
    let is_there = |place: &Path| place.starts_with(directory) || place.is_dir();
    let absent = pattern.directories(home).find(|place| !is_there(place));
    match absent {
        Some(place) => Err(ScopeError::NoSuchPath(place)),
        None => Ok(pattern),
    }
}

/// Sees that calls of the command can have every option that the pattern names. What the call itself has, it can.
fn check_options(pattern: &Pattern, known: &[String]) -> Result<(), ScopeError> {
    let is_known = |name: &str| {
        let bare = name.replacen("--no-", "--", 1);
        known
            .iter()
            .any(|known| [name, &bare].contains(&known.trim_end_matches('=')))
    };
    let unknown = pattern.options.iter().find(|option| !is_known(&option.name));
    match unknown {
        None => Ok(()),
        Some(option) => Err(ScopeError::NoSuchOption {
            name: option.name.clone(),
            near: nearest(&option.name, known.iter().map(String::as_str)).map(str::to_owned),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    #[test]
    fn a_scope_covers_its_question_or_is_refused_with_the_reason() {
        let mut asked = Asked::read(&example::request()).unwrap();
        let check = |scope: &str, want: Result<(), &str>| {
            let read = read(scope, &asked, Path::new("/usr"));
            let read = read.map(drop).map_err(|error| {
                let told = error.error(scope, &asked);
                assert!(told.hint_text().is_some(), "{told}");
                error.to_string()
            });
            assert_eq!(read, want.map_err(str::to_owned), "{scope}");
        };
        check("git push origin main --force 'host=*' +destructive", Ok(()));
        check("git push origin '*' -f 'host=*' +destructive", Ok(()));
        check("git push origin '*' --force --tags 'host=*' +destructive", Ok(()));
        check(
            "git push origin main --force 'host=*'",
            Err("the pattern does not cover this call: it has to say +destructive"),
        );
        check(
            "git pull '**' +destructive",
            Err(
                "the pattern does not cover this call: nothing stands for the word 'push': a star covers letters, digits and - _ . / and no other sign",
            ),
        );
        check(
            "git push origin '*' --force --tgas 'host=*' +destructive",
            Err("the command has no option --tgas"),
        );
        check(
            "git push origin '*' --force 'host=*' +destructive path=/usr/no/such/**",
            Err("nothing is at /usr/no/such, so no call can name it"),
        );
        check(
            "git push origin '*' --force 'host=*' +destructive path=/usr/share/**",
            Ok(()),
        );
        check("", Err("the command is empty"));
        check("--x", Err("expected a tool first, got \"--x\""));
        asked.scope = None;
        assert_eq!(
            read("git push", &asked, Path::new("/usr")),
            Err(ScopeError::Never)
        );
    }
}
