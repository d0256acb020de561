//! A child that asks and waits: its last words are a question, and nothing more comes.
//!
//! Input is closed, so most programs that ask fail by themselves. The others are ended here, after a second in which they
//! did nothing: one that prints a question and works on is left alone, however long that takes where others want the
//! processors, too. A thread is started for that only when something looks like a question.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use argrail_sandbox::{Activity, ActivitySample, Cancel, OutputCallback};

use super::prompt::{Stopped, is_waiting};
use super::tail::Tail;

/// How long a program that asked may do nothing before it is thought to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often it is looked whether it does something. A longer wait counts as one of these: whoever looks late, because
/// the machine is busy, knows nothing of the time between.
const LOOK: Duration = Duration::from_millis(100);

/// How long a program has done nothing.
#[derive(Debug)]
struct Quiet {
    since: Duration,
    last: Option<ActivitySample>,
}

impl Quiet {
    /// Takes what was seen a look later. Where nothing can be seen, time alone counts.
    fn look(&mut self, seen: Option<ActivitySample>) {
        let busy = match (&seen, &self.last) {
            (Some(seen), Some(last)) => seen.is_busy_since(last),
            (Some(_), None) | (None, Some(_) | None) => false,
        };
        self.last = seen;
        self.since = match busy {
            true => Duration::ZERO,
            false => self.since + LOOK,
        };
    }
}

/// The two outputs, in the order of their tails.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stream {
    Out,
    Err,
}

#[derive(Debug, Default)]
struct State {
    out: Tail,
    err: Tail,
    /// Counts what came, so that silence can be told.
    came: u64,
    asking: bool,
    watched: bool,
    /// What both outputs ended in when it was ended for asking. What it says while it ends is no question.
    question: Option<(Tail, Tail)>,
    over: bool,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// Listens to a child.
#[derive(Debug, Clone)]
pub(super) struct Stall {
    shared: Arc<Shared>,
    cancel: Cancel,
    activity: Activity,
}

/// What was heard: to the end, or to the question that it was ended for.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) out: Tail,
    pub(super) err: Tail,
    /// Whether it was ended because it asked and waited.
    pub(super) stopped: Stopped,
}

/// Listening that ends when it is dropped.
#[derive(Debug)]
pub(super) struct Listening<'s>(&'s Stall);

impl Drop for Listening<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Stall {
    /// Starts listening to a child that `cancel` ends, and of which `activity` tells.
    pub(super) fn new(cancel: Cancel, activity: Activity) -> Self {
        Self {
            shared: Arc::default(),
            cancel,
            activity,
        }
    }

    /// Returns a function that listens, and hands on to `each`.
    pub(super) fn listen(&self, stream: Stream, mut each: OutputCallback) -> OutputCallback {
        let stall = self.clone();
        Box::new(move |bytes| {
            each(bytes);
            stall.heard(stream, bytes);
        })
    }

    /// Ends the listening, and returns what was heard.
    pub(super) fn end(&self) -> Heard {
        let mut state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.over = true;
        self.shared.changed.notify_all();
        match state.question.take() {
            Some((out, err)) => Heard {
                out,
                err,
                stopped: Stopped::WhileAsking,
            },
            None => Heard {
                out: std::mem::take(&mut state.out),
                err: std::mem::take(&mut state.err),
                stopped: Stopped::Otherwise,
            },
        }
    }

    /// Returns something that ends the listening when it goes, whatever happens.
    pub(super) fn until_dropped(&self) -> Listening<'_> {
        Listening(self)
    }

    fn heard(&self, stream: Stream, bytes: &[u8]) {
        let mut state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        let tail = match stream {
            Stream::Out => &mut state.out,
            Stream::Err => &mut state.err,
        };
        tail.push(bytes);
        let asking = is_waiting(state.out.bytes(), state.err.bytes());
        state.asking = asking;
        state.came = state.came.wrapping_add(1);
        if state.watched {
            self.shared.changed.notify_all();
        } else if asking {
            let stall = self.clone();
            // Without a thread the clock of the call still ends it.
            state.watched = Builder::new()
                .name("question".into())
                .spawn(move || stall.watch())
                .is_ok();
        }
    }

    /// Waits for a question that stands while the child does nothing, and ends the child then.
    fn watch(&self) {
        let mut quiet = Quiet {
            since: Duration::ZERO,
            last: self.activity.sample(),
        };
        let mut state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.over {
            if !state.asking {
                let changed = self.shared.changed.wait(state);
                state = changed.unwrap_or_else(PoisonError::into_inner);
                quiet.since = Duration::ZERO;
                continue;
            }
            let came = state.came;
            let waited = self.shared.changed.wait_timeout(state, LOOK);
            let (next, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            drop(next);
            // Whoever brings output does not wait for this.
            let seen = self.activity.sample();
            state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
            match timeout.timed_out() && state.came == came {
                true => quiet.look(seen),
                false => quiet.since = Duration::ZERO,
            }
            if quiet.since >= PATIENCE && !state.over && state.came == came {
                state.question = Some((state.out.clone(), state.err.clone()));
                self.cancel.cancel();
                return;
            }
        }
    }
}
