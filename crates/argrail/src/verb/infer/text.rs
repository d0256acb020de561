//! `argrail infer --from-file`: a text is read and nothing is started. Whatever it holds, metadata comes out.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;

use argrail_acli::{Code, Error, Text};
use argrail_engine::catalog::infer::{count, whole};
use argrail_spec::atip::check_tool_name;
use argrail_spec::help::{Subject, read_help, read_man};
use serde_json::json;

use super::run::print;
use crate::args::infer::{InferArgs, TextKind};
use crate::out::{self, Report};

/// The most that is read of a text.
const MOST: u64 = 4 << 20;

/// Reads the text and prints what it says.
pub(super) fn run(file: &OsStr, name: &str, args: &InferArgs, report: Report) -> Result<u8, Error> {
    if let Err(problem) = check_tool_name(name) {
        let what = Text::new("--name {} is no name of a tool: {}")
            .value(name)
            .value(problem.to_string());
        return Err(Error::invalid(what, "Name the tool as its executable is called"));
    }
    let text = read(file)?;
    let path: Vec<&str> = args
        .sub
        .as_deref()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let subject = Subject { name, path: &path };
    let page = match args.kind {
        TextKind::Help => read_help(&text, &subject),
        TextKind::Man => read_man(&text, &subject),
    };
    let path = path.iter().map(|word| (*word).to_owned()).collect();
    let metadata = whole(name, [(path, page)]);
    let counts = count(&metadata);
    let more = json!({
        "counts": {"commands": counts.commands, "options": counts.options, "arguments": counts.arguments},
    });
    Ok(print(&metadata, more, report))
}

/// Reads a file, or stdin, up to what is enough for any help.
fn read(file: &OsStr) -> Result<String, Error> {
    let shown = file.to_string_lossy();
    let mut bytes = Vec::new();
    let read = if file == "-" {
        io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(Path::new(file)).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| {
        let what = Text::new("{}: {}").value(&shown).value(error.to_string());
        let hint = Text::new("Check that {} is a file that you may read, or write - for stdin").value(&shown);
        Error::new(Code::ExecutionError, what).hint(hint)
    })?;
    let most = usize::try_from(MOST).unwrap_or(usize::MAX);
    if bytes.len() > most {
        bytes.truncate(most);
        out::say(&format!("only the first {MOST} bytes were read"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
