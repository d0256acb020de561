//! What a server that is an address answers: JSON, or a stream of events, for each thing that is said.
//!
//! Nothing is heard beyond the deadline or the bounds, and nothing that was configured in confidence stands in an error.

use std::io::Read;
use std::time::{Duration, Instant};

use ureq::http::{Response, StatusCode};
use ureq::{Body, Timeout};

use super::conversation::{Conversation, Expects, Saying};
use super::error::{Problem, Stage};
use super::events::Events;
use super::limits::{Heard, MESSAGE, SESSION};
use super::message::{Message, read};
use super::url::Address;
use super::voice::{SESSION_HEADER, Voice};

/// A server that is an address, while it is asked.
#[derive(Debug)]
pub(super) struct Http {
    pub(super) voice: Voice,
    heard: Heard,
    deadline: Instant,
    stage: Stage,
}

impl Http {
    /// Speaks with `voice` until the deadline.
    pub(super) fn new(voice: Voice, deadline: Instant) -> Self {
        Self {
            voice,
            heard: Heard::default(),
            deadline,
            stage: Stage::Greeting,
        }
    }

    /// Says what is to be said and hears the answers, until there is nothing more to say.
    pub(super) fn converse(&mut self, conversation: &mut Conversation) -> Result<(), Problem> {
        loop {
            let stage = conversation.stage();
            self.stage = stage.unwrap_or(self.stage);
            self.voice.revision = conversation.revision();
            match (conversation.next(), stage) {
                (Some(saying), _) => self.say(&saying, conversation)?,
                (None, None) => return Ok(()),
                (None, Some(_)) => return Err(self.unreadable("it is no answer to what was asked")),
            }
        }
    }

    fn say(&mut self, saying: &Saying, conversation: &mut Conversation) -> Result<(), Problem> {
        let mut response = self.post(saying)?;
        self.check_status(&mut response)?;
        if conversation.revision().is_none() {
            self.keep_session(&response)?;
        }
        match saying.expects {
            Expects::Nothing => Ok(()),
            Expects::Answer => self.hear(response, conversation),
        }
    }

