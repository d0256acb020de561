//! Checking, and printing what came of it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use argrail_acli::{Answer, Envelope, Error};
use argrail_spec::doc::report::{self, File};
use argrail_spec::doc::{Diagnostic, Severity};
use argrail_spec::lint::{FileKind, Strictness, lint, rules};
use serde_json::Value;

use super::bundles::{InBundles, in_bundles};
use super::files::{Found, files, read};
use super::mend::mend;
use crate::args::command_line::{LintArgs, LintFormat};
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
    let listed = files(&args.paths)?;
    let mut mended = HashMap::new();
    if args.fix {
        for (path, _) in &listed {
            let name = path.to_string_lossy();
            let mut contents = read(path)?;
            let known = lint(&name, &contents.bytes, strictness).kind.is_some();
            if known {
                mended.insert(path.clone(), mend(path, &name, &mut contents, strictness)?);
            }
        }
    }
    let mut bundles = in_bundles(listed.iter().map(|(path, _)| path.as_path()), strictness)?;
    let mut checked = Vec::new();
    let mut others = 0;
    for (path, found) in listed {
        let told = one(&path, &mended, &mut bundles, strictness)?;
        if found == Found::Below && told.kind.is_none() {
            others += 1;
        } else {
            checked.push(told);
        }
        // Of a bundle whose manifest alone was named, the rest is told after it.
        if args.paths.contains(&path) {
            for rest in bundles
                .rest(&path)
                .into_iter()
                .filter(|rest| !args.paths.contains(rest))
            {
                checked.push(one(&rest, &mended, &mut bundles, strictness)?);
            }
        }
    }
    Ok((checked, others))
}

fn one(
    path: &Path,
    mended: &HashMap<PathBuf, usize>,
    bundles: &mut InBundles,
    strictness: Strictness,
) -> Result<Checked, Error> {
    let name = path.to_string_lossy().into_owned();
    let text = read(path)?.bytes;
    let outcome = bundles
        .take(path)
        .unwrap_or_else(|| lint(&name, &text, strictness));
    Ok(Checked {
        name,
        kind: outcome.kind,
        text,
        diagnostics: outcome.diagnostics,
        mended: mended.get(path).copied().unwrap_or_default(),
    })
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
