//! Why no words can be made of a template and what was given.

use argrail_acli::{Error, Text};

use super::template_error::TemplateError;

/// Why no words can be made. Names are those of inputs, as a caller knows them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FillError {
    /// The template itself cannot be used.
    #[error("the template cannot be used: {0}")]
    Template(TemplateError),
    /// Nothing was given, and nothing takes its place.
    #[error("{name:?} is missing")]
    Missing {
        /// What.
        name: String,
    },
    /// A value that is no word.
    #[error("{name:?} is {came}, which is no word")]
    NoWord {
        /// What.
        name: String,
        /// What it is.
        came: &'static str,
    },
    /// Neither true nor false.
    #[error("{name:?} expects true or false, got {came}")]
    NoTruth {
        /// What.
        name: String,
        /// What it is.
        came: &'static str,
    },
    /// A value that a program would take for an option.
    #[error("{name:?} starts with '-', so the program could take {value:?} for an option")]
    Dash {
        /// What.
        name: String,
        /// The value.
        value: String,
    },
    /// Nothing behind an option that wants something there.
    #[error("{name:?} is empty, so {option:?} would take the next word")]
    Empty {
        /// What.
        name: String,
        /// The option.
        option: String,
    },
    /// A character that no argument can hold.
    #[error("{name:?} holds NUL")]
    Nul {
        /// What.
        name: String,
    },
    /// A word that is longer than any program can be given.
    #[error("{name:?} makes a word of more than {most} bytes")]
    TooLong {
        /// What.
        name: String,
        /// How long it may be.
        most: usize,
    },
    /// More words, or more text, than any program can be given.
    #[error("{name:?} makes more words than a program can be given")]
    TooMany {
        /// What.
        name: String,
    },
    /// An input whose name cannot be an option.
    #[error("{name:?} cannot be written as an option")]
    NoOption {
        /// What.
        name: String,
    },
    /// Inputs that are no object.
    #[error("the inputs are {came}, not an object")]
    NoObject {
        /// What they are.
        came: &'static str,
    },
}

impl FillError {
    /// Returns what it is about, if it is about one input.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Template(_) | Self::NoObject { .. } => None,
            Self::Missing { name }
            | Self::NoWord { name, .. }
            | Self::NoTruth { name, .. }
            | Self::Dash { name, .. }
            | Self::Empty { name, .. }
            | Self::Nul { name }
            | Self::TooLong { name, .. }
            | Self::TooMany { name }
            | Self::NoOption { name } => Some(name),
        }
    }

    /// Returns the name of what is wrong, for programs.
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Template(_) => "template",
            Self::Missing { .. } => "missing",
            Self::NoWord { .. } => "no-word",
            Self::NoTruth { .. } => "no-truth",
            Self::Dash { .. } => "dash",
            Self::Empty { .. } => "empty",
            Self::Nul { .. } => "nul",
            Self::TooLong { .. } => "too-long",
            Self::TooMany { .. } => "too-many",
            Self::NoOption { .. } => "no-option",
            Self::NoObject { .. } => "no-object",
        }
    }

    /// Returns the refusal of a call of `command`.
    pub fn refusal(&self, command: &str) -> Error {
        let see = || Text::new("See what it takes with 'schema' and {}").value(command);
        let (what, hint) = match self {
            Self::Template(wrong) => (
                Text::new("the template of {} cannot be used: {}")
                    .value(command)
                    .value(wrong.to_string()),
                Text::new("Mend its TOOL.md; 'argrail lint' shows the place"),
            ),
            Self::Missing { name } => (
                Text::new("{} is missing").value(name),
                Text::new("Give {}; see what it takes with 'schema' and {}")
                    .value(name)
                    .value(command),
            ),
            Self::NoWord { name, came } => (
                Text::new("{} is {}, which is no word").value(name).word(came),
                see(),
            ),
            Self::NoTruth { name, came } => (
                Text::new("{} expects true or false, got {}")
                    .value(name)
                    .word(came),
                see(),
            ),
            Self::Dash { name, value } => (
                Text::new("{} starts with '-', so the program could take {} for an option")
                    .value(name)
                    .value(value),
                Text::new("Give {} a value that does not start with '-'; a path can start with './'")
                    .value(name),
            ),
            Self::Empty { name, option } => (
                Text::new("{} is empty, so {} would take the next word")
                    .value(name)
                    .value(option),
                Text::new("Give {} a value").value(name),
            ),
            Self::Nul { name } => (
                Text::new("{} holds NUL, which no argument can").value(name),
                Text::new("Take it out of {}").value(name),
            ),
            Self::TooLong { name, most } => (
                Text::new("{} makes a word of more than {} bytes")
                    .value(name)
                    .number(*most),
                Text::new("Give {} a shorter value").value(name),
            ),
            Self::TooMany { name } => (
                Text::new("{} makes more words than a program can be given").value(name),
                Text::new("Give fewer values at once"),
            ),
            Self::NoOption { name } => (Text::new("{} cannot be written as an option").value(name), see()),
            Self::NoObject { came } => (Text::new("the inputs are {}, not an object").word(came), see()),
        };
        let error = Error::invalid(what, hint);
        match self.name() {
            Some(name) => error.detail("input", name),
            None => error,
        }
    }
}
