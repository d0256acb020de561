//! The reference command tree of `corpus/acli/tree.json` as an MCP server, for the conformance vectors.
//!
//! ```text
//! ACLI_CONFORMANCE_DIR=DIR [ACLI_CONFORMANCE_PROFILE=NAME] conformance corpus/acli/tree.json
//! ```
//!
//! `corpus/acli/README.md` says what another implementation's server has to do.

#[path = "../mcp/stdio.rs"]
mod mcp;
mod tree;

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use argrail_acli::{AuditEntry, AuditSink};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: conformance TREE.json")?;
    let dir = PathBuf::from(std::env::var("ACLI_CONFORMANCE_DIR")?);
    let profile = std::env::var("ACLI_CONFORMANCE_PROFILE").unwrap_or_else(|_| "plain".to_owned());
    let tree = tree::Tree::read(&std::fs::read_to_string(file)?)?;
    let audit = Arc::new(AuditFile(dir.join("audit.jsonl")));
    let cli = tree.cli(&profile, audit)?;
    mcp::serve(cli, tree.roots(&profile, &dir)?).await
}

/// Appends each record to a file as one line of JSON, before the answer goes out.
struct AuditFile(PathBuf);

impl AuditSink for AuditFile {
    fn record(&self, entry: &AuditEntry) -> std::io::Result<()> {
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.0)?;
        writeln!(file, "{}", serde_json::json!(entry))
    }
}
