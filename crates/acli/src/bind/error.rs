//! Why words do not fit a command, with what would.

use std::path::PathBuf;

use crate::error::{Code, Error};
use crate::text::Text;

/// How many names a hint lists before it says how many more there are.
const LISTED: usize = 30;

/// A command line that does not fit. Values are foreign text: [`Error`] quotes and bounds them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BindError {
    /// No command has this name; `path` is what was understood before it.
    #[error("command '{path}' not found")]
    CommandNotFound {
        /// The whole path as typed.
        path: String,
        /// A name that is a typo away, as a whole path.
        nearest: Option<String>,
        /// The command whose `help` lists what there is; empty for the top.
        parent: String,
    },
    /// The command has subcommands and none was given.
    #[error("'{path}' needs a subcommand")]
    SubcommandMissing {
        /// The command.
        path: String,
        /// What there is.
        subcommands: Vec<String>,
    },
    /// An option that the command does not have.
    #[error("unknown option '{given}'")]
    UnknownOption {
        /// As typed, without its value.
        given: String,
        /// An option that is a typo away.
        nearest: Option<String>,
        /// All options there are.
        known: Vec<String>,
    },
    /// A long option that is not spelt out.
    #[error("'{given}' is short for '{full}'")]
    Abbreviated {
        /// As typed.
        given: String,
        /// The full spelling.
        full: String,
    },
    /// A shortened option that could be several.
    #[error("'{given}' could be several options")]
    Ambiguous {
        /// As typed.
        given: String,
        /// What it could be.
        candidates: Vec<String>,
    },
    /// An option without its value.
    #[error("'{name}' wants a value")]
    ValueMissing {
        /// The option.
        name: String,
        /// What it wants.
        expected: &'static str,
        /// The word that stands where the value should.
        met: Option<String>,
    },
    /// A flag with a value.
    #[error("'{name}' takes no value")]
    ValueUnwanted {
        /// The option.
        name: String,
        /// What was given.
        given: String,
    },
    /// A value of another type.
    #[error("'{name}' expects {expected}")]
    WrongType {
        /// The argument.
        name: String,
        /// What was given.
        given: String,
        /// What is wanted.
        expected: &'static str,
        /// The choices, if there is a fixed list.
        choices: Vec<String>,
    },
    /// A value that a check of the command refused.
    #[error("'{name}' was refused")]
    Refused {
        /// The argument.
        name: String,
        /// What was given.
        given: String,
        /// What the check wants, in the definition's words.
        expected: String,
    },
    /// A required argument that is not there.
    #[error("'{name}' is required")]
    Missing {
        /// The argument.
        name: String,
        /// What it is.
        expected: &'static str,
    },
    /// An option that may stand once.
    #[error("'{name}' is given twice")]
    Twice {
        /// The option.
        name: String,
    },
    /// Arguments that exclude each other.
    #[error("{names:?} exclude each other")]
    Exclusive {
        /// Those that were given.
        names: Vec<String>,
    },
    /// None of a group of which one is needed.
    #[error("one of {names:?} is required")]
    OneOf {
        /// Those there are.
        names: Vec<String>,
    },
    /// More words than the command takes.
    #[error("surplus argument '{given}'")]
    Surplus {
        /// The first that is too many.
        given: String,
        /// How many it takes.
        most: usize,
    },
    /// A path that leads outside the caller's roots.
    #[error("'{given}' leads outside the roots")]
    OutsideRoots {
        /// The argument.
        name: String,
        /// The path as typed.
        given: String,
        /// Where paths may lead.
        roots: Vec<PathBuf>,
    },
}

