//! Whose child starts next: a few for each processor at once, and by turns among sessions.
//!
//! A session that asks for two hundred searches gets them one after the other, and takes nothing from one that asks for a
//! file: of those that wait, the session with the fewest children is next, and one with none need not wait for the
//! others' to end. What is given up while it waits is forgotten.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};

/// How many children run at once for each processor. More of them finish no earlier, and each takes memory.
const PER_PROCESSOR: usize = 4;

/// The least that run at once: many wait for a network or a disk, and one processor can keep up with several.
const LEAST: usize = 8;

/// How far the only child of its session stands back, so that argrail itself answers in time.
const NICE: u8 = 5;

/// How far each further child of a session stands back: whoever runs many is in less of a hurry with each.
const NICER: u8 = 15;

/// The turns of this process's children.
pub(super) fn turns() -> &'static Arc<Turns> {
    static TURNS: OnceLock<Arc<Turns>> = OnceLock::new();
    TURNS.get_or_init(|| {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Arc::new(Turns::new((PER_PROCESSOR * processors).max(LEAST)))
    })
}

/// Waits until a child of this session may start. It ends when what is returned is dropped.
pub(crate) async fn turn(session: &str) -> Turn {
    Waiting::new(turns(), session).await
}

/// Who runs and who waits.
#[derive(Debug)]
pub(super) struct Turns {
    /// How many run at once. Sessions that run nothing may go beyond, twice as far.
    most: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// How many children each session runs.
    running: HashMap<String, usize>,
    total: usize,
    /// Those that wait, in the order in which they came.
    waiting: BTreeMap<u64, Ticket>,
    last: u64,
}

#[derive(Debug)]
struct Ticket {
    session: String,
    progress: Progress,
}

#[derive(Debug)]
enum Progress {
    Waits(Option<Waker>),
    /// It may start; how many children its session has by now.
    Granted(usize),
}

/// The right to run one child.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Arc<Turns>,
    session: String,
    niceness: u8,
}

impl Turn {
    /// Returns how far the child stands back where processors are short.
    pub(crate) fn niceness(&self) -> u8 {
        self.niceness
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.end(&self.session);
    }
}

impl Turns {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, session: &str) {
        let mut state = self.state();
        state.end(session);
        self.grant(state);
    }

    /// Lets those start whose turn it is, and wakes them.
    fn grant(&self, mut state: MutexGuard<'_, State>) {
        let mut woken = Vec::new();
        while let Some(waker) = state.next(self.most) {
            woken.extend(waker);
        }
        drop(state);
        woken.into_iter().for_each(Waker::wake);
    }
}

impl State {
    fn count(&self, session: &str) -> usize {
        self.running.get(session).copied().unwrap_or_default()
    }

    fn end(&mut self, session: &str) {
        self.total = self.total.saturating_sub(1);
        if let Some(count) = self.running.get_mut(session) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.running.remove(session);
            }
        }
    }

    /// Gives the next turn, if anybody may have one: the session that runs the fewest, then who waits longest.
    fn next(&mut self, most: usize) -> Option<Option<Waker>> {
        let waits = |ticket: &&Ticket| match ticket.progress {
            Progress::Waits(_) => true,
            Progress::Granted(_) => false,
        };
        let waiting = self.waiting.iter().filter(|(_, ticket)| waits(ticket));
        let (count, number) = waiting
            .map(|(number, ticket)| (self.count(&ticket.session), *number))
            .min()?;
        let room = match count {
            0 => most.saturating_mul(2),
            _ => most,
        };
        if self.total >= room {
            return None;
        }
        let ticket = self.waiting.get_mut(&number)?;
        let count = count + 1;
        let before = std::mem::replace(&mut ticket.progress, Progress::Granted(count));
        self.running.insert(ticket.session.clone(), count);
        self.total += 1;
        match before {
            Progress::Waits(waker) => Some(waker),
            Progress::Granted(_) => Some(None),
        }
    }
}

/// Somebody who waits for a turn.
#[derive(Debug)]
struct Waiting {
    turns: Arc<Turns>,
    number: u64,
}

