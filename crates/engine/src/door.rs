//! The one door that agents use: argrail's command line, as the configuration allows it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use argrail_acli::{AuditSink, Bucket, Cli, DefinitionError, Host};

use crate::config::Config;
use crate::extension::{self, Stock};

/// Builds the command line that MCP, `call` and `repl` share.
///
/// # Errors
/// Only when a command of ours is defined wrongly.
pub fn door(stock: Stock, host: Arc<dyn Host>, audit: Arc<dyn AuditSink>) -> Result<Cli, DefinitionError> {
    let config = stock.config.clone();
    let description = "One command line for every tool an agent may use";
    let mut cli = Cli::builder("argrail", env!("CARGO_PKG_VERSION"), description, host)
        .command(extension::argrail())
        .commands(extension::commands(stock))
        .example("help x-argrail")
        .example("x-argrail about")
        .deny(&config.deny)
        .limits(config.limits)
        .audit(audit);
    if let Some(allow) = &config.allow {
        cli = cli.allow(allow);
    }
    if let Some(rate) = config.rate_limit {
        cli = cli.rate_limit(Arc::new(Bucket::new(rate.requests, rate.per)));
    }
    if let Some(timeout) = config.call_timeout {
        cli = cli.timeout(timeout);
    }
    cli.build()
}

/// Returns the directories that path arguments may lead into: the working directory and the configured ones,
/// symlinks followed. One that is not there is left out, since it would mean something else later.
pub fn roots(directory: &Path, config: &Config) -> Vec<PathBuf> {
    let wanted = std::iter::once(directory).chain(config.roots.iter().map(PathBuf::as_path));
    wanted.filter_map(|root| root.canonicalize().ok()).collect()
}
