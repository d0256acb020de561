//! The command line of `argrail audit`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;

/// `argrail audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// What to do with the record.
    #[command(subcommand)]
    pub verb: AuditVerb,
}

/// What to do with the record.
#[derive(Debug, Subcommand)]
pub enum AuditVerb {
    /// Show what was called, by whom, and what came of it.
    Show(AuditShowArgs),
    /// Check that nothing was changed, left out or cut off. Exit 1 if something was.
    Verify(AuditVerifyArgs),
    /// Print the record for other programs.
    Export(AuditExportArgs),
    /// Print where the record ends now, to be kept elsewhere and given to verify --against later.
    Checkpoint(AuditCheckpointArgs),
}

/// `argrail audit show`.
#[derive(Debug, Args)]
pub struct AuditShowArgs {
    /// One record in full, by its number.
    #[arg(value_name = "SEQ", conflicts_with_all = ["tool", "caller", "since", "action", "denied", "limit", "follow"])]
    pub seq: Option<u64>,
    /// Only calls of this tool.
    #[arg(long, value_name = "T")]
    pub tool: Option<String>,
    /// Only what this caller did: its id, or the name that the client gives itself.
    #[arg(long, value_name = "C")]
    pub caller: Option<String>,
    /// Only what was recorded in this time or since then: 30m, 2h, 7d, 2026-01-31, 2026-01-31T12:00:00Z.
    #[arg(long, value_name = "D|TIME", value_parser = crate::amount::since)]
    pub since: Option<Timestamp>,
    /// Only this action, or all that begin so: cli.invoked, approval.
    #[arg(long, value_name = "A")]
    pub action: Option<String>,
    /// Only what was refused.
    #[arg(long)]
    pub denied: bool,
    /// The last so many.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
    /// Go on with what is recorded from now on, until interrupted.
    #[arg(long)]
    pub follow: bool,
}

/// `argrail audit verify`.
#[derive(Debug, Args)]
pub struct AuditVerifyArgs {
    /// A checkpoint that was made earlier: it must be on the chain.
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
}

/// `argrail audit export`.
#[derive(Debug, Args)]
pub struct AuditExportArgs {
    /// For whom.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: AuditFormat,
    /// Only what was recorded in this time or since then: 30m, 2h, 7d, 2026-01-31, 2026-01-31T12:00:00Z.
    #[arg(long, value_name = "D|TIME", value_parser = crate::amount::since)]
    pub since: Option<Timestamp>,
}

/// What `argrail audit export` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// One array of all entries, one on a line.
    Json,
    /// A table for spreadsheets.
    Csv,
    /// Events of the Open Cybersecurity Schema Framework, one JSON object on a line.
    Ocsf,
}

/// `argrail audit checkpoint`.
#[derive(Debug, Args)]
pub struct AuditCheckpointArgs {
    /// Write it to this file, too.
    #[arg(long, value_name = "F")]
    pub out: Option<PathBuf>,
}
