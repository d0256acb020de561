//! Why an agent is not started as somebody wishes, with what would do.

use std::fmt;

use argrail_acli::{Code, Error, Text};

/// How many names a hint lists.
const LISTED: usize = 30;

/// A wish that the manifest does not allow. Values are foreign text: what is shown of them is quoted and bounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WishError {
    /// No mode is called so.
    UnknownMode {
        /// As given.
        given: String,
        /// One that is a typo away.
        nearest: Option<String>,
        /// Those there are.
        known: Vec<String>,
    },
    /// No option is called so.
    UnknownOption {
        /// As given.
        given: String,
        /// One that is a typo away.
        nearest: Option<String>,
        /// Those there are.
        known: Vec<String>,
    },
    /// The manifest does not allow the model.
    UnknownModel {
        /// As given.
        given: String,
        /// One that is a typo away.
        nearest: Option<String>,
        /// Those that may be chosen.
        allowed: Vec<String>,
    },
    /// Something is given twice.
    Twice {
        /// The option.
        id: String,
    },
    /// A value of another type.
    WrongType {
        /// The option.
        id: String,
        /// What it takes.
        expected: &'static str,
        /// What came.
        given: String,
    },
    /// A number outside of the bounds.
    OutOfBounds {
        /// The option.
        id: String,
        /// What came.
        given: i64,
        /// The least.
        least: Option<i64>,
        /// The most.
        most: Option<i64>,
    },
    /// A word that is not among the choices.
    NoChoice {
        /// The option.
        id: String,
        /// What came.
        given: String,
        /// What there is.
        choices: Vec<String>,
    },
    /// A value that the agent would take for an option.
    LooksLikeAnOption {
        /// The option.
        id: String,
        /// What came.
        given: String,
    },
    /// A value that no argument can hold.
    Unwritable {
        /// The option.
        id: String,
    },
    /// A value that is longer than arguments may be.
    TooLong {
        /// The option.
        id: String,
        /// How many bytes there may be.
        most: usize,
    },
}

impl WishError {
    /// Returns the code that programs branch on.
    pub fn code(&self) -> Code {
        Code::ValidationError
    }

    /// Returns what is wrong.
    pub fn message(&self) -> Text {
        match self {
            Self::UnknownMode { given, .. } => Text::new("the agent has no mode {}").value(given),
            Self::UnknownOption { given, .. } => Text::new("the agent has no option {}").value(given),
            Self::UnknownModel { given, .. } => Text::new("the model {} is not allowed").value(given),
            Self::Twice { id } => Text::new("the option {} is given twice").value(id),
            Self::WrongType { id, expected, given } => Text::new("the option {} expects {}, got {}")
                .value(id)
                .word(expected)
                .value(given),
            Self::OutOfBounds {
                id,
                given,
                least,
                most,
            } => {
                let text = match (least, most) {
                    (Some(_), Some(_)) => {
                        Text::new("the option {} expects a whole number from {} to {}, got {}")
                    }
                    (Some(_), None) => {
                        Text::new("the option {} expects a whole number of at least {}, got {}")
                    }
                    (None, _) => Text::new("the option {} expects a whole number of at most {}, got {}"),
                };
                let bounds = [*least, *most].into_iter().flatten();
                bounds.fold(text.value(id), Text::number).number(*given)
            }
            Self::NoChoice { id, given, .. } => Text::new("{} is none of the values of the option {}")
                .value(given)
                .value(id),
            Self::LooksLikeAnOption { id, given } => {
                Text::new("the option {} cannot be {}: the agent would take it for an option")
                    .value(id)
                    .value(given)
            }
            Self::Unwritable { id } => {
                Text::new("the value of the option {} holds a NUL character").value(id)
            }
            Self::TooLong { id, most } => {
                let most = u64::try_from(*most).unwrap_or(u64::MAX);
                Text::new("the value of the option {} makes more than {} bytes")
                    .value(id)
                    .number(most)
            }
        }
    }

    /// Returns what to try next.
    pub fn hint(&self) -> Text {
        match self {
            Self::UnknownMode { nearest, known, .. } => choose(nearest.as_deref(), known, NO_MODES),
            Self::UnknownOption { nearest, known, .. } => choose(nearest.as_deref(), known, NO_OPTIONS),
            Self::UnknownModel { nearest, allowed, .. } => choose(nearest.as_deref(), allowed, NO_MODELS),
            Self::Twice { id } => Text::new("Give {} once").value(id),
            Self::WrongType { id, expected, .. } => Text::new("Pass {} for {}").word(expected).value(id),
            Self::OutOfBounds { id, .. } => Text::new("Pass another number for {}").value(id),
            Self::NoChoice { choices, .. } => choose(None, choices, NO_OPTIONS),
            Self::LooksLikeAnOption { id, .. } => {
                Text::new("Pass a value for {} that does not start with a dash").value(id)
            }
            Self::Unwritable { id } => Text::new("Pass text without NUL for {}").value(id),
            Self::TooLong { id, .. } => Text::new("Pass a shorter value for {}").value(id),
        }
    }
}

const NO_MODES: &str = "Leave the mode out: the agent has none";
const NO_OPTIONS: &str = "Leave the option out: the agent has none";
const NO_MODELS: &str = "Leave the model out: the manifest allows none";

/// Names the nearest and all there are.
fn choose(nearest: Option<&str>, known: &[String], none: &'static str) -> Text {
    if known.is_empty() {
        return Text::new(none);
    }
    let all = Text::new("Use one of {}").list(known.iter().map(String::as_str), LISTED);
    match nearest {
        Some(nearest) => Text::new("Did you mean {}?").value(nearest).then(" ", all),
        None => all,
    }
}

impl fmt::Display for WishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for WishError {}

impl From<WishError> for Error {
    fn from(error: WishError) -> Self {
        Error::invalid(error.message(), error.hint())
    }
}
