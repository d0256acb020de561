//! The verb itself: a tool is asked, or a text is read. Metadata on stdout, everything else on stderr.

use argrail_acli::{Answer, Envelope};
use argrail_spec::atip::Metadata;
use serde_json::{Value, json};

use super::{text, tool};
use crate::args::infer::InferArgs;
use crate::out::{self, Layout, Report};

/// Infers, and prints the metadata.
pub(crate) fn run(args: &InferArgs, report: Report) -> u8 {
    let done = match (&args.tool, &args.from_file, &args.name) {
        (Some(name), _, _) => tool::run(name, args, report),
        (None, Some(file), Some(name)) => text::run(file, name, args, report),
        // Clap has refused the others.
        (None, _, _) => Ok(2),
    };
    done.unwrap_or_else(|error| out::refuse(error, report))
}

/// Prints metadata, by itself or in an envelope with what else there is to say.
pub(super) fn print(metadata: &Metadata, more: Value, report: Report) -> u8 {
    match report {
        Report::Text => out::json(&json!(metadata), Layout::of_stdout()),
        Report::Envelope => {
            let mut data = json!({"tool": metadata});
            if let (Value::Object(data), Value::Object(more)) = (&mut data, more) {
                data.extend(more);
            }
            let envelope = Envelope::new("infer", Ok(Answer::new(data)), None);
            out::envelope(&envelope, Layout::Compact)
        }
    }
}
