//! The end of a session: the agent goes, or is made to, and nothing of it is left.

use std::time::Duration;

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::Ended;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, timeout, timeout_at};

use super::closed::Closed;
use super::driver::Driver;
use super::failing::{Lost, ended};
use super::lines::Line;
use crate::arm::Step;
use crate::governor::Happening;

/// How long an agent whose output has ended may take to end, so that its exit is known.
const LAST_BREATH: Duration = Duration::from_secs(1);
/// How long the goodbye may take.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long an agent may take to end by itself when its input has ended.
const LEAVING: Duration = Duration::from_millis(200);

impl Driver {
    /// The agent has closed its output: it ends, or is ended.
    pub(super) async fn gone(&mut self) -> Lost {
        let until = self
            .flow
            .cancelled
            .unwrap_or_else(|| Instant::now() + LAST_BREATH);
        if timeout_at(until, self.process.ended()).await.is_err() {
            self.process.end();
        } else {
            // What it said last stands in the pipe at most.
            let _ = timeout_at(until, &mut self.stderr).await;
        }
        Lost::new(ended(&self.agent, self.process.report(), &self.last_words.text())).retryable()
    }

    pub(super) fn left(&self) -> Error {
        let message =
            Text::new("the session with agent {} was left before the end of a turn").value(&self.agent);
        Error::new(Code::ExecutionError, message).hint("Open a new session")
    }

    pub(super) fn unmoved(&self) -> Error {
        let message =
            Text::new("agent {} did not end a turn that was cancelled, and was ended").value(&self.agent);
        Error::new(Code::ExecutionError, message).hint("Open a new session")
    }

    /// Says goodbye and lets the agent end by itself, if it does so soon.
    pub(super) async fn farewell(&mut self) {
        let until = Instant::now() + FAREWELL;
        let mut steps = self.arm.close();
        while !steps.contains(&Step::Closed) {
            for step in std::mem::take(&mut steps) {
                if let Step::Say(bytes) = step {
                    self.say(&bytes);
                }
            }
            let rest = self
                .flow
                .to_write
                .split_off(self.flow.written.min(self.flow.to_write.len()));
            let Self { stdin, lines, .. } = self;
            let goodbye = async {
                if let Some(stdin) = stdin {
                    stdin.write_all(&rest).await?;
                }
                lines.next().await
            };
            (self.flow.to_write, self.flow.written) = (Vec::new(), 0);
            match timeout_at(until, goodbye).await {
                Ok(Ok(Line::Text(line))) => steps = self.arm.hear(self.lines.text(line)),
                Ok(Ok(Line::TooLong | Line::End) | Err(_)) | Err(_) => break,
            }
        }
        self.stdin = None;
        let leaving = async {
            // It may have something to say before it goes.
            while let Ok(Line::Text(_)) = self.lines.next().await {}
            self.process.ended().await;
        };
        let _ = timeout(LEAVING, leaving).await;
    }

    /// Ends the agent, tells what is left to be told, and waits until nothing of the agent is left.
    pub(super) async fn finish(mut self, failure: Option<Error>) -> Closed {
        if let Some(error) = &failure {
            let _ = self.failure.set(error.clone());
        }
        if !self.process.has_ended() {
            self.process.end();
        }
        self.stdin = None;
        self.asks.withdraw();
        self.asks.kill_commands();
        if let (Some(opened), Some(error)) = (self.opened.take(), &failure) {
            let _ = opened.send(Err(error.clone()));
        }
        if let Some(telling) = &mut self.flow.telling {
            telling.hand_over().await;
        }
        self.flow.telling = None;
        self.process.ended().await;
        let how = self.process.report().map(|report| report.ended);
        let recorded = self.governor.record(Happening::Ended {
            code: how.and_then(Ended::code),
            signal: how.and_then(Ended::signal),
        });
        Closed {
            report: self.process.into_report(),
            failure: failure.or(recorded.err()),
        }
    }
}
