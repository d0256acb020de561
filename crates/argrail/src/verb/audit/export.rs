//! `argrail audit export`: the record for other programs, entry by entry.

use std::io::{self, BufWriter, Write};

use argrail_acli::{Answer, Envelope, Error, KnownOnly, mask_json};
use argrail_engine::audit::export::{Machine, csv_header, csv_row, ocsf_event};
use argrail_engine::audit::{Filter, RecordError, oldest};
use argrail_engine::output::CommandMask;
use serde_json::{Value, json};

use super::places::places;
use crate::args::audit::{AuditExportArgs, AuditFormat};
use crate::out::{self, Layout, Report};
use crate::setup::Setup;

/// Why it stopped.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Prints the record.
pub(super) fn run(args: &AuditExportArgs, report: Report) -> u8 {
    let exported = match report {
        Report::Envelope => enveloped(args),
        Report::Text => streamed(args),
    };
    exported.unwrap_or_else(|error| out::refuse(error, report))
}

fn streamed(args: &AuditExportArgs) -> Result<u8, Error> {
    let mut out = BufWriter::new(io::stdout().lock());
    match written(args, &mut out) {
        Ok(()) => Ok(0),
        Err(Stopped::Record(error)) => Err(Error::from(&error)),
        // A reader that went away has read what it wanted.
        Err(Stopped::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        Err(Stopped::Output(error)) => Err(Error::execution(error)),
    }
}

fn written(args: &AuditExportArgs, out: &mut impl Write) -> Result<(), Stopped> {
    let directory = places()
        .map_err(|error| io::Error::other(error.to_string()))?
        .audit();
    let filter = Filter {
        since: args.since,
        ..Filter::default()
    };
    let (machine, mask) = (machine(), Setup::mask());
    let mut first = true;
    out.write_all(match args.format {
        AuditFormat::Json => b"[".as_slice(),
        AuditFormat::Csv | AuditFormat::Ocsf => b"",
    })?;
    if args.format == AuditFormat::Csv {
        out.write_all(csv_header().as_bytes())?;
    }
    oldest(&directory, &filter, |mut entry| -> Result<(), Stopped> {
        conceal(&mut entry, &mask);
        match args.format {
            AuditFormat::Json => write!(out, "{}\n{entry}", if first { "" } else { "," })?,
            AuditFormat::Csv => out.write_all(csv_row(&entry).as_bytes())?,
            AuditFormat::Ocsf => writeln!(out, "{}", ocsf_event(&entry, &machine))?,
        }
        first = false;
        Ok(())
    })?;
    if args.format == AuditFormat::Json {
        out.write_all(b"\n]\n")?;
    }
    Ok(out.flush()?)
}

/// All of it in one envelope.
fn enveloped(args: &AuditExportArgs) -> Result<u8, Error> {
    let filter = Filter {
        since: args.since,
        ..Filter::default()
    };
    let (machine, mask) = (machine(), Setup::mask());
    let mut all: Vec<Value> = Vec::new();
    let mut text = csv_header();
    oldest(
        &places()?.audit(),
        &filter,
        |mut entry| -> Result<(), RecordError> {
            conceal(&mut entry, &mask);
            match args.format {
                AuditFormat::Json => all.push(entry),
                AuditFormat::Csv => text.push_str(&csv_row(&entry)),
                AuditFormat::Ocsf => all.push(ocsf_event(&entry, &machine)),
            }
            Ok(())
        },
    )
    .map_err(|error| Error::from(&error))?;
    let data = match args.format {
        AuditFormat::Json | AuditFormat::Ocsf => json!({"entries": all}),
        AuditFormat::Csv => json!({"csv": text}),
    };
    let envelope = Envelope::new("audit export", Ok(Answer::new(data)), None);
    Ok(out::envelope(&envelope, Layout::Compact))
}

/// Takes out what was no secret to whoever recorded it, and is one to us: an export leaves the machine.
fn conceal(entry: &mut Value, mask: &CommandMask) {
    mask_json(&KnownOnly(mask), entry);
}

fn machine() -> Machine {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    Machine {
        hostname: name.trim().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}
