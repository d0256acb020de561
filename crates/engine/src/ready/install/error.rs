//! Why nothing was installed: every method with its reason, for programs, people and agents.

use argrail_acli::{Code, Error, Text};
use serde_json::{Value, json};

use super::archive::ArchiveError;
use super::fetch::FetchError;
use super::integrity::ProgramDrift;
use super::skip::Skip;
use crate::files::lock::LockError;
use crate::files::untrusted::FileError;
use crate::ready::version::VersionError;
use crate::refusal::HOST_WORDS;

/// How much of what a program said is told.
const SAID: usize = 2000;

/// Why a bundle's program is not installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// No method was left to try, or each that was tried failed.
    #[error("{id} was not installed: {}", summary(.failures, .skipped))]
    Failed {
        /// The bundle.
        id: String,
        /// Methods that were tried.
        failures: Vec<Failure>,
        /// Methods that were not.
        skipped: Vec<(String, Skip)>,
    },
    /// What came is not what was promised. No other method is tried after that.
    #[error("{id} was not installed: {source}")]
    Tampered {
        /// The bundle.
        id: String,
        /// The two hashes.
        source: FetchError,
    },
    /// Every program that could be had is of another version.
    #[error("{id} was not installed: {source}")]
    Version {
        /// The bundle.
        id: String,
        /// The two versions.
        source: VersionError,
    },
    /// Somebody ended it.
    #[error("the installation of {id} was cancelled")]
    Cancelled {
        /// The bundle.
        id: String,
    },
    /// The folder of programs cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process installs the same for too long.
    #[error(transparent)]
    Lock(#[from] LockError),
}

/// A method that failed.
#[derive(Debug)]
pub struct Failure {
    /// Its name; `present` for a program that was there already.
    pub method: String,
    /// Why.
    pub fault: Fault,
}

