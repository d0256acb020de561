//! A server that is an address, spoken to in a thread of its own, so that whoever waits can leave.
//!
//! A request over the network cannot be taken back, only left: the thread ends with its deadline, and the server is told
//! that nobody waits any more.

use std::os::fd::AsFd;
use std::sync::mpsc;

use argrail_sandbox::Cancel;
use rustix::event::{PollFd, PollFlags, poll};
use serde_json::json;

use super::conversation::Conversation;
use super::error::Problem;
use super::http::Http;
use super::until::Until;
use super::voice::Voice;

/// A line to a server.
#[derive(Debug)]
pub(super) struct Remote {
    voice: Voice,
}

impl Remote {
    pub(super) fn new(voice: Voice) -> Self {
        Self { voice }
    }

    /// Says what is to be said and hears the answers, until there is nothing more to say.
    pub(super) fn converse(&mut self, until: &Until, conversation: &mut Conversation) -> Result<(), Problem> {
        let mut http = Http::new(self.voice.clone(), until.deadline);
        let Some(cancel) = &until.cancel else {
            let outcome = http.converse(conversation);
            self.voice = http.voice;
            return outcome;
        };
        let number = conversation.waits_for();
        let mut lent = conversation.lend();
        let (give, take) = mpsc::sync_channel(1);
        let done = Cancel::new().map_err(|source| cannot(&source))?;
        let tell = done.clone();
        let work = move || {
            let outcome = http.converse(&mut lent);
            // Nobody takes it when nobody waits any more.
            let _ = give.send((http.voice, lent, outcome));
            tell.cancel();
        };
        let thread = std::thread::Builder::new().name("mcp".to_owned()).spawn(work);
        thread.map_err(|source| cannot(&source))?;
        wait(&done, cancel);
        match take.try_recv() {
            Ok((voice, lent, outcome)) => {
                self.voice = voice;
                *conversation = lent;
                outcome
            }
            Err(mpsc::TryRecvError::Empty) => {
                self.abandon(number);
                Err(Problem::Cancelled)
            }
            Err(mpsc::TryRecvError::Disconnected) => Err(Problem::Cancelled),
        }
    }

    /// Ends the session.
    pub(super) fn close(self) {
        self.voice.leave();
    }

    /// Tells the server that nobody waits for an answer, without waiting for that either.
    fn abandon(&mut self, number: Option<u64>) {
        let voice = self.voice.clone();
        self.voice.session = None;
        let tell = move || {
            if let Some(number) = number {
                voice.mention(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                    "params": {"requestId": number, "reason": "nobody waits for it any more"}}));
            }
            voice.leave();
        };
        // Without a thread the server learns it when the connection is closed.
        drop(std::thread::Builder::new().name("mcp".to_owned()).spawn(tell));
    }
}

/// Waits for one of the two.
fn wait(done: &Cancel, cancel: &Cancel) {
    loop {
        let mut polled = [done, cancel].map(|switch| PollFd::from_borrowed_fd(switch.as_fd(), PollFlags::IN));
        match poll(&mut polled, None) {
            Err(rustix::io::Errno::INTR) => {}
            Ok(_) | Err(_) => return,
        }
    }
}

fn cannot(source: &std::io::Error) -> Problem {
    Problem::Unreachable {
        origin: "the server".to_owned(),
        reason: source.kind().to_string(),
    }
}
