//! Why a server's tools could not be listed or called, for programs, people and agents.
//!
//! What a server said is quoted, escaped and cut; what it was given in confidence is masked before it comes here.

use std::fmt;

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::Ended;

use super::masks::Masks;

use crate::refusal::HOST_WORDS;

/// How far a conversation had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It was to say hello.
    Greeting,
    /// It was to list its tools.
    Listing,
    /// It was to do what one of its tools does.
    Calling,
}

impl Stage {
    const fn method(self) -> &'static str {
        match self {
            Self::Greeting => "initialize",
            Self::Listing => "tools/list",
            Self::Calling => "tools/call",
        }
    }
}

/// What went wrong.
#[derive(Debug)]
pub enum Problem {
    /// The configuration of the server cannot be used.
    Configuration {
        /// The field.
        field: &'static str,
        /// The name or value that is wrong, if it may be shown.
        given: Option<String>,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The program was not started.
    NotStarted(Box<argrail_sandbox::Error>),
    /// The program ended, or closed its output, before it had answered.
    Ended {
        /// What it was asked.
        stage: Stage,
        /// How, if it is known.
        how: Option<Ended>,
        /// The last words on its standard error.
        last_words: String,
        /// What the sandbox refused it, if something.
        denied: Option<String>,
    },
    /// The time was up.
    TimedOut {
        /// What it was asked.
        stage: Stage,
        /// The last words on its standard error, or what it said in the place of messages.
        last_words: String,
    },
    /// Nobody answers there.
    Unreachable {
        /// Scheme, host and port.
        origin: String,
        /// Why.
        reason: String,
    },
    /// It wants somebody to sign in.
    Unauthorized {
        /// Scheme, host and port.
        origin: String,
        /// The status.
        status: u16,
    },
    /// It sends us elsewhere, where we do not go: headers are meant for the host they are configured for.
    Redirected {
        /// Scheme, host and port.
        origin: String,
        /// Where to, if that is an address.
        to: Option<String>,
    },
    /// It answers with a status that no server of MCP would.
    Status {
        /// Scheme, host and port.
        origin: String,
        /// The status.
        status: u16,
    },
    /// What it says is no message of MCP.
    Unreadable {
        /// What it was asked.
        stage: Stage,
        /// What is wrong with it.
        reason: String,
    },
    /// It refuses.
    Refused {
        /// What it was asked.
        stage: Stage,
        /// The number of its error.
        code: i64,
        /// What it says.
        said: String,
    },
    /// It speaks a revision of MCP that we do not.
    Revision {
        /// The revision.
        given: String,
    },
    /// It says more than is listened to.
    TooMuch {
        /// What there is too much of.
        what: &'static str,
    },
    /// It says that it has no tools, and one was to be called.
    NoTools,
    /// Whoever asked does not want to know any more.
    Cancelled,
}

impl Problem {
    /// Hides what a server was given in confidence and says again.
    pub(super) fn masked(mut self, masks: &Masks) -> Self {
        let foreign = match &mut self {
            Self::Ended {
                last_words, denied, ..
            } => {
                if let Some(denied) = denied {
                    *denied = masks.text(denied);
                }
                Some(last_words)
            }
            Self::TimedOut { last_words, .. } => Some(last_words),
            Self::Unreachable { reason, .. } | Self::Unreadable { reason, .. } => Some(reason),
            Self::Refused { said, .. } => Some(said),
            Self::Revision { given } => Some(given),
            Self::Redirected { to, .. } => to.as_mut(),
            Self::Configuration { .. }
            | Self::NotStarted(_)
            | Self::Unauthorized { .. }
            | Self::Status { .. }
            | Self::TooMuch { .. }
            | Self::NoTools
            | Self::Cancelled => None,
        };
        if let Some(foreign) = foreign {
            *foreign = masks.text(foreign);
        }
        self
    }
}

/// Why a server's tools could not be listed or called.
#[derive(Debug)]
pub struct McpError {
    /// The server, as the user calls it.
    pub server: String,
    /// What went wrong.
    pub problem: Problem,
}

impl McpError {
    /// Returns the code that programs branch on.
    pub fn code(&self) -> Code {
        match &self.problem {
            Problem::Configuration { .. } => Code::ValidationError,
            Problem::NotStarted(error) => not_started(error),
            Problem::TimedOut { .. } => Code::Timeout,
            Problem::Unauthorized { .. } => Code::AuthRequired,
            Problem::Unreadable { .. } | Problem::Revision { .. } | Problem::TooMuch { .. } => {
                Code::OutputParseFailed
            }
            Problem::Ended { .. }
            | Problem::Unreachable { .. }
            | Problem::Redirected { .. }
            | Problem::Status { .. }
            | Problem::Refused { .. }
            | Problem::NoTools
            | Problem::Cancelled => Code::ExecutionError,
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> Text {
        let name = &self.server;
        match &self.problem {
            Problem::Configuration { field, .. } => {
                Text::new("Correct {} of {} under 'mcpServers' in config.json").word(field).value(name)
            }
            Problem::NotStarted(error) => Text::new("This may help: {}").value(error.hint().worded(HOST_WORDS)),
            Problem::Ended {
                stage: Stage::Calling,
                denied: Some(_),
                ..
            } => settle_effects(name),
            Problem::TimedOut {
                stage: Stage::Calling,
                ..
            } => Text::new("Ask for less at once, or for more time; nothing of the call goes on"),
            Problem::Refused {
                stage: Stage::Calling,
                ..
            } => Text::new("Check the arguments; 'help' with the name {} lists its tools and their options").value(name),
            Problem::NoTools => Text::new("Look what it offers now: argrail scan --probe --refresh"),
            Problem::Cancelled => Text::new("Call it again when its answer is wanted"),
            Problem::Ended { denied: Some(_), .. } => {
                Text::new("While it is asked, a server has no network, no home and no files but its own; put {} into 'disabled' servers if it cannot do without").value(name)
            }
            Problem::Ended { denied: None, .. } | Problem::TimedOut { .. } => {
                Text::new("Start the command of {} by hand and look at what it prints; it has no network and no home while it is asked").value(name)
            }
            Problem::Unreachable { .. } => Text::new("Check the address of {} in config.json, and that the server runs").value(name),
            Problem::Unauthorized { .. } => {
                Text::new("Add the header that it wants to 'headers' of {} under 'mcpServers' in config.json").value(name)
            }
            Problem::Redirected { .. } => {
                Text::new("If you trust the other address, make it the 'url' of {} in config.json").value(name)
            }
            Problem::Status { .. } => {
                Text::new("Check that the 'url' of {} in config.json leads to its MCP endpoint, often '/mcp'").value(name)
            }
            Problem::Refused { .. } | Problem::Unreadable { .. } | Problem::TooMuch { .. } => {
                Text::new("Update the server, or set 'disabled' on {} under 'mcpServers' in config.json").value(name)
            }
            Problem::Revision { .. } => Text::new("Update argrail, or use a version of {} that speaks 2025-11-25").value(name),
        }
    }

    fn message(&self) -> Text {
        let what = match &self.problem {
            Problem::Configuration {
                field,
                given: None,
                reason,
            } => Text::new("{}: {}").word(field).word(reason),
            Problem::Configuration {
                field,
                given: Some(given),
                reason,
            } => Text::new("{} {}: {}").word(field).value(given).word(reason),
            Problem::NotStarted(error) => Text::new("it was not started: {}").value(error.to_string()),
            Problem::Ended {
                stage: _,
                how,
                last_words,
                denied,
            } => ended(*how, last_words, denied.as_deref()),
            Problem::TimedOut { stage, last_words } => said(
                Text::new("no answer to {} in time").word(stage.method()),
                last_words,
            ),
            Problem::Unreachable { origin, reason } => {
                Text::new("{} cannot be reached: {}").value(origin).value(reason)
            }
            Problem::Unauthorized { origin, status } => Text::new("{} wants somebody to sign in (status {})")
                .value(origin)
                .number(*status),
            Problem::Redirected { origin, to: Some(to) } => {
                Text::new("{} redirects to {}, and that is not followed")
                    .value(origin)
                    .value(to)
            }
            Problem::Redirected { origin, to: None } => {
                Text::new("{} redirects, and that is not followed").value(origin)
            }
            Problem::Status { origin, status } => Text::new("{} answers with status {}")
                .value(origin)
                .number(*status),
            Problem::Unreadable { stage, reason } => Text::new("its answer to {} cannot be read: {}")
                .word(stage.method())
                .value(reason),
            Problem::Refused { stage, code, said } => Text::new("it refuses {} with {}: {}")
                .word(stage.method())
                .number(*code)
                .value(said),
            Problem::Revision { given } => {
                Text::new("it speaks revision {} of MCP, which is not known here").value(given)
            }
            Problem::TooMuch { what } => Text::new("it says more than is listened to: {}").word(what),
            Problem::NoTools => Text::new("it says that it has no tools"),
            Problem::Cancelled => Text::new("the call was cancelled"),
        };
        Text::new("MCP server {}").value(&self.server).then(": ", what)
    }
}

/// What to do when a server wanted more than its tool is allowed.
pub(super) fn settle_effects(server: &str) -> Text {
    Text::new("A server that is called on its own word has no network, no home and no files but its own; a person can say what the tools of {} do, in its file under overrides/").value(server)
}

/// A machine that cannot hold the sandbox is another matter than a program that cannot be started.
fn not_started(error: &argrail_sandbox::Error) -> Code {
    match error {
        argrail_sandbox::Error::Refused(refusal) if refusal.missing.is_some() => Code::SandboxUnavailable,
        argrail_sandbox::Error::Refused(_)
        | argrail_sandbox::Error::Program { .. }
        | argrail_sandbox::Error::Host { .. } => Code::ExecutionError,
    }
}

fn ended(how: Option<Ended>, last_words: &str, denied: Option<&str>) -> Text {
    let text = match how {
        Some(Ended::Exit(code)) => {
            Text::new("it ended with exit code {} before it had answered").number(code)
        }
        Some(Ended::Signal(signal)) => {
            Text::new("it was ended by signal {} before it had answered").number(signal)
        }
        None => Text::new("it closed its output before it had answered"),
    };
    let text = match denied {
        Some(denied) => text.then("; ", Text::new("the sandbox refused it {}").value(denied)),
        None => text,
    };
    said(text, last_words)
}

fn said(text: Text, last_words: &str) -> Text {
    if last_words.is_empty() {
        return text;
    }
    text.then("; ", Text::new("its last words: {}").value(last_words))
}

impl fmt::Display for McpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message())
    }
}

impl std::error::Error for McpError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::NotStarted(error) => Some(error.as_ref()),
            Problem::Configuration { .. }
            | Problem::Ended { .. }
            | Problem::TimedOut { .. }
            | Problem::Unreachable { .. }
            | Problem::Unauthorized { .. }
            | Problem::Redirected { .. }
            | Problem::Status { .. }
            | Problem::Unreadable { .. }
            | Problem::Refused { .. }
            | Problem::Revision { .. }
            | Problem::TooMuch { .. }
            | Problem::NoTools
            | Problem::Cancelled => None,
        }
    }
}

impl From<&McpError> for Error {
    fn from(error: &McpError) -> Self {
        Error::new(error.code(), error.message()).hint(error.hint())
    }
}
