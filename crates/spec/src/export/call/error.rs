//! Why a provider's call is not made into words, with what would do.

use std::fmt;

use argrail_acli::{Code, Error as Refusal, Text};

/// How many names a hint lists.
const LISTED: usize = 30;

/// A call that cannot be made. Values are foreign text: what is shown of them is quoted and bounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The message is longer than any call.
    TooLong {
        /// How many bytes it may have.
        most: usize,
    },
    /// The message, or the arguments inside it, are not JSON.
    NotJson {
        /// What is wrong with it.
        why: String,
    },
    /// The message holds no call.
    NoCall,
    /// The message holds more calls than are taken at once.
    TooMany {
        /// How many are taken.
        most: usize,
    },
    /// The format is none in which anything is called.
    NoCalls,
    /// A call without the name of a function.
    NoName,
    /// Arguments that are no object.
    NoArguments {
        /// The function.
        name: String,
    },
    /// No tool has this function.
    UnknownFunction {
        /// As called.
        given: String,
        /// One that is a typo away.
        nearest: Option<String>,
    },
    /// The function has no such parameter.
    UnknownProperty {
        /// As given.
        given: String,
        /// One that is a typo away.
        nearest: Option<String>,
        /// Those there are.
        known: Vec<String>,
    },
    /// A parameter that must be given is not.
    Missing {
        /// The parameter.
        name: String,
    },
    /// A value of another type.
    WrongType {
        /// The parameter.
        name: String,
        /// What it wants.
        expected: &'static str,
        /// What came, as JSON.
        given: String,
    },
    /// A value that is not among the choices.
    NoChoice {
        /// The parameter.
        name: String,
        /// What came.
        given: String,
        /// What there is.
        choices: Vec<String>,
    },
    /// Parameters that exclude each other.
    Exclusive {
        /// The one.
        one: String,
        /// The other.
        other: String,
    },
    /// A positional without the one before it: its value would be taken for that one's.
    Gap {
        /// What is given.
        name: String,
        /// What is not.
        before: String,
    },
    /// Two positionals that take several words each: nobody can tell whose a word is.
    TwoLists {
        /// The one.
        one: String,
        /// The other.
        other: String,
    },
    /// A flag that is on unless said otherwise, and that has no way to say so.
    AlwaysOn {
        /// The parameter.
        name: String,
    },
    /// A value that no argv can hold, or that the tool would take for something else.
    Unwritable {
        /// The parameter, where it is known.
        name: String,
        /// The value.
        given: String,
    },
}

impl Error {
    /// Returns the code that agents branch on (ACLI §5.2).
    pub fn code(&self) -> Code {
        match self {
            Self::TooLong { .. } | Self::NotJson { .. } => Code::ParseError,
            Self::UnknownFunction { .. } => Code::CommandNotFound,
            Self::NoCall
            | Self::TooMany { .. }
            | Self::NoCalls
            | Self::NoName
            | Self::NoArguments { .. }
            | Self::UnknownProperty { .. }
            | Self::Missing { .. }
            | Self::WrongType { .. }
            | Self::NoChoice { .. }
            | Self::Exclusive { .. }
            | Self::Gap { .. }
            | Self::TwoLists { .. }
            | Self::AlwaysOn { .. }
            | Self::Unwritable { .. } => Code::ValidationError,
        }
    }

    /// Returns what is wrong.
    pub fn message(&self) -> Text {
        let most = |most: usize| u64::try_from(most).unwrap_or(u64::MAX);
        match self {
            Self::TooLong { most: bytes } => {
                Text::new("the call is longer than {} bytes").number(most(*bytes))
            }
            Self::NotJson { why } => Text::new("the call is no JSON that can be read: {}").value(why),
            Self::NoCall => Text::new("the message holds no tool call of this provider"),
            Self::TooMany { most: calls } => {
                Text::new("the message holds more than {} calls").number(most(*calls))
            }
            Self::NoCalls => Text::new("nothing is called in this format"),
            Self::NoName => Text::new("the call names no function"),
            Self::NoArguments { name } => Text::new("the arguments of {} are no JSON object").value(name),
            Self::UnknownFunction { given, .. } => Text::new("function {} not found").value(given),
            Self::UnknownProperty { given, .. } => Text::new("unknown argument {}").value(given),
            Self::Missing { name } => Text::new("{} is required").value(name),
            Self::WrongType {
                name,
                expected,
                given,
            } => Text::new("{} expects {}, got {}")
                .value(name)
                .word(expected)
                .value(given),
            Self::NoChoice { name, given, .. } => Text::new("{} is none of the values of {}")
                .value(given)
                .value(name),
            Self::Exclusive { one, other } => {
                Text::new("{} and {} exclude each other").value(one).value(other)
            }
            Self::Gap { name, before } => Text::new("{} is given without {}, which stands before it")
                .value(name)
                .value(before),
            Self::TwoLists { one, other } => {
                Text::new("{} and {} are lists, and their words could not be told apart")
                    .value(one)
                    .value(other)
            }
            Self::AlwaysOn { name } => {
                Text::new("{} is on by default and cannot be switched off").value(name)
            }
            Self::Unwritable { name, given } => Text::new("{} cannot be {}: the tool could not be told so")
                .value(name)
                .value(given),
        }
    }

    /// Returns what to try next.
    pub fn hint(&self) -> Text {
        const EXPORT: &str = "Run 'argrail export' for the functions there are and their parameters";
        match self {
            Self::TooLong { .. } | Self::TooMany { .. } => Text::new("Pass fewer calls, or shorter values"),
            Self::NotJson { .. } => Text::new("Pass the provider's message as it came, as JSON"),
            Self::NoCall | Self::NoName | Self::NoArguments { .. } => Text::new(
                "Pass one tool call, or the message that holds it, and name its provider with --provider",
            ),
            Self::NoCalls => Text::new("Use --provider openai, anthropic, gemini or mcp"),
            Self::UnknownFunction {
                nearest: Some(nearest),
                ..
            } => Text::new("Did you mean {}?")
                .value(nearest)
                .then(" ", EXPORT.into()),
            Self::UnknownProperty {
                nearest: Some(nearest),
                ..
            } => Text::new("Did you mean {}?").value(nearest),
            Self::UnknownProperty { known, .. } if !known.is_empty() => {
                Text::new("Use one of {}").list(known.iter().map(String::as_str), LISTED)
            }
            Self::NoChoice { choices, .. } => {
                Text::new("Use one of {}").list(choices.iter().map(String::as_str), LISTED)
            }
            Self::WrongType { name, expected, .. } => Text::new("Pass {} as {}").word(expected).value(name),
            Self::Missing { name } | Self::Gap { before: name, .. } => Text::new("Pass {} too").value(name),
            Self::Exclusive { other, .. } | Self::TwoLists { other, .. } => {
                Text::new("Leave {} out").value(other)
            }
            Self::AlwaysOn { name } => Text::new("Leave {} out, or pass true").value(name),
            Self::Unwritable { name, .. } => {
                Text::new("Pass another value for {}, without NUL and without a dash at its start")
                    .value(name)
            }
            Self::UnknownFunction { nearest: None, .. } | Self::UnknownProperty { .. } => EXPORT.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for Error {}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal::new(error.code(), error.message()).hint(error.hint())
    }
}
