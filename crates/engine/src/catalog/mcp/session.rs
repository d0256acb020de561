//! An open conversation with one server: started or dialled here and nowhere else, greeted, asked, and left.
//!
//! It is a value, so that several calls can share one. Dropping it ends a program with all that it started; closing it
//! says goodbye first.

use std::time::Duration;

use argrail_sandbox::Cancel;
use argrail_spec::atip::check_tool_name;
use argrail_spec::config::{McpServer, Secret, Transport};
use serde_json::{Map, Value};

use super::called::Called;
use super::conversation::{Conversation, Listing, Question};
use super::error::{McpError, Problem};
use super::hold::Hold;
use super::masks::Masks;
use super::means::Means;
use super::remote::Remote;
use super::stdio;
use super::streams::Streams;
use super::until::Until;
use super::url::Address;
use super::voice::Voice;

/// A server that has greeted.
#[derive(Debug)]
pub struct Session {
    server: String,
    masks: Masks,
    line: Line,
    conversation: Conversation,
}

#[derive(Debug)]
enum Line {
    Program(Box<Streams>),
    Address(Box<Remote>),
}

impl Session {
    /// Starts the server that the user calls `name`, or dials it, and says hello.
    ///
    /// This happens whether or not the server is disabled: that is for whoever asks.
    ///
    /// # Errors
    /// When it cannot be started or reached, does not answer in time, or answers what cannot be understood.
    pub fn open(
        name: &str,
        server: &McpServer,
        means: &Means,
        hold: &Hold,
        cancel: Option<&Cancel>,
    ) -> Result<Self, McpError> {
        Self::open_until(name, server, means, hold, &Until::within(means.timeout, cancel))
    }

    pub(super) fn open_until(
        name: &str,
        server: &McpServer,
        means: &Means,
        hold: &Hold,
        until: &Until,
    ) -> Result<Self, McpError> {
        let masks = Masks::of(secrets(server).chain(hold.secrets()));
        let begin = || -> Result<(Line, Conversation), Problem> {
            let mut line = Line::open(name, server, means, hold, until)?;
            let mut conversation = Conversation::begin(env!("CARGO_PKG_VERSION"));
            line.converse(until, &mut conversation)?;
            Ok((line, conversation))
        };
        match begin() {
            Ok((line, conversation)) => Ok(Self {
                server: name.to_owned(),
                masks,
                line,
                conversation,
            }),
            Err(problem) => Err(McpError {
                server: name.to_owned(),
                problem: problem.masked(&masks),
            }),
        }
    }

    /// Calls a tool by the name that the server gives it.
    ///
    /// # Errors
    /// When it does not answer in time, answers what cannot be understood, or refuses. A tool that says it failed is no
    /// error: see [`Called::is_error`].
    pub fn call(
        &mut self,
        tool: &str,
        arguments: Map<String, Value>,
        timeout: Duration,
        cancel: Option<&Cancel>,
    ) -> Result<Called, McpError> {
        self.call_until(tool, arguments, &Until::within(timeout, cancel))
    }

    pub(super) fn call_until(
        &mut self,
        tool: &str,
        arguments: Map<String, Value>,
        until: &Until,
    ) -> Result<Called, McpError> {
        let tool = tool.to_owned();
        let asked = self.ask(Question::Call { tool, arguments }, until);
        let result = asked.and_then(|()| {
            let mut result = self.conversation.result().unwrap_or_default();
            self.masks.json(&mut result);
            Called::read(result)
        });
        result.map_err(|problem| self.error(problem))
    }

    /// Asks for the tools, says goodbye, and returns what was heard.
    pub(super) fn list(mut self, until: &Until) -> Result<Listing, McpError> {
        self.ask(Question::Tools, until)
            .map_err(|problem| self.error(problem))?;
        let Self {
            masks,
            line,
            conversation,
            ..
        } = self;
        line.close();
        let mut listing = conversation.listing();
        masks.json(&mut listing.info);
        listing.tools.iter_mut().for_each(|tool| masks.json(tool));
        Ok(listing)
    }

    /// Says goodbye and returns what the sandbox refused the server, in a few words each: foreign text.
    pub fn close(self) -> Vec<String> {
        let denied = self.line.close();
        denied.iter().map(|denied| self.masks.text(denied)).collect()
    }

    fn ask(&mut self, question: Question, until: &Until) -> Result<(), Problem> {
        self.conversation.ask(question)?;
        self.line.converse(until, &mut self.conversation)
    }

    fn error(&self, problem: Problem) -> McpError {
        McpError {
            server: self.server.clone(),
            problem: problem.masked(&self.masks),
        }
    }
}

impl Line {
    fn open(
        name: &str,
        server: &McpServer,
        means: &Means,
        hold: &Hold,
        until: &Until,
    ) -> Result<Self, Problem> {
        // Nothing is started for a name that no tool could have.
        check_tool_name(name).map_err(|_| Problem::Configuration {
            field: "the name",
            given: None,
            reason: "no tool can be called that",
        })?;
        match &server.transport {
            Transport::Command { command, args, env } => {
                let program = stdio::command(command, args, env, means, hold)?;
                Ok(Self::Program(Box::new(program.open(until)?)))
            }
            Transport::Url { url, headers } => {
                let voice = Voice::new(Address::parse(url)?, headers)?;
                Ok(Self::Address(Box::new(Remote::new(voice))))
            }
        }
    }

    fn converse(&mut self, until: &Until, conversation: &mut Conversation) -> Result<(), Problem> {
        match self {
            Self::Program(streams) => streams.converse(until, conversation),
            Self::Address(remote) => remote.converse(until, conversation),
        }
    }

    fn close(self) -> Vec<String> {
        match self {
            Self::Program(streams) => streams.close(),
            Self::Address(remote) => {
                remote.close();
                Vec::new()
            }
        }
    }
}

/// The values that nobody is shown.
fn secrets(server: &McpServer) -> impl Iterator<Item = &Secret> {
    let (Transport::Command { env: given, .. } | Transport::Url { headers: given, .. }) = &server.transport;
    given.values()
}
