//! What the output of a bundle's program means by the bundle's own entry, where it has one (AIP-29, `parseOutput`).
//!
//! The entry is asked in a sandbox of its own, without network or files. What it says is a stranger's word.

use std::sync::Arc;
use std::time::Duration;

use argrail_acli::{Answer, Code, Error, Text};
use argrail_sandbox::Cancel;
use argrail_spec::bundle::BundleEntry;
use argrail_spec::cli_md::Format;
use serde_json::{Value, json};

use super::bundle::Contract;
use super::shop::Shop;
use super::tool::Tool;
use crate::output::{Collected, End};
use crate::ready::entry::{
    Entry, EntryError, Expected, OutputFormat, ParseOutputArgs, ParseOutputResult, Setting, describe,
    parse_output,
};
use crate::run::apart;

/// How long an entry may think.
const TIME: Duration = Duration::from_secs(10);

/// What an entry says.
#[derive(Default)]
pub(super) struct Understood {
    /// What came out, unless it has nothing to say to that.
    pub(super) outcome: Option<Result<Answer, Error>>,
    /// Where it disagrees with the manifest, which is believed (AIP-29, Conformance rules 2). Words of ours.
    conflicts: Vec<String>,
}

impl Understood {
    /// Adds what whoever calls should know about the entry.
    pub(super) fn warn(conflicts: Vec<String>, outcome: Result<Answer, Error>) -> Result<Answer, Error> {
        if conflicts.is_empty() {
            return outcome;
        }
        match outcome {
            Ok(answer) => Ok(answer.meta("warnings", conflicts)),
            Err(error) => Err(error.detail("warnings", conflicts)),
        }
    }

    /// Takes the conflicts out.
    pub(super) fn conflicts(&mut self) -> Vec<String> {
        std::mem::take(&mut self.conflicts)
    }
}

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
    ) -> Result<Understood, Error> {
        let held = contract.shared();
        let cli = &held.bundle.cli;
        let (Some(named), Some(exit_code)) = (&held.bundle.entry, end.ended.code()) else {
            return Ok(Understood::default());
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
        let asking = Arc::clone(&held);
        let (root, name) = (held.head.root.clone(), named.path().to_owned());
        let asked = apart(cancel, move || {
            let entry = Entry::find(&root, &name, setting)?;
            let meaning = parse_output(&entry, &args)?;
            if asking.conflicts.get().is_none() {
                // An entry that cannot say what it is disagrees with nobody.
                let said = describe(&entry).ok().flatten();
                let found = said
                    .map(|said| said.conflicts(&asking.bundle.cli))
                    .unwrap_or_default();
                let _ = asking
                    .conflicts
                    .set(found.iter().map(ToString::to_string).collect());
            }
            Ok(meaning)
        });
        let asked: Result<_, EntryError> = asked.await.map_err(|error| Error::execution(&error))?;
        let mut conflicts = Vec::new();
        let meaning = match (asked, named) {
            (Ok(meaning), _) => meaning,
            // Nothing names it, and a bundle works by its front matter alone.
            (
                Err(error @ (EntryError::NoRuntime { .. } | EntryError::NoTypes { .. })),
                BundleEntry::Beside(_),
            ) => {
                conflicts.push(format!("{error}; the output was read without it"));
                None
            }
            (Err(error), _) => return Err(error.to_error()),
        };
        Ok(Understood {
            outcome: meaning.map(|result| meant(result, exit_code)),
            conflicts: {
                conflicts.extend(held.conflicts.get().into_iter().flatten().cloned());
                conflicts
            },
        })
    }
}

/// Where an error tells what a program printed.
const OUTPUT: &str = "output";

/// The program did run: who is told that its output cannot be used is told what it was.
pub(super) fn with_output(error: Error, seen: Option<Value>) -> Error {
    match seen {
        Some(seen) if *error.code() == Code::OutputParseFailed && error.get_detail(OUTPUT).is_none() => {
            error.detail(OUTPUT, seen)
        }
        Some(_) | None => error,
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