/// Why a method failed.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A download.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// An archive.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A program that was not started, or not held.
    #[error(transparent)]
    NotRun(Box<argrail_sandbox::Error>),
    /// A program that failed.
    #[error("{program:?} failed{}", ending(*.exit))]
    Ran {
        /// Which.
        program: String,
        /// Its exit code, unless it was ended.
        exit: Option<i32>,
        /// Its last words, which are a stranger's.
        said: String,
        /// Hosts that it was not let reach.
        refused: Vec<String>,
    },
    /// A program that took too long.
    #[error("{program:?} took longer than {seconds} s")]
    Late {
        /// Which.
        program: String,
        /// How long it had.
        seconds: u64,
    },
    /// The method ended well, and the program is not there.
    #[error("the method ended well, but there is no program {name:?}")]
    NoProgram {
        /// What was looked for.
        name: String,
    },
    /// The program is there, and its version cannot be told or will not do.
    #[error(transparent)]
    Version(#[from] VersionError),
    /// The program is there, and is not what was installed.
    #[error(transparent)]
    Drift(#[from] ProgramDrift),
    /// The disk.
    #[error(transparent)]
    File(#[from] FileError),
    /// Somebody ended it.
    #[error("it was cancelled")]
    Cancelled,
}

impl From<argrail_sandbox::Error> for Fault {
    fn from(error: argrail_sandbox::Error) -> Self {
        Self::NotRun(Box::new(error))
    }
}

fn ending(exit: Option<i32>) -> String {
    exit.map_or_else(String::new, |code| format!(" with exit code {code}"))
}

fn summary(failures: &[Failure], skipped: &[(String, Skip)]) -> String {
    match (failures, skipped) {
        ([], []) => "it lists no method".to_owned(),
        ([], _) => "no method can be used here".to_owned(),
        ([one], _) => format!("{}: {}", one.method, one.fault),
        (several, _) => format!("{} methods failed", several.len()),
    }
}

impl InstallError {
    /// Returns the code that agents branch on.
    pub fn code(&self) -> Code {
        match self {
            Self::Version { .. } => Code::VersionMismatch,
            Self::Failed { failures, .. } if is_the_machine(failures) => Code::SandboxUnavailable,
            Self::Failed { .. }
            | Self::Tampered { .. }
            | Self::Cancelled { .. }
            | Self::File(_)
            | Self::Lock(_) => Code::InstallFailed,
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> Text {
        match self {
            Self::Failed {
                failures, skipped, ..
            } => {
                let skips = skipped.iter().find_map(|(_, skip)| skip.hint());
                match (failures.last().map(|failure| hint(&failure.fault)), skips) {
                    (Some(hint), _) | (None, Some(hint)) => hint,
                    (None, None) => Text::new("Install the program yourself, then run: argrail status"),
                }
            }
            Self::Tampered { .. } => Text::new(
                "Do not use the file; ask whoever publishes the program which of the two hashes is right",
            ),
            Self::Version { .. } => Text::new(
                "Install another version of the program, or correct version_check.range in the manifest",
            ),
            Self::Cancelled { id } => Text::new("Run again: argrail install {}").value(bare(id)),
            Self::File(error) => error.hint(),
            Self::Lock(error) => error.hint(),
        }
    }

    /// Returns every method with its reason.
    fn methods(&self) -> Option<Value> {
        let Self::Failed {
            failures, skipped, ..
        } = self
        else {
            return None;
        };
        let failed = failures.iter().map(|failure| {
            let mut told = json!({"method": failure.method, "failed": failure.fault.to_string()});
            if let (Fault::Ran { said, refused, .. }, Some(told)) = (&failure.fault, told.as_object_mut()) {
                let start = said.chars().count().saturating_sub(SAID);
                let last: String = said.chars().skip(start).collect();
                told.insert("said".to_owned(), last.into());
                if !refused.is_empty() {
                    told.insert("refusedHosts".to_owned(), refused.clone().into());
                }
            }
            told
        });
        let skipped = skipped
            .iter()
            .map(|(method, skip)| json!({"method": method, "skipped": skip.to_string()}));
        Some(failed.chain(skipped).collect())
    }
}

/// Says of the first methods why they cannot be used; the details have all.
fn unusable(skipped: &[(String, Skip)]) -> Text {
    let why = |(method, skip): &(String, Skip)| format!("{method}: {skip}");
    let mut whys: Vec<String> = Vec::new();
    for one in skipped.iter().map(why) {
        if !whys.contains(&one) {
            whys.push(one);
        }
    }
    let all = match whys.as_slice() {
        [_] => Text::new("nothing was installed: no method can be used here: {}"),
        [_, _] => Text::new("nothing was installed: no method can be used here: {}; {}"),
        [_, _, _] => Text::new("nothing was installed: no method can be used here: {}; {}; {}"),
        _ => Text::new("nothing was installed: no method can be used here: {}; {}; {}, and others"),
    };
    whys.iter().take(3).fold(all, |text, why| text.value(why))
}

/// Returns the id without its major version, as it is typed.
fn bare(id: &str) -> &str {
    id.split('@').next().unwrap_or(id)
}

fn is_the_machine(failures: &[Failure]) -> bool {
    let lacks = |failure: &Failure| match &failure.fault {
        Fault::NotRun(error) => match &**error {
            argrail_sandbox::Error::Refused(refusal) => refusal.missing.is_some(),
            argrail_sandbox::Error::Program { .. } | argrail_sandbox::Error::Host { .. } => false,
        },
        Fault::Version(error) => error.code() == Code::SandboxUnavailable,
        Fault::Fetch(_)
        | Fault::Archive(_)
        | Fault::Ran { .. }
        | Fault::Late { .. }
        | Fault::NoProgram { .. }
        | Fault::Drift(_)
        | Fault::File(_)
        | Fault::Cancelled => false,
    };
    !failures.is_empty() && failures.iter().all(lacks)
}

fn hint(fault: &Fault) -> Text {
    match fault {
        Fault::Fetch(_) => Text::new("Check the address in the manifest and the network, then run it again"),
        Fault::Archive(ArchiveError::NoProgram { .. }) => {
            Text::new("Correct extract_bin in the manifest: it is the path of the program inside of the archive")
        }
        Fault::Archive(ArchiveError::Disk(_)) => Text::new("Make room on the disk, then run it again"),
        Fault::Archive(_) => Text::new("Do not use the archive; tell whoever publishes it"),
        Fault::NotRun(error) => Text::new("{}").value(error.hint().worded(HOST_WORDS)),
        Fault::Ran { refused, .. } if !refused.is_empty() => Text::new(
            "It was not let reach {}; if that is a registry inside of your own network, say --private-registry",
        )
        .value(refused.join(", ")),
        Fault::Ran { .. } | Fault::Late { .. } => {
            Text::new("Read what it said in the details, correct that, and run it again")
        }
        Fault::NoProgram { .. } => Text::new("Correct bin, extract_bin or the package in the manifest"),
        Fault::Version(error) => error.hint(),
        Fault::Drift(_) => Text::new("See who changed it; a method of the manifest puts another in its place"),
        Fault::File(error) => error.hint(),
        Fault::Cancelled => Text::new("Run it again"),
    }
}

impl From<&InstallError> for Error {
    fn from(error: &InstallError) -> Self {
        let message = match error {
            InstallError::Version { id, source } => {
                let told = Self::from(source);
                return match source {
                    VersionError::Mismatch { .. } => told.hint(error.hint()).detail("bundle", bare(id)),
                    VersionError::Words { .. }
                    | VersionError::NotRun { .. }
                    | VersionError::Late { .. }
                    | VersionError::Unreadable { .. } => told,
                };
            }
            // Each value is cut for itself, so that both hashes stay whole.
            InstallError::Tampered {
                source: FetchError::Hash { url, expected, got },
                ..
            } => Text::new(
                "nothing was installed: the file from {} is not the one that was promised: expected {}, got {}",
            )
            .value(url)
            .value(expected)
            .value(got),
            InstallError::Failed { failures, skipped, .. } if failures.is_empty() && !skipped.is_empty() => {
                unusable(skipped)
            }
            InstallError::Failed { .. }
            | InstallError::Tampered { .. }
            | InstallError::Cancelled { .. }
            | InstallError::File(_)
            | InstallError::Lock(_) => Text::new("nothing was installed: {}").value(error.to_string()),
        };
        let mut told = Self::new(error.code(), message).hint(error.hint());
        if let InstallError::Tampered {
            source: FetchError::Hash { expected, got, .. },
            ..
        } = error
        {
            told = told
                .detail("expected", expected.clone())
                .detail("got", got.clone());
        }
        match error.methods() {
            Some(methods) => told.detail("methods", methods),
            None => told,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(error: &InstallError) -> (String, String) {
        let error = Error::from(error);
        (error.to_string(), error.hint_text().unwrap_or_default())
    }

    #[test]
    fn both_hashes_are_told_whole() {
        let (expected, got) = ("6".repeat(64), "f".repeat(64));
        let error = InstallError::Tampered {
            id: "zed@1".to_owned(),
            source: FetchError::Hash {
                url: format!("https://a.example/{}", "x".repeat(500)),
                expected: expected.clone(),
                got: got.clone(),
            },
        };
        let (message, _) = told(&error);
        assert!(message.contains(&expected) && message.contains(&got), "{message}");
    }

    #[test]
    fn why_no_method_can_be_used_is_told() {
        let failed = |skipped: Vec<(String, Skip)>| InstallError::Failed {
            id: "zed@1".to_owned(),
            failures: Vec::new(),
            skipped,
        };
        let (message, _) = told(&failed(vec![("brew".to_owned(), Skip::Unknown)]));
        assert!(
            message.contains("brew: nobody here knows the method"),
            "{message}"
        );
        let many = ["a", "b", "c", "d", "d"].map(|method| (method.to_owned(), Skip::Unknown));
        let (message, _) = told(&failed(many.to_vec()));
        assert!(
            message.contains("c: nobody") && message.ends_with("and others"),
            "{message}"
        );
    }

    #[test]
    fn hints_fit_what_went_wrong() {
        let missing = Fault::Archive(ArchiveError::NoProgram {
            name: "bin/zed".to_owned(),
        });
        assert!(hint(&missing).to_string().contains("extract_bin"));
        let other = InstallError::Version {
            id: "zed@1".to_owned(),
            source: VersionError::Mismatch {
                program: "/srv/zed".to_owned(),
                version: "2.1.0".to_owned(),
                range: ">=1 <2".to_owned(),
            },
        };
        let (_, hint) = told(&other);
        assert!(hint.contains("Install another version"), "{hint}");
    }
}
