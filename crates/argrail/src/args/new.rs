//! The command line of `argrail new`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `argrail new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// What is written.
    #[command(subcommand)]
    pub what: New,
}

/// What can be written.
#[derive(Debug, Subcommand)]
pub enum New {
    /// Write a bundle for a program from what is known about it. Nothing is overwritten.
    Cli(NewCliArgs),
}

/// `argrail new cli`.
#[derive(Debug, Args)]
pub struct NewCliArgs {
    /// The program, as its executable is called.
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Write the bundle's folder into this one: .cli, unless said.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}
