//! `argrail audit verify`: is the record whole, and if not, what was done to it.

use argrail_acli::{Answer, Envelope, Error};
use argrail_engine::audit::verify::{Bad, Known, Verified, verify};
use argrail_engine::audit::{Checkpoint, head};
use argrail_engine::store::{Head, SqliteStore};
use serde_json::{Map, Value, json};

use super::places::places;
use crate::args::audit::AuditVerifyArgs;
use crate::foreign::one_line;
use crate::out::{self, Layout, Report};

/// What came of it, and what the end was held against.
struct Outcome {
    verified: Verified,
    store: StoreWord,
    checkpoint: Option<Checkpoint>,
}

/// What the store says of the record's end.
enum StoreWord {
    Known(Head),
    /// There is no store, or it was never told.
    Nothing,
    /// It is there, and cannot be read.
    Unreadable(Error),
}

impl Outcome {
    /// Why it is not known whether records are missing at the end, if it is not.
    fn unchecked(&self) -> Option<String> {
        match &self.store {
            StoreWord::Known(_) => None,
            StoreWord::Nothing if self.verified.entries == 0 => None,
            StoreWord::Nothing => Some("the store knows nothing of it".to_owned()),
            StoreWord::Unreadable(error) => Some(error.to_string()),
        }
    }

    /// Whether all is well, as far as could be seen. A store that was there and cannot be read is not.
    fn is_good(&self) -> bool {
        self.verified.first_bad.is_none() && !matches!(self.store, StoreWord::Unreadable(_))
    }
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
    printed.max(u8::from(!outcome.is_good()))
}

fn checked(args: &AuditVerifyArgs) -> Result<Outcome, Error> {
    let places = places()?;
    let checkpoint = args.against.as_deref().map(Checkpoint::read).transpose();
    let checkpoint = checkpoint.map_err(|error| Error::from(&error))?;
    let store = SqliteStore::new(&places);
    // A store that is not there knows nothing, and is not made by looking.
    let known = match store.path().symlink_metadata() {
        Ok(_) => match head(&store) {
            Ok(Some(head)) => StoreWord::Known(head),
            Ok(None) => StoreWord::Nothing,
            // The chain itself can still be followed.
            Err(error) => StoreWord::Unreadable(Error::from(&error)),
        },
        Err(_) => StoreWord::Nothing,
    };
    let seen = checkpoint.as_ref().map(Checkpoint::head);
    let against = Known {
        head: match &known {
            StoreWord::Known(head) => Some(head),
            StoreWord::Nothing | StoreWord::Unreadable(_) => None,
        },
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
    data.insert("ok".to_owned(), outcome.is_good().into());
    data.insert("entries".to_owned(), verified.entries.into());
    if let Some(bad) = &verified.first_bad {
        let bad = json!({"seq": bad.seq, "file": bad.file, "line": bad.line, "problem": bad.problem.as_str(), "detail": bad.detail});
        data.insert("firstBad".to_owned(), bad);
    }
    if let Some(head) = &verified.head {
        data.insert("head".to_owned(), json!({"seq": head.seq, "hash": head.hash}));
    }
    let told = matches!(outcome.store, StoreWord::Known(_));
    let against = json!({"store": told, "checkpoint": outcome.checkpoint.is_some()});
    data.insert("against".to_owned(), against);
    if let Some(why) = outcome.unchecked() {
        data.insert("unchecked".to_owned(), why.into());
    }
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
        (StoreWord::Known(_), Some(_)) => "its end is what the store and the checkpoint know",
        (StoreWord::Known(_), None) => "its end is what the store knows",
        (StoreWord::Nothing | StoreWord::Unreadable(_), Some(_)) => "it holds the checkpoint",
        (StoreWord::Nothing | StoreWord::Unreadable(_), None) => "nothing is known of its end",
    };
    let unchecked = match outcome.unchecked() {
        Some(why) => format!(
            "NOT CHECKED: whether records are missing at its end: {}\n",
            one_line(&why)
        ),
        None => String::new(),
    };
    let word = if outcome.is_good() { "ok" } else { "NOT OK" };
    format!("{word}: {counted}, every one follows the one before; {against}\n{unchecked}")
}
