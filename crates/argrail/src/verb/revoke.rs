//! `argrail revoke`: takes back grants, and answers that nobody has used yet. What runs already goes on.

use argrail_acli::{Answer, Envelope, Error};
use jiff::Timestamp;
use serde_json::json;

use crate::args::deciding::RevokeArgs;
use crate::deciding::{Authority, Office, revoke};
use crate::foreign::exact;
use crate::out::{self, Layout, Report};

/// Takes back, and returns the exit number.
pub(crate) fn run(args: &RevokeArgs, report: Report) -> u8 {
    let mut revoked = Vec::new();
    let done = attempt(args, &mut revoked);
    if report == Report::Text {
        let lines: String = revoked
            .iter()
            .map(|id| format!("{}: taken back\n", exact(id)))
            .collect();
        let written = out::data(&lines);
        if written != 0 {
            return written;
        }
    }
    match (done, report) {
        (Err(error), _) => out::refuse(error.detail("revoked", revoked), report),
        (Ok(()), Report::Envelope) => {
            let answer = Answer::new(json!({"revoked": revoked}));
            out::envelope(&Envelope::new("revoke", Ok(answer), None), Layout::Compact)
        }
        (Ok(()), Report::Text) => 0,
    }
}

fn attempt(args: &RevokeArgs, revoked: &mut Vec<String>) -> Result<(), Error> {
    let office = Office::open()?;
    let authority = Authority::obtain(args.token_file.as_deref(), &*office.store)?;
    for id in &args.ids {
        let now = Timestamp::now();
        revoked.push(revoke(&office, id, &authority.approver(now), now)?);
    }
    Ok(())
}