    fn left(&self) -> Result<Duration, Problem> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(self.late()),
            false => Ok(left),
        }
    }

    fn post(&self, saying: &Saying) -> Result<Response<Body>, Problem> {
        let left = self.left()?;
        self.voice
            .post(&saying.message, left)
            .map_err(|error| self.failed(&error))
    }

    fn keep_session(&mut self, response: &Response<Body>) -> Result<(), Problem> {
        let Some(id) = response.headers().get(SESSION_HEADER) else {
            return Ok(());
        };
        let is_visible = id.as_bytes().iter().all(u8::is_ascii_graphic);
        if id.is_empty() || id.len() > SESSION || !is_visible {
            return Err(self.unreadable("the id of its session is empty, too long, or holds odd characters"));
        }
        self.voice.session = Some(id.clone());
        Ok(())
    }

    fn check_status(&mut self, response: &mut Response<Body>) -> Result<(), Problem> {
        let status = response.status();
        let origin = self.voice.address.origin.clone();
        if status.is_success() {
            return Ok(());
        }
        if status.is_redirection() {
            let to = response.headers().get("location").and_then(|to| to.to_str().ok());
            let to = to
                .and_then(|to| Address::parse(to).ok())
                .map(|address| address.origin);
            return Err(Problem::Redirected { origin, to });
        }
        let status = match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let status = status.as_u16();
                return Err(Problem::Unauthorized { origin, status });
            }
            other => other.as_u16(),
        };
        // Many servers say in JSON what they do not like.
        let said = self.body(response).ok().and_then(|body| read(&body).ok());
        Err(match said {
            Some(Message::Answer {
                outcome: Err(fault), ..
            }) => Problem::Refused {
                stage: self.stage,
                code: fault.code,
                said: fault.said,
            },
            Some(Message::Answer { .. } | Message::Request { .. } | Message::Nothing) | None => {
                Problem::Status { origin, status }
            }
        })
    }

    fn hear(&mut self, mut response: Response<Body>, conversation: &mut Conversation) -> Result<(), Problem> {
        let kind = response
            .body()
            .mime_type()
            .unwrap_or_default()
            .to_ascii_lowercase();
        match kind.as_str() {
            "application/json" => {
                let body = self.body(&mut response)?;
                let message = read(&body).map_err(|reason| self.unreadable(&reason))?;
                conversation.hear(message)
            }
            "text/event-stream" => self.hear_events(response, conversation),
            _ => Err(self.unreadable("it is neither JSON nor a stream of events")),
        }
    }

    /// Reads a whole body.
    fn body(&mut self, response: &mut Response<Body>) -> Result<Vec<u8>, Problem> {
        let most = MESSAGE.min(self.heard.left());
        let mut body = Vec::new();
        let mut reader = response.body_mut().as_reader().take(most as u64 + 1);
        reader
            .read_to_end(&mut body)
            .map_err(|error| self.failed(&error.into()))?;
        match body.len() > most || !self.heard.add(body.len()) {
            true => Err(too_much()),
            false => Ok(body),
        }
    }

    /// Reads events until what was asked is answered. What the server asks meanwhile is answered at once, since it may
    /// wait for that.
    fn hear_events(
        &mut self,
        mut response: Response<Body>,
        conversation: &mut Conversation,
    ) -> Result<(), Problem> {
        let asked = conversation.waits_for();
        let mut reader = response.body_mut().as_reader();
        let mut events = Events::default();
        let mut buffer = vec![0; 16 << 10];
        loop {
            let count = reader
                .read(&mut buffer)
                .map_err(|error| self.failed(&error.into()))?;
            if count == 0 {
                return Err(self.unreadable("the stream of events ended before the answer"));
            }
            let bytes = buffer.get(..count).unwrap_or_default();
            if !self.heard.add(count) {
                return Err(too_much());
            }
            for event in events.feed(bytes).map_err(|_| too_much())? {
                // A first event without data is how a stream may begin.
                if event.trim_ascii().is_empty() {
                    continue;
                }
                let message = read(&event).map_err(|reason| self.unreadable(&reason))?;
                conversation.hear(message)?;
                if conversation.waits_for() != asked {
                    return Ok(());
                }
                while let Some(reply) = conversation.next() {
                    let mut response = self.post(&reply)?;
                    self.check_status(&mut response)?;
                }
            }
            self.left()?;
        }
    }

    fn late(&self) -> Problem {
        Problem::TimedOut {
            stage: self.stage,
            last_words: String::new(),
        }
    }

    fn unreadable(&self, reason: &str) -> Problem {
        Problem::Unreadable {
            stage: self.stage,
            reason: reason.to_owned(),
        }
    }

    /// Says why a request failed, in words that hold nothing of the request.
    fn failed(&self, error: &ureq::Error) -> Problem {
        let reason = match error {
            ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => "no connection in time".to_owned(),
            ureq::Error::Timeout(_) => return self.late(),
            ureq::Error::HostNotFound => "there is no such host".to_owned(),
            ureq::Error::Io(error) => error.kind().to_string(),
            ureq::Error::Rustls(error) => error.to_string(),
            ureq::Error::Tls(reason) => (*reason).to_owned(),
            ureq::Error::Protocol(_) => return self.unreadable("it is no answer of HTTP"),
            ureq::Error::LargeResponseHeader(..) => return too_much(),
            _ => "the request failed".to_owned(),
        };
        Problem::Unreachable {
            origin: self.voice.address.origin.clone(),
            reason,
        }
    }
}

fn too_much() -> Problem {
    Problem::TooMuch {
        what: "a message is longer than 4 MiB, or all of them than 16 MiB",
    }
}
