//! A host in Rust that adds an output parser to a bundle: the manifest keeps its word, the hook adds what it cannot say.

use std::error::Error;
use std::io::{self, Write as _};

use argrail_engine::define_cli;
use argrail_engine::ready::entry::{
    CliDefinition, Expected, OutputFormat, ParseOutputArgs, ParseOutputError, ParseOutputResult,
};
use argrail_spec::cli_md;
use serde_json::json;

const MANIFEST: &str = "\
---
name: Disk usage
id: du
description: Tells how much room files take.
version: 1.0.0
bin: du
install:
  - { method: apt, package: coreutils }
version_check: { cmd: du --version, parse: '(\\d+\\.\\d+)', range: '>=8' }
sandbox:
  network: { egress: [] }
  fs: { read: ['**'], write: [] }
  exec: { allow: false }
  env: { pass: [] }
commands: {}
---
";

fn main() -> Result<(), Box<dyn Error>> {
    let manifest = cli_md::load(MANIFEST.as_bytes()).map_err(|_| "the manifest cannot be read")?;
    let handle = define_cli(CliDefinition {
        id: "du".to_owned(),
        name: "du".to_owned(),
        description: "Tells how much room files take.".to_owned(),
        bin: "du".to_owned(),
        parse_output: Some(Box::new(lines)),
        ..CliDefinition::default()
    })
    .over(&manifest.manifest);
    let mut out = io::stdout();
    for conflict in handle.conflicts() {
        writeln!(out, "warning: {conflict}")?;
    }
    let result = handle.parse_output(&ParseOutputArgs {
        exit_code: 0,
        stdout: "4096\tsrc\n512\tdocs\n".to_owned(),
        stderr: String::new(),
        expected: Expected {
            format: OutputFormat::Text,
        },
    });
    writeln!(out, "{}", serde_json::to_string_pretty(&result)?)?;
    Ok(())
}

/// Makes numbers and names of the lines.
fn lines(args: &ParseOutputArgs) -> ParseOutputResult {
    let rows = args.stdout.lines().map(|line| {
        let (size, path) = line.split_once('\t')?;
        Some(json!({"kib": size.parse::<u64>().ok()?, "path": path}))
    });
    match rows.collect::<Option<Vec<_>>>() {
        Some(rows) => ParseOutputResult {
            ok: true,
            value: Some(rows.into()),
            error: None,
        },
        None => ParseOutputResult {
            ok: false,
            value: None,
            error: Some(ParseOutputError {
                code: "output_parse_failed".to_owned(),
                message: "a line has no tab".to_owned(),
                retryable: None,
            }),
        },
    }
}
