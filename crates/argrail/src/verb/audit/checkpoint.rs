//! `argrail audit checkpoint`: where the record ends now, for a copy elsewhere.

use argrail_acli::{Answer, Envelope, Error};
use argrail_engine::audit::Checkpoint;
use argrail_engine::files::atomic::{Access, Durability, replace};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::places::places;
use crate::args::audit::AuditCheckpointArgs;
use crate::out::{self, Layout, Report};

/// Prints the checkpoint.
pub(super) fn run(args: &AuditCheckpointArgs, report: Report) -> u8 {
    let data = match made(args) {
        Ok(data) => data,
        Err(error) => return out::refuse(error, report),
    };
    match report {
        Report::Envelope => {
            let envelope = Envelope::new("audit checkpoint", Ok(Answer::new(data)), None);
            out::envelope(&envelope, Layout::Compact)
        }
        Report::Text => out::json(&data, Layout::of_stdout()),
    }
}

fn made(args: &AuditCheckpointArgs) -> Result<Value, Error> {
    let checkpoint =
        Checkpoint::now(&places()?.audit(), Timestamp::now()).map_err(|error| Error::from(&error))?;
    let data = json!({
        "seq": checkpoint.seq, "hash": checkpoint.hash, "count": checkpoint.count, "at": checkpoint.at,
    });
    if let Some(path) = &args.out {
        let path = std::path::absolute(path).map_err(Error::execution)?;
        let text = format!("{data}\n");
        replace(&path, text.as_bytes(), Access::Shared, Durability::Synced)
            .map_err(|error| Error::execution(&error).hint(error.hint()))?;
    }
    Ok(data)
}
