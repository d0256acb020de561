//! Which of the four it is.

use crate::args::audit::{AuditArgs, AuditVerb};
use crate::out::Report;

use super::{checkpoint, export, show, verify};

/// Does what was asked for.
pub(crate) fn run(args: &AuditArgs, report: Report) -> u8 {
    match &args.verb {
        AuditVerb::Show(args) => show::run(args, report),
        AuditVerb::Verify(args) => verify::run(args, report),
        AuditVerb::Export(args) => export::run(args, report),
        AuditVerb::Checkpoint(args) => checkpoint::run(args, report),
    }
}
