//! `argrail deny`: a person says no, and perhaps why.

use argrail_acli::{Answer, Envelope, Error, Text};
use jiff::Timestamp;
use serde_json::json;

use crate::args::deciding::DenyArgs;
use crate::deciding::{Authority, Choice, Decided, Decision, Office, decide, discard, find_any};
use crate::foreign::exact;
use crate::out::{self, Layout, Report};

/// The longest reason.
const LONGEST: usize = 1000;

/// Keeps the answer, and returns the exit number.
pub(crate) fn run(args: &DenyArgs, report: Report) -> u8 {
    let decided = match attempt(args) {
        Ok(decided) => decided,
        Err(error) => return out::refuse(error, report),
    };
    match report {
        Report::Envelope => {
            let answer = Answer::new(json!({"id": decided.id, "denied": true, "reason": args.reason}));
            out::envelope(&Envelope::new("deny", Ok(answer), None), Layout::Compact)
        }
        Report::Text => out::data(&format!("{}: denied\n", exact(&decided.id))),
    }
}

fn attempt(args: &DenyArgs) -> Result<Decided, Error> {
    let reason = args.reason.as_deref().map(str::trim);
    if reason.is_some_and(|reason| reason.chars().count() > LONGEST) {
        return Err(Error::invalid(
            Text::new("--reason is longer than {} characters").number(LONGEST),
            "Say it shorter",
        ));
    }
    let office = Office::open()?;
    let authority = Authority::obtain(args.token_file.as_deref(), &*office.store)?;
    let now = Timestamp::now();
    if let Some(discarded) = discard(&office, &args.id, &authority.approver(now), now)? {
        return Ok(discarded);
    }
    let asked = find_any(&*office.store, &args.id, now)?;
    let reason = reason.filter(|reason| !reason.is_empty()).map(str::to_owned);
    let decision = Decision {
        asked,
        choice: Choice::Deny(reason),
    };
    decide(&office, &decision, &authority.approver(now), now)
}
