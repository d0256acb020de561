//! Refusals of the sandbox as errors that agents and people read.

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::{Error as SandboxError, Refusal};

/// A policy, or a part of it, that is not run under.
pub fn refused(refusal: &Refusal) -> Error {
    let what = Text::new("the sandbox cannot hold {}: {}: {}")
        .value(&refusal.field)
        .value(&refusal.pattern)
        .value(&refusal.reason);
    let error = Error::new(Code::SandboxUnavailable, what).hint(Text::new("{}").value(&refusal.fix));
    with_details(error, refusal)
}

/// A child that was not started.
pub fn not_started(error: &SandboxError) -> Error {
    match error {
        SandboxError::Refused(refusal) if refusal.field == "argv[0]" => {
            let what = Text::new("{}: {}").value(&refusal.pattern).value(&refusal.reason);
            Error::invalid(what, Text::new("{}").value(&refusal.fix))
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
            Error::execution(error).hint(Text::new("{}").value(error.hint()))
        }
    }
}

fn with_details(error: Error, refusal: &Refusal) -> Error {
    let error = error
        .detail("field", refusal.field.as_str())
        .detail("pattern", refusal.pattern.as_str())
        .detail("reason", refusal.reason.as_str())
        .detail("fix", refusal.fix.as_str());
    match refusal.missing {
        Some(feature) => error.detail("missing", feature),
        None => error,
    }
}
