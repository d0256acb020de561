//! The command line of `argrail infer`.

use std::ffi::OsString;
use std::time::Duration;

use clap::{Args, ValueEnum};

/// `argrail infer`.
#[derive(Debug, Args)]
pub struct InferArgs {
    /// The tool, as its executable is called.
    #[arg(
        value_name = "TOOL",
        required_unless_present = "from_file",
        conflicts_with = "from_file"
    )]
    pub tool: Option<String>,
    /// Ask so many levels of commands below the tool for their own help: 2, unless said.
    #[arg(long, value_name = "N", conflicts_with = "from_file", value_parser = clap::value_parser!(u8).range(0..=8))]
    pub depth: Option<u8>,
    /// Keep it as a shim to review and complete. A shim that a person wrote is not replaced.
    #[arg(long, conflicts_with = "from_file")]
    pub save: bool,
    /// Ask the tool again, though it is the same as before.
    #[arg(long, conflicts_with = "from_file")]
    pub refresh: bool,
    /// Give each process this long: 500ms, 10s. At most 60s.
    #[arg(long, value_name = "D", conflicts_with = "from_file", value_parser = crate::amount::duration)]
    pub timeout: Option<Duration>,
    /// Read this text and start nothing; - is stdin.
    #[arg(long, value_name = "F", requires = "name")]
    pub from_file: Option<OsString>,
    /// The name of the tool that the text is about.
    #[arg(long, value_name = "N", requires = "from_file")]
    pub name: Option<String>,
    /// The command of the tool that the text is about: "remote add". Empty for the tool itself.
    #[arg(long, value_name = "A B", requires = "from_file", allow_hyphen_values = true)]
    pub sub: Option<String>,
    /// What kind of text it is.
    #[arg(long, value_enum, value_name = "KIND", requires = "from_file", default_value_t = TextKind::Help)]
    pub kind: TextKind,
}

/// What kind of text `argrail infer --from-file` reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextKind {
    /// What the tool prints about itself.
    Help,
    /// A page of the manual: its source, or as man shows it.
    Man,
}
