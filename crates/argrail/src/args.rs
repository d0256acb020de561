//! The command line of people: verbs and their flags. Agents never see these; they get the tool `cli`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// One program through which any AI agent can use any command-line tool.
#[derive(Debug, Parser)]
#[command(
    name = "argrail",
    version,
    about,
    max_term_width = 100,
    disable_help_subcommand = true
)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
    /// Print one JSON envelope on stdout, also for errors.
    #[arg(long, global = true)]
    pub json: bool,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Serve the tool `cli` to agents over MCP: stdio, or HTTP with --http.
    Serve(ServeArgs),
    /// Answer one command exactly as the MCP tool would, and print the envelope.
    Call(CallArgs),
    /// Answer commands line by line, with history and completion.
    Repl,
}

/// `argrail serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Serve streamable HTTP on a loopback address (127.0.0.1:0 picks a port) or on unix:PATH.
    #[arg(long, value_name = "ADDR")]
    pub http: Option<String>,
    /// Read the bearer token from this file, or make one there.
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<PathBuf>,
    /// Accept requests of web pages from this origin. May be repeated; none is accepted otherwise.
    #[arg(long = "allow-origin", value_name = "ORIGIN", requires = "http")]
    pub allow_origins: Vec<String>,
}

/// `argrail call`.
#[derive(Debug, Args)]
pub struct CallArgs {
    /// The command, as one string: argrail call 'help x-argrail'.
    #[arg(value_name = "COMMAND STRING", allow_hyphen_values = true)]
    pub command: String,
}
