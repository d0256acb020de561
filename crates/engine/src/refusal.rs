//! Refusals of the sandbox as errors that agents and people read.

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::{Error as SandboxError, HostWords, Refusal};

/// How argrail speaks of itself where the sandbox says what to do.
pub const HOST_WORDS: HostWords<'static> = HostWords {
    program: "argrail",
    probe: "'argrail doctor'",
};

/// A policy, or a part of it, that is not run under.
pub fn refused(refusal: &Refusal) -> Error {
    let what = Text::new("the sandbox cannot hold {}: {}: {}")
        .value(&refusal.field)
        .value(pattern(refusal))
        .value(&refusal.reason);
    let error = Error::new(Code::SandboxUnavailable, what).hint(Text::new("{}").value(fix(refusal)));
    with_details(error, refusal)
}

/// A child that was not started.
pub fn not_started(error: &SandboxError) -> Error {
    match error {
        SandboxError::Refused(refusal) if refusal.field == "argv[0]" => {
            let what = Text::new("{}: {}").value(&refusal.pattern).value(&refusal.reason);
            Error::invalid(what, Text::new("{}").value(fix(refusal)))
        }
        SandboxError::Refused(refusal) if refusal.field == "files" => {
            let what = Text::new("Permission denied for {}: {}");
            let what = what.value(&refusal.pattern).value(&refusal.reason);
            Error::new(Code::PermissionDenied, what)
                .hint("Check your access level: call it again, and a person is asked about it as it is now")
                .detail("reason", "approval_required")
        }
        SandboxError::Refused(refusal) => refused(refusal),
        SandboxError::Program { .. } | SandboxError::Host { .. } => {
            Error::execution(error).hint(Text::new("{}").value(error.hint().worded(HOST_WORDS)))
        }
    }
}

/// Returns what to do about a refusal, in argrail's words.
pub(crate) fn fix(refusal: &Refusal) -> String {
    refusal.fix.worded(HOST_WORDS)
}

/// Whoever reads this has processes of their own: it is argrail that ran out of files.
fn pattern(refusal: &Refusal) -> &str {
    match refusal.pattern.as_str() {
        Refusal::OWN_OPEN_FILES => "open files of argrail",
        pattern => pattern,
    }
}

fn with_details(error: Error, refusal: &Refusal) -> Error {
    let error = error
        .detail("field", refusal.field.as_str())
        .detail("pattern", pattern(refusal))
        .detail("reason", refusal.reason.as_str())
        .detail("fix", fix(refusal));
    match refusal.missing {
        Some(feature) => error.detail("missing", feature),
        None => error,
    }
}
