//! What the output of a bundle's program means by the bundle's own entry, where it has one (AIP-29, `parseOutput`).
//!
//! The entry is asked in a sandbox of its own, without network or files. What it says is a stranger's word.

use std::time::Duration;

use argrail_acli::{Answer, Code, Error, Text};
use argrail_sandbox::Cancel;
use argrail_spec::cli_md::Format;
use serde_json::json;

use super::bundle::Contract;
use super::shop::Shop;
use super::tool::Tool;
use crate::output::{Collected, End};
use crate::ready::entry::{
    Entry, Expected, OutputFormat, ParseOutputArgs, ParseOutputResult, Setting, parse_output,
};
use crate::run::apart;

/// How long an entry may think.
const TIME: Duration = Duration::from_secs(10);

impl Shop {
    /// Asks the entry of a bundle what came out; nothing if it has none, or none for this.
    ///
    /// # Errors
    /// When there is one and it cannot be asked.
    pub(super) async fn understood(
        &self,
        tool: &Tool,
        contract: &Contract,
        end: End,
        collected: &Collected,
    ) -> Result<Option<Result<Answer, Error>>, Error> {
        let cli = &contract.held().bundle.cli;
        let (Some(name), Some(exit_code)) = (&cli.entry, end.ended.code()) else {
            return Ok(None);
        };
        let cancel = Cancel::new().map_err(Error::execution)?;
        let setting = Setting {
            home: self.surroundings.home.clone(),
            search: tool.search.to_vec(),
            launcher: self.surroundings.launcher.clone(),
            timeout: TIME,
            cancel: Some(cancel.clone()),
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let format = contract
            .tool()
            .map_or(Format::Text, |tool| tool.output(cli).format);
        let args = ParseOutputArgs {
            exit_code,
            stdout: text(&collected.stdout.head),
            stderr: text(&collected.stderr.head),
            expected: Expected {
                format: match format {
                    Format::Text => OutputFormat::Text,
                    Format::Json => OutputFormat::Json,
                    Format::Yaml => OutputFormat::Yaml,
                    Format::Binary => OutputFormat::Binary,
                },
            },
        };
        let (root, name) = (contract.held().head.root.clone(), name.as_str().to_owned());
        let asked = apart(cancel, move || {
            let entry = Entry::find(&root, &name, setting)?;
            parse_output(&entry, &args)
        });
        let asked = asked.await.map_err(|error| Error::execution(&error))?;
        let understood = asked.map_err(|error| error.to_error())?;
        Ok(understood.map(|result| meant(result, exit_code)))
    }
}

/// An answer, or a failure in the entry's words, which are data.
fn meant(result: ParseOutputResult, exit_code: i32) -> Result<Answer, Error> {
    match (result.ok, result.error) {
        (true, _) => Ok(Answer::new(result.value.unwrap_or_default()).untrusted()),
        (false, error) => {
            let what =
                Text::new("Execution failed: the bundle takes exit code {} and its output for a failure")
                    .number(exit_code);
            Err(Error::new(Code::ExecutionError, what)
                .hint("Check input and retry: what the bundle says about it is in 'output'")
                .detail("output", json!({"error": error, "untrusted": true})))
        }
    }
}