impl Waiting {
    fn new(turns: &Arc<Turns>, session: &str) -> Self {
        let mut state = turns.state();
        state.last += 1;
        let number = state.last;
        let ticket = Ticket {
            session: session.to_owned(),
            progress: Progress::Waits(None),
        };
        state.waiting.insert(number, ticket);
        turns.grant(state);
        Self {
            turns: Arc::clone(turns),
            number,
        }
    }
}

impl Future for Waiting {
    type Output = Turn;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Turn> {
        let mut state = self.turns.state();
        if let Some(Ticket {
            progress: Progress::Waits(waker),
            ..
        }) = state.waiting.get_mut(&self.number)
        {
            *waker = Some(context.waker().clone());
            return Poll::Pending;
        }
        let (session, count) = match state.waiting.remove(&self.number) {
            Some(Ticket {
                session,
                progress: Progress::Granted(count),
            }) => (session, count),
            // It was taken before; nobody polls a future after that.
            Some(_) | None => return Poll::Pending,
        };
        Poll::Ready(Turn {
            turns: Arc::clone(&self.turns),
            session,
            niceness: match count {
                0 | 1 => NICE,
                _ => NICER,
            },
        })
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut state = self.turns.state();
        let Some(ticket) = state.waiting.remove(&self.number) else {
            return;
        };
        if let Progress::Granted(_) = ticket.progress {
            state.end(&ticket.session);
            self.turns.grant(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    fn poll(waiting: &mut Waiting) -> Option<Turn> {
        let mut context = Context::from_waker(Waker::noop());
        match Pin::new(waiting).poll(&mut context) {
            Poll::Ready(turn) => Some(turn),
            Poll::Pending => None,
        }
    }

    #[test]
    fn a_session_with_many_waits_for_itself_and_nobody_else_for_it() {
        let turns = Arc::new(Turns::new(3));
        let mut many: Vec<Waiting> = (0..5).map(|_| Waiting::new(&turns, "many")).collect();
        let mut running: Vec<Turn> = many.iter_mut().filter_map(poll).collect();
        let nice: Vec<u8> = running.iter().map(Turn::niceness).collect();
        assert_eq!(nice, [NICE, NICER, NICER]);
        // One that runs nothing starts although all places are taken; its second waits like the others.
        let mut one = Waiting::new(&turns, "one");
        let first = poll(&mut one).unwrap();
        assert_eq!(first.niceness(), NICE);
        let mut second = Waiting::new(&turns, "one");
        assert!(poll(&mut second).is_none());
        // Four run: the next place is free when two have ended, and goes to who runs fewer, not to who came first.
        running.pop();
        assert!(many.iter_mut().skip(3).all(|waiting| poll(waiting).is_none()));
        running.pop();
        assert!(many.iter_mut().skip(3).all(|waiting| poll(waiting).is_none()));
        let second = poll(&mut second).unwrap();
        drop((first, second));
        assert_eq!(many.iter_mut().skip(3).filter_map(poll).count(), 2);
    }

    #[test]
    fn even_new_sessions_are_bounded() {
        let turns = Arc::new(Turns::new(2));
        let mut sessions: Vec<Waiting> = (0..6)
            .map(|number| Waiting::new(&turns, &number.to_string()))
            .collect();
        let running: Vec<Turn> = sessions.iter_mut().filter_map(poll).collect();
        assert_eq!(running.len(), 4);
        drop(running);
        assert_eq!(sessions.iter_mut().skip(4).filter_map(poll).count(), 2);
    }

    #[test]
    fn what_is_given_up_takes_no_place() {
        let turns = Arc::new(Turns::new(1));
        let mut first = Waiting::new(&turns, "a");
        let running = poll(&mut first).unwrap();
        let given_up = Waiting::new(&turns, "a");
        let mut last = Waiting::new(&turns, "a");
        drop(given_up);
        assert!(poll(&mut last).is_none());
        drop(running);
        // Granted, and dropped before anybody saw it.
        drop(last);
        let mut next = Waiting::new(&turns, "a");
        assert!(poll(&mut next).is_some());
        let state = turns.state();
        assert_eq!((state.total, state.waiting.len(), state.running.len()), (0, 0, 0));
    }
}