impl From<BindError> for Error {
    fn from(error: BindError) -> Self {
        use BindError as E;
        match error {
            E::CommandNotFound {
                path,
                nearest,
                parent,
            } => not_found(&path, nearest.as_deref(), &parent),
            E::OutsideRoots { name, given, roots } => outside(&name, &given, &roots),
            E::SubcommandMissing { path, subcommands } => Error::invalid(
                Text::new("{} needs a subcommand").value(path),
                Text::new("Subcommands: {}").list(strs(&subcommands), LISTED),
            ),
            E::UnknownOption {
                given,
                nearest,
                known,
            } => unknown_option(&given, nearest.as_deref(), &known),
            E::Abbreviated { given, full } => Error::invalid(
                Text::new("{} is not spelt out").value(given),
                Text::new("Write {}").value(full),
            ),
            E::Ambiguous { given, candidates } => Error::invalid(
                Text::new("{} could be several options").value(given),
                Text::new("Write one of {}").list(strs(&candidates), LISTED),
            ),
            E::ValueMissing { name, expected, met } => {
                let message = match &met {
                    Some(met) => Text::new("{} wants a value, {} stands there")
                        .value(&name)
                        .value(met),
                    None => Text::new("{} wants a value").value(&name),
                };
                Error::invalid(message, Text::new("Pass {} after {}").word(expected).value(name))
            }
            E::ValueUnwanted { name, given } => Error::invalid(
                Text::new("{} takes no value, got {}").value(&name).value(given),
                Text::new("Write {} alone").value(&name),
            ),
            E::WrongType {
                name,
                given,
                expected,
                choices,
            } => {
                let hint = if choices.is_empty() {
                    Text::new("Pass {}").word(expected)
                } else {
                    Text::new("Pass one of {}").list(strs(&choices), LISTED)
                };
                Error::invalid(
                    Text::new("{} is {}, which is not {}")
                        .value(name)
                        .value(given)
                        .word(expected),
                    hint,
                )
            }
            E::Refused {
                name,
                given,
                expected,
            } => Error::invalid(
                Text::new("{} does not take {}").value(name).value(given),
                Text::new("The command wants {}").value(expected),
            ),
            E::Missing { name, expected } => Error::invalid(
                Text::new("{} is required").value(&name),
                Text::new("Pass {}: {}").value(&name).word(expected),
            ),
            E::Twice { name } => Error::invalid(
                Text::new("{} is given twice").value(&name),
                Text::new("Write {} once").value(&name),
            ),
            E::Exclusive { names } => Error::invalid(
                Text::new("{} exclude each other").list(strs(&names), LISTED),
                Text::new("Keep one of {}").list(strs(&names), LISTED),
            ),
            E::OneOf { names } => Error::invalid(
                Text::new("one of {} is required").list(strs(&names), LISTED),
                Text::new("Pass one of {}").list(strs(&names), LISTED),
            ),
            E::Surplus { given, most } => {
                let hint = match most {
                    0 => Text::new(
                        "The command takes no positional arguments; quote a value that has blanks in it",
                    ),
                    _ => {
                        Text::new("The command takes at most {} of them; quote a value that has blanks in it")
                            .number(most)
                    }
                };
                Error::invalid(Text::new("surplus argument {}").value(given), hint)
            }
        }
    }
}

fn not_found(path: &str, nearest: Option<&str>, parent: &str) -> Error {
    let hint = match parent {
        "" => Text::new("Run 'help' for available commands"),
        parent => Text::new("Run 'help' for available commands, or 'help' with {} for its subcommands")
            .value(parent),
    };
    let hint = match nearest {
        Some(name) => hint.then("; ", Text::new("did you mean {}?").value(name)),
        None => hint,
    };
    Error::new(
        Code::CommandNotFound,
        Text::new("Command {} not found").value(path),
    )
    .hint(hint)
}

fn unknown_option(given: &str, nearest: Option<&str>, known: &[String]) -> Error {
    let there_are = match known {
        [] => Text::new("The command has no options"),
        known => Text::new("Options: {}").list(strs(known), LISTED),
    };
    let hint = match nearest {
        Some(name) => Text::new("Did you mean {}?").value(name).then(" ", there_are),
        None => there_are,
    };
    Error::invalid(Text::new("unknown option {}").value(given), hint)
}

fn outside(name: &str, given: &str, roots: &[PathBuf]) -> Error {
    let message = Text::new("Path traversal blocked: {} of {} leads outside the allowed directories");
    let shown: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
    let hint = match shown.first() {
        Some(_) => Text::new("Use a path inside {}").list(strs(&shown), 3),
        None => Text::new("No directory is allowed to this caller; ask a person to add one to 'roots'"),
    };
    Error::new(Code::PathTraversalBlocked, message.value(given).value(name)).hint(hint)
}

fn strs(list: &[String]) -> impl Iterator<Item = &str> {
    list.iter().map(String::as_str)
}
