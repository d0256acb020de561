//! `argrail audit verify`: is the record whole, and if not, what was done to it.

use argrail_acli::{Answer, Envelope, Error};
use argrail_engine::audit::verify::{Bad, Known, Verified, verify};
use argrail_engine::audit::{Checkpoint, head};
use argrail_engine::store::{Head, SqliteStore};
use serde_json::{Map, Value, json};

use super::places::places;
use crate::audit_args::AuditVerifyArgs;
use crate::foreign::one_line;
use crate::out::{self, Layout, Report};

/// What came of it, and what the end was held against.
struct Outcome {
    verified: Verified,
    store: Option<Head>,
    checkpoint: Option<Checkpoint>,
}

/// Checks the record, and says what is wrong first.
pub(super) fn run(args: &AuditVerifyArgs, report: Report) -> u8 {
    let outcome = match checked(args) {
        Ok(outcome) => outcome,
        Err(error) => return out::refuse(error, report),
    };
    let printed = match report {
        Report::Envelope => {
            let answer = Answer::new(data(&outcome));
            out::envelope(&Envelope::new("audit verify", Ok(answer), None), Layout::Compact)
        }
        Report::Text => out::data(&text(&outcome)),
    };
    printed.max(u8::from(outcome.verified.first_bad.is_some()))
}

fn checked(args: &AuditVerifyArgs) -> Result<Outcome, Error> {
    let places = places()?;
    let checkpoint = args.against.as_deref().map(Checkpoint::read).transpose();
    let checkpoint = checkpoint.map_err(|error| Error::from(&error))?;
    let store = SqliteStore::new(&places);
    // A store that is not there knows nothing, and is not made by looking.
    let known = match store.path().exists() {
        true => head(&store).map_err(|error| Error::from(&error))?,
        false => None,
    };
    let seen = checkpoint.as_ref().map(Checkpoint::head);
    let against = Known {
        head: known.as_ref(),
        checkpoint: seen.as_ref(),
    };
    let verified = verify(&places.audit(), against).map_err(|error| Error::from(&error))?;
    Ok(Outcome {
        verified,
        store: known,
        checkpoint,
    })
}

fn data(outcome: &Outcome) -> Value {
    let verified = &outcome.verified;
    let mut data = Map::new();
    data.insert("ok".to_owned(), verified.first_bad.is_none().into());
    data.insert("entries".to_owned(), verified.entries.into());
    if let Some(bad) = &verified.first_bad {
        let bad = json!({"seq": bad.seq, "file": bad.file, "line": bad.line, "problem": bad.problem.as_str(), "detail": bad.detail});
        data.insert("firstBad".to_owned(), bad);
    }
    if let Some(head) = &verified.head {
        data.insert("head".to_owned(), json!({"seq": head.seq, "hash": head.hash}));
    }
    let against = json!({"store": outcome.store.is_some(), "checkpoint": outcome.checkpoint.is_some()});
    data.insert("against".to_owned(), against);
    data.into()
}

fn text(outcome: &Outcome) -> String {
    let verified = &outcome.verified;
    let plural = if verified.entries == 1 { "" } else { "s" };
    let counted = format!("{} record{plural}", verified.entries);
    if let Some(Bad {
        seq,
        file,
        line,
        problem,
        detail,
    }) = &verified.first_bad
    {
        let what = problem.as_str();
        let (file, detail) = (one_line(file), one_line(detail));
        return format!("NOT OK: {what}: record {seq} ({file}, line {line}): {detail}\n{counted} read\n");
    }
    let against = match (&outcome.store, &outcome.checkpoint) {
        (Some(_), Some(_)) => "its end is what the store and the checkpoint know",
        (Some(_), None) => "its end is what the store knows",
        (None, Some(_)) => "it holds the checkpoint; the store knows nothing of its end",
        (None, None) => "nothing is known of its end",
    };
    format!("ok: {counted}, every one follows the one before; {against}\n")
}
