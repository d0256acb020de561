//! Help texts: made here in the usual layouts, and recorded ones if they lie beside the project.

use std::fs;
use std::path::{Path, PathBuf};

/// A text.
pub(super) struct Text {
    pub(super) kind: Kind,
    /// The tool that it is about.
    pub(super) name: String,
    pub(super) text: String,
}

/// What kind of text it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Help,
    Man,
}

/// How many texts of each layout are made, and how many options each has: those of a large tool.
const TEXTS: usize = 60;
const OPTIONS: usize = 120;

const NOUNS: [&str; 8] = [
    "file", "cache", "branch", "remote", "colour", "output", "filter", "timeout",
];
const VERBS: [&str; 6] = ["show", "keep", "write", "skip", "limit", "follow"];

/// Makes the text of a number.
type Layout = fn(usize) -> String;

/// Makes texts in the layouts that most tools have.
pub(super) fn made() -> Vec<Text> {
    let layouts: [(Kind, Layout); 5] = [
        (Kind::Help, two_columns),
        (Kind::Help, below),
        (Kind::Help, with_types),
        (Kind::Help, brackets),
        (Kind::Man, manual),
    ];
    let mut texts = Vec::new();
    for index in 0..TEXTS {
        for (kind, layout) in layouts {
            texts.push(Text {
                kind,
                name: "demo".to_owned(),
                text: layout(index),
            });
        }
    }
    texts
}

/// The name of an option, what it is about, and a letter for it.
fn option(text: usize, at: usize) -> (String, String, char) {
    let verb = VERBS.get((text + at) % VERBS.len()).unwrap_or(&"do");
    let noun = NOUNS.get(at % NOUNS.len()).unwrap_or(&"it");
    let letter = char::from(b'a' + u8::try_from(at % 26).unwrap_or_default());
    let about = format!("{verb} the {noun} that was given before, and nothing else, whatever the others say");
    (format!("{verb}-{noun}-{at}"), about, letter)
}

fn lines(text: usize, line: impl Fn(&str, &str, char) -> String) -> String {
    let lines = (0..OPTIONS).map(|at| {
        let (name, about, letter) = option(text, at);
        line(&name, &about, letter)
    });
    lines.collect()
}

fn two_columns(text: usize) -> String {
    let options = lines(text, |name, about, letter| {
        format!("  -{letter}, --{name}=VALUE   {about}\n                             on a second line\n")
    });
    format!("Usage: demo [OPTION]... [FILE]...\nDoes things with files.\n\nMandatory arguments:\n{options}")
}

fn below(text: usize) -> String {
    let options = lines(text, |name, about, letter| {
        format!(
            "  -{letter}, --{name} <VALUE>\n          {about}\n\n          [default: auto] [possible values: auto, always, never]\n\n"
        )
    });
    format!("Does things\n\nUsage: demo [OPTIONS] [FILE]...\n\nOptions:\n{options}")
}

fn with_types(text: usize) -> String {
    let options = lines(text, |name, about, letter| {
        format!("  -{letter}, --{name} string   {about} (default \"x\")\n")
    });
    let commands = lines(text, |name, about, _| format!("  {name}   {about}\n"));
    format!("Does things.\n\nUsage:\n  demo [command]\n\nAvailable Commands:\n{commands}\nFlags:\n{options}")
}

fn brackets(text: usize) -> String {
    let usage = lines(text, |name, _, letter| {
        format!(" [-{letter} | --[no-]{name}[=<value>]]\n          ")
    });
    format!("usage: demo{usage}[--] <path>...\n")
}

fn manual(text: usize) -> String {
    let options = lines(text, |name, about, letter| {
        let name = name.replace('-', "\\-");
        format!(".TP\n.BR \\-{letter} \", \" \\-\\-{name} =\\fIVALUE\\fR\n{about}.\n")
    });
    format!(
        ".TH DEMO 1\n.SH NAME\ndemo \\- does things\n.SH SYNOPSIS\n.B demo\n[\\fIOPTION\\fR]...\n.SH OPTIONS\n{options}"
    )
}

/// Reads the recorded texts beside the project; none where they are not.
pub(super) fn recorded() -> Vec<Text> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/dev");
    let mut texts = Vec::new();
    for tool in children(&folder) {
        let name = tool
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for file in children(&tool) {
            let title = file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let kind = match title.as_str() {
                "man.txt" => Kind::Man,
                title if title.starts_with("help") => Kind::Help,
                _ => continue,
            };
            if let Ok(bytes) = fs::read(&file) {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                texts.push(Text {
                    kind,
                    name: name.clone(),
                    text,
                });
            }
        }
    }
    texts
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
