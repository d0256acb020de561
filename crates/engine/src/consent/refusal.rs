//! What an agent is told when no person has said yes: that somebody may, that nobody did in time, or that one said no.

use argrail_acli::{Code, Error, Text};

use crate::policy::ApprovalMeans;
use crate::policy::Refused;
use crate::store::{Caps, Request};

/// The most characters of a person's reason that are told.
const REASON: usize = 500;

/// A person has to answer, and may do so now.
pub(super) fn required(refused: &Refused, line: &str, request: &Request) -> Error {
    let hint = Text::new(
        "Check your access level: a person can decide with: argrail approve {}; then call it again",
    );
    refused
        .error(line)
        .hint(hint.value(&request.id.0))
        .detail("approval", request.id.0.as_str())
        .detail("expiresAt", request.expires.to_string())
}

/// Too many questions wait already, so this one was not asked.
pub(super) fn full(refused: &Refused, line: &str, caps: Caps) -> Error {
    let hint = Text::new(
        "Check your access level: {} questions may wait at once, and as many do; a person can answer them with: argrail approvals",
    );
    refused.error(line).hint(hint.number(caps.per_caller))
}

/// What a person was shown changed before it could be done.
pub(crate) fn changed(line: &str) -> Error {
    let what = Text::new("Permission denied for {}: what it is about changed while a person looked at it");
    Error::new(Code::PermissionDenied, what.value(line))
        .hint("Check your access level: ask again, with what is there now")
        .detail("reason", "approval_required")
}

/// Nobody answered, or nobody used the answer, in time. That is nobody's no.
pub(super) fn expired(line: &str, request: &Request) -> Error {
    let what =
        Text::new("Permission denied for {}: nobody answered in time, or the answer was not used in time");
    Error::new(Code::PermissionDenied, what.value(line))
        .hint("Check your access level: call it again to ask anew")
        .detail("reason", "approval_expired")
        .detail("approval", request.id.0.as_str())
}

/// A person said no, or a client that speaks for one.
pub(super) fn denied(
    line: &str,
    request: &Request,
    means: Option<ApprovalMeans>,
    reason: Option<&str>,
) -> Error {
    let what = Text::new(match means {
        Some(ApprovalMeans::Elicitation) => {
            "Permission denied for {}: the client that speaks for a person said no"
        }
        Some(ApprovalMeans::Terminal | ApprovalMeans::Token) | None => {
            "Permission denied for {}: a person said no"
        }
    });
    let error = Error::new(Code::PermissionDenied, what.value(line))
        .hint("Check your access level: do something else, or ask the person; the same call gets the same answer")
        .detail("reason", "denied_by_human")
        .detail("approval", request.id.0.as_str());
    match reason {
        Some(reason) => error.detail("humanReason", harmless(reason)),
        None => error,
    }
}

/// A person's words, bounded and without what a terminal or a reader could mistake.
fn harmless(text: &str) -> String {
    let odd = |c: char| c.is_control() || argrail_acli::is_invisible(c);
    let kept = text.chars().map(|c| if odd(c) { '\u{fffd}' } else { c });
    kept.take(REASON).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_cannot_do_more_than_be_read() {
        assert_eq!(harmless("not on a Friday"), "not on a Friday");
        assert_eq!(
            harmless("a\u{1b}[2Jb\u{202e}c\n"),
            "a\u{fffd}[2Jb\u{fffd}c\u{fffd}"
        );
        assert_eq!(harmless(&"x".repeat(9_999)).len(), REASON);
    }
}
