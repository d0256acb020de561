//! Checking, and printing what came of it.

use std::path::Path;

use argrail_acli::{Answer, Envelope, Error};
use argrail_spec::doc::report::{self, File};
use argrail_spec::doc::{Diagnostic, Severity};
use argrail_spec::lint::{FileKind, Strictness, lint, rules};
use serde_json::Value;

use super::files::{Found, files, read};
use super::mend::mend;
use crate::args::{LintArgs, LintFormat};
use crate::out::{self, Layout, Report};

/// One file that was checked.
struct Checked {
    name: String,
    kind: Option<FileKind>,
    text: Vec<u8>,
    diagnostics: Vec<Diagnostic>,
    mended: usize,
}

/// Checks files, or prints a schema.
pub(crate) fn run(args: &LintArgs, report: Report) -> u8 {
    let strictness = if args.strict {
        Strictness::Strict
    } else {
        Strictness::Relaxed
    };
    if let Some(kind) = args.schema {
        return print(argrail_spec::schema(kind, strictness), report);
    }
    match check(args, strictness) {
        Ok((checked, others)) => tell(args, report, &checked, others),
        Err(error) => out::refuse(error, report),
    }
}

/// Returns what was found, and how many files are of no kind that is known.
fn check(args: &LintArgs, strictness: Strictness) -> Result<(Vec<Checked>, usize), Error> {
    let mut checked = Vec::new();
    let mut others = 0;
    for (path, found) in files(&args.paths)? {
        let name = path.to_string_lossy().into_owned();
        let mut contents = read(&path)?;
        let before = lint(&name, &contents.bytes, strictness);
        if found == Found::Below && before.kind.is_none() {
            others += 1;
            continue;
        }
        let mended = if args.fix {
            mend(&path, &name, &mut contents, strictness)?
        } else {
            0
        };
        let outcome = if mended > 0 {
            lint(&name, &contents.bytes, strictness)
        } else {
            before
        };
        checked.push(Checked {
            name,
            kind: outcome.kind,
            text: contents.bytes,
            diagnostics: outcome.diagnostics,
            mended,
        });
    }
    Ok((checked, others))
}

fn tell(args: &LintArgs, report: Report, checked: &[Checked], others: usize) -> u8 {
    let files: Vec<File<'_>> = checked.iter().map(Checked::file).collect();
    let printed = match (report, args.format) {
        (Report::Text, LintFormat::Text) => {
            let text: String = files.iter().map(report::text).collect();
            let printed = out::data(&text);
            summary(&files, others);
            printed
        }
        (_, LintFormat::Text | LintFormat::Json) => print(data(args, checked, &files), report),
        (_, LintFormat::Sarif) => print(sarif(&files), report),
    };
    let failed = files.iter().any(|file| !file.is_ok());
    printed.max(u8::from(failed))
}

fn print(value: Value, report: Report) -> u8 {
    match report {
        Report::Envelope => {
            let envelope = Envelope::new("lint", Ok(Answer::new(value)), None);
            out::envelope(&envelope, Layout::Compact)
        }
        Report::Text => out::json(&value, Layout::of_stdout()),
    }
}

fn data(args: &LintArgs, checked: &[Checked], files: &[File<'_>]) -> Value {
    let mut data = report::json(files);
    let entries = data.get_mut("files").and_then(Value::as_array_mut);
    for (entry, checked) in entries.into_iter().flatten().zip(checked) {
        if let Some(entry) = entry.as_object_mut().filter(|_| args.fix) {
            entry.insert("mended".to_owned(), checked.mended.into());
        }
    }
    data
}

/// A log that fits any checkout: names below the working directory are written from there.
fn sarif(files: &[File<'_>]) -> Value {
    let here = std::env::current_dir().unwrap_or_default();
    let relative = |file: &File<'_>| {
        let rest = Path::new(file.name).strip_prefix(&here).ok();
        rest.map(|rest| rest.to_string_lossy().into_owned())
    };
    let names: Vec<Option<String>> = files.iter().map(relative).collect();
    let renamed = files.iter().zip(&names).map(|(file, name)| File {
        name: name.as_deref().unwrap_or(file.name),
        ..*file
    });
    let files: Vec<File<'_>> = renamed.collect();
    report::sarif(&files, &rules(), env!("CARGO_PKG_VERSION"))
}

fn summary(files: &[File<'_>], others: usize) {
    let all = || files.iter().flat_map(|file| file.diagnostics);
    let count = |severity| all().filter(|one| one.severity == severity).count();
    let counted = |number: usize, what: &str| {
        let plural = if number == 1 { "" } else { "s" };
        format!("{number} {what}{plural}")
    };
    let mut parts = vec![
        counted(files.len(), "file"),
        counted(count(Severity::Error), "error"),
        counted(count(Severity::Warning), "warning"),
        counted(count(Severity::Note), "note"),
    ];
    if others > 0 {
        parts.push(format!("{others} of no kind that is known left out"));
    }
    out::say(&parts.join(", "));
}

impl Checked {
    fn file(&self) -> File<'_> {
        File {
            name: &self.name,
            kind: self.kind.map_or("unknown", FileKind::as_str),
            text: &self.text,
            diagnostics: &self.diagnostics,
        }
    }
}
