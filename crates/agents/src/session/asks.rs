//! What an agent asked of its host and is not answered yet, and the commands that run for it.

use std::collections::HashMap;
use std::sync::Arc;

use argrail_acli::{Code, Error, Text};
use tokio::task::JoinSet;

use crate::arm::{Answered, Ask, AskId, TerminalId};
use crate::governor::{Governor, Terminal};

/// The most commands that an agent has at once, ended ones that it did not release included.
const TERMINALS: usize = 32;

/// Something that was asked has its answer.
pub(super) struct Reply {
    ask: AskId,
    outcome: Outcome,
}

enum Outcome {
    Answer(Answered),
    Started(Box<dyn Terminal>),
}

/// Open questions and running commands. Dropping it withdraws and ends all of them.
pub(super) struct Asks {
    governor: Arc<dyn Governor>,
    open: JoinSet<Reply>,
    terminals: HashMap<TerminalId, Arc<dyn Terminal>>,
    started: u64,
}

impl Asks {
    pub(super) fn new(governor: Arc<dyn Governor>) -> Self {
        Self {
            governor,
            open: JoinSet::new(),
            terminals: HashMap::new(),
            started: 0,
        }
    }

    /// Whether nothing is open.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Asks. The answer comes out of [`Asks::next`], or is here already.
    pub(super) fn ask(&mut self, id: AskId, ask: Ask) -> Option<Answered> {
        let governor = Arc::clone(&self.governor);
        let answer = move |answer| Reply {
            ask: id,
            outcome: Outcome::Answer(answer),
        };
        match ask {
            Ask::Permit(permission) => {
                self.open
                    .spawn(async move { answer(Answered::Ruled(governor.permit(permission).await)) });
            }
            Ask::Read(file) => {
                self.open.spawn(async move {
                    let read = governor.read(file).await;
                    answer(read.map_or_else(Answered::Denied, Answered::Read))
                });
            }
            Ask::Write(file) => {
                self.open.spawn(async move {
                    let written = governor.write(file).await;
                    answer(written.map_or_else(Answered::Denied, |()| Answered::Done))
                });
            }
            Ask::Start(_) if self.terminals.len() >= TERMINALS => {
                let message = Text::new("more than {} commands are open").number(TERMINALS);
                let error = Error::new(Code::RateLimited, message).hint("Release those that have ended");
                return Some(Answered::Denied(error));
            }
            Ask::Start(command) => {
                self.open.spawn(async move {
                    match governor.start(command).await {
                        Ok(terminal) => Reply {
                            ask: id,
                            outcome: Outcome::Started(terminal),
                        },
                        Err(denied) => answer(Answered::Denied(denied)),
                    }
                });
            }
            Ask::Output(terminal) => {
                return Some(match self.terminals.get(&terminal) {
                    Some(terminal) => Answered::Output(terminal.output()),
                    None => unknown(),
                });
            }
            Ask::Wait(terminal) => {
                let Some(terminal) = self.terminals.get(&terminal).map(Arc::clone) else {
                    return Some(unknown());
                };
                self.open
                    .spawn(async move { answer(Answered::Exited(terminal.wait().await)) });
            }
            Ask::Kill(terminal) => {
                return Some(match self.terminals.get(&terminal) {
                    Some(terminal) => {
                        terminal.kill();
                        Answered::Done
                    }
                    None => unknown(),
                });
            }
            Ask::Release(terminal) => {
                return Some(match self.terminals.remove(&terminal) {
                    Some(terminal) => {
                        terminal.kill();
                        Answered::Done
                    }
                    None => unknown(),
                });
            }
        }
        None
    }

    /// Waits for the next answer. One that never comes because its task broke down is left out.
    pub(super) async fn next(&mut self) -> Option<Reply> {
        self.open.join_next().await?.ok()
    }

    /// Takes up what came.
    pub(super) fn take(&mut self, reply: Reply) -> (AskId, Answered) {
        let answer = match reply.outcome {
            Outcome::Answer(answer) => answer,
            Outcome::Started(terminal) => {
                self.started += 1;
                let id = TerminalId(self.started);
                self.terminals.insert(id, Arc::from(terminal));
                Answered::Started(id)
            }
        };
        (reply.ask, answer)
    }

    /// Withdraws what is open.
    pub(super) fn withdraw(&mut self) {
        // Those that are under way end with the set.
        self.open = JoinSet::new();
    }

    /// Ends the commands that run. What they wrote can still be asked for.
    pub(super) fn kill_commands(&self) {
        self.terminals.values().for_each(|terminal| terminal.kill());
    }
}

fn unknown() -> Answered {
    let error = Error::new(Code::ExecutionError, "there is no such terminal");
    Answered::Denied(error.hint("Create one with terminal/create"))
}
