//! The pattern of a grant, as a person writes it for a question that they look at.

use std::path::{Path, PathBuf};

use argrail_acli::{Error, Text};
use argrail_engine::policy::{Known, Pattern, PatternError};

use super::asked::Asked;

/// Why a text is no pattern for a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ScopeError {
    /// It is no pattern.
    #[error("{0}")]
    Unreadable(PatternError),
    /// It does not cover what is asked.
    #[error("the pattern does not cover this call")]
    Beside,
    /// No pattern could: something about the call cannot be named beforehand.
    #[error("no pattern can cover this call")]
    Never,
}

impl ScopeError {
    /// Returns it as what a verb answers.
    pub(crate) fn error(&self, scope: &str, asked: &Asked) -> Error {
        let id = &asked.id;
        match self {
            Self::Unreadable(error) => Error::invalid(
                Text::new("--scope {}: {}").value(scope).value(error.to_string()),
                error.hint(),
            ),
            Self::Beside => {
                let hint = match &asked.suggest {
                    Some(narrow) => Text::new("Start from what covers it: --scope {}").value(narrow),
                    None => Text::new("Approve it once: argrail approve {}").value(id),
                };
                Error::invalid(
                    Text::new("--scope {} does not cover what {} asks")
                        .value(scope)
                        .value(id),
                    hint,
                )
            }
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
        return match all && !asked.new_hosts.is_empty() {
            true => Ok(pattern),
            false => Err(ScopeError::Beside),
        };
    }
    let narrow = asked.suggest.as_deref().ok_or(ScopeError::Never)?;
    let narrow = Pattern::parse(narrow, directory).map_err(|_| ScopeError::Never)?;
    let pattern = Pattern::parse(scope, directory).map_err(ScopeError::Unreadable)?;
    let files: Vec<PathBuf> = asked.files.iter().map(|file| PathBuf::from(&file.path)).collect();
    // What is suggested may be for a command inside the one that was called.
    let (tool, subcommands) = asked.command.split_once(' ').unwrap_or((&asked.command, ""));
    let known = Known {
        subcommands: match tool == narrow.tool {
            true => subcommands.split_whitespace().count(),
            false => 0,
        },
        files: &files,
        directory,
        home,
    };
    if pattern.covers_like(&narrow, &known) {
        Ok(pattern)
    } else {
        Err(ScopeError::Beside)
    }
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    #[test]
    fn a_scope_covers_its_question_or_is_refused() {
        let mut asked = Asked::read(&example::request()).unwrap();
        asked.suggest = Some("git push origin main --force= path=/srv/project +destructive".to_owned());
        let check = |scope: &str, want: Result<(), &str>| {
            let read = read(scope, &asked, Path::new("/srv/u"));
            let read = read.map(drop).map_err(|error| error.to_string());
            assert_eq!(read, want.map_err(str::to_owned), "{scope}");
        };
        check("git push origin main --force +destructive", Ok(()));
        check("git push origin '*' --force +destructive", Ok(()));
        check(
            "git push origin main --force",
            Err("the pattern does not cover this call"),
        );
        check(
            "git pull '**' +destructive",
            Err("the pattern does not cover this call"),
        );
        check("", Err("the command is empty"));
        check("--x", Err("expected a tool first, got \"--x\""));
        asked.suggest = None;
        assert_eq!(
            read("git push", &asked, Path::new("/srv/u")),
            Err(ScopeError::Never)
        );
    }
}
