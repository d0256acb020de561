//! What a command line turned out to say.

use std::collections::BTreeMap;

use super::super::model::{Authentication, Effects};

/// One command line, understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Invoked {
    /// The tool.
    pub tool: String,
    /// The subcommands, by their own names, whatever alias was written.
    pub path: Vec<String>,
    /// Every option that was given, in order.
    pub options: Vec<Given>,
    /// Every word that is no option, in order.
    pub words: Vec<Word>,
    /// What was not verified, and why: a call that has any of it asks.
    pub unverified: Vec<Unverified>,
    /// Whether it asks for help in a way that the tool does not describe. The words are unverified, too.
    pub asks_help: bool,
    /// What it changes: the command's own effects, inherited ones included, with what flags and values add.
    pub effects: Effects,
    /// Hosts, and names at a shared service (`s3://bucket`), that nobody but the words names.
    pub caller_named: Vec<String>,
    /// Which flags and values changed the effects.
    pub raised: Vec<Raised>,
    /// Commands of other tools inside, each to be judged as if it was called.
    pub inner: Vec<Inner>,
    /// Texts of programs inside.
    pub programs: Vec<ProgramText>,
    /// Variables that it sets for what it starts: `NAME=VALUE`, split.
    pub assigned: Vec<(String, String)>,
    /// What to write instead, if it would ask a person or open an editor.
    pub prompts: Option<String>,
    /// What it prints.
    pub output: OutputShape,
    /// What its exit codes mean, where it says so.
    pub exits: BTreeMap<i32, ExitMeaning>,
    /// Variables that are set for it.
    pub env: BTreeMap<String, String>,
    /// Variables that options which were not written name as another way to be given.
    pub env_vars: Vec<String>,
    /// Who may use it.
    pub authentication: Option<Authentication>,
    /// Paths that may be meant: named by somebody whose word does not settle, or by words that are of no such type.
    /// Only rules that deny look at them.
    pub suspected_paths: Vec<String>,
}

/// An option that was given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Given {
    /// Its name.
    pub name: String,
    /// Every spelling of it, for rules that name one.
    pub spellings: Vec<String>,
    /// The spelling that was meant.
    pub spelt: String,
    /// Its values; none for a flag.
    pub values: Vec<String>,
    /// Whether the values are paths.
    pub is_path: bool,
    /// Whether the tool itself reads patterns of names in them.
    pub expands: bool,
    /// Whether it was `--no-x`.
    pub negated: bool,
}

/// A word that is no option.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// The argument that it is, if the command declares one for it.
    pub name: Option<String>,
    /// As it was written.
    pub text: String,
    /// Whether it is a path.
    pub is_path: bool,
    /// Whether the tool itself reads patterns of names in it.
    pub expands: bool,
}

/// Something that nobody vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unverified {
    /// The word.
    pub text: String,
    /// Why.
    pub why: Why,
}

/// Why a word is not verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// No description has this option.
    UnknownOption,
    /// No description has this word.
    UnknownWord,
    /// A file says what stands here.
    ResponseFile,
    /// More words come from input.
    Input,
    /// A variable that may steer what is started.
    Variable,
}

/// A flag or value that changed the effects.
#[derive(Debug, Clone, PartialEq)]
pub struct Raised {
    /// As it was written: `--force`, or `+main`.
    pub by: String,
    /// The rule's effects.
    pub effects: Effects,
    /// Whether they took the place of the command's own.
    pub instead: bool,
}

/// A command of another tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inner {
    /// Its words, the tool first.
    pub words: Vec<String>,
    /// Whether more words come from a file or from input.
    pub open: bool,
}

/// The text of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramText {
    /// `sed`, `awk`, `sql`, `shell`, …
    pub language: String,
    /// The text.
    pub text: String,
}

/// What a command prints.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutputShape {
    /// The format, as far as it is said.
    pub format: OutputFormat,
    /// Words that the caller's `--json` stands for, and that are put in its place.
    pub json_words: Option<Vec<String>>,
}

/// A format of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputFormat {
    /// Text for people.
    #[default]
    Text,
    /// One JSON value.
    Json,
    /// One JSON value a line.
    Ndjson,
    /// YAML.
    Yaml,
    /// Anything.
    Binary,
}

/// What an exit code means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExitMeaning {
    /// No failure: `grep` found nothing.
    Ok,
    /// The command line was wrong.
    UsageError,
    /// Somebody has to sign in.
    AuthRequired,
    /// What was asked for is not there.
    NotFound,
    /// It took too long.
    Timeout,
    /// Something of it was killed.
    Killed,
    /// A failure that whoever describes the program has a word for: `rate_limited`.
    Other(String),
    /// Any other failure.
    Error,
}
