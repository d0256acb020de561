//! Whose child starts next: a few for each processor at once, and by turns among sessions.
//!
//! A session that asks for two hundred searches gets them one after the other, and takes nothing from one that asks for a
//! file: of those that wait, the session with the fewest children is next, and one with none need not wait for the
//! others' to end. A child that has run for a while gives its place to the next and goes on: builds and what waits for a
//! network would keep others from short work; of those there is another, higher limit. What is given up while it waits
//! is forgotten.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

/// How many children have a place at once for each processor. Beside 64 searches of another session a `cat` took 1.5
/// times as long as alone with two, 3.4 times with four and 19 times without a limit; the searches took half as long
/// again with two as with four.
const PER_PROCESSOR: usize = 2;

/// The least: many wait for a disk, and one processor can keep up with several.
const LEAST: usize = 4;

/// How many times as many run at once, with those that gave their place away.
const MOST_ON_THE_WHOLE: usize = 8;

/// For how long a child keeps its place: longer than nearly every read takes.
const KEEPS_PLACE: Duration = Duration::from_secs(2);

/// How far the only child of its session stands back, so that argrail itself answers in time.
const NICE: u8 = 5;

/// How far each further child of a session stands back: whoever runs many is in less of a hurry with each.
const NICER: u8 = 10;

/// The turns of this process's children.
fn turns() -> &'static Arc<Turns> {
    static TURNS: OnceLock<Arc<Turns>> = OnceLock::new();
    TURNS.get_or_init(|| {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Arc::new(Turns::new((PER_PROCESSOR * processors).max(LEAST), KEEPS_PLACE))
    })
}

/// Waits until a child of this session may start. It ends when what is returned is dropped.
pub(crate) async fn turn(session: &str) -> Turn {
    Waiting::new(turns(), session).await
}

/// Who runs and who waits.
#[derive(Debug)]
struct Turns {
    /// How many have a place at once. Sessions that have none may go beyond, twice as far.
    most: usize,
    /// For how long a place is kept.
    keeps: Duration,
    state: Mutex<State>,
    /// Tells whoever looks after places that there is nobody to look for.
    nobody_waits: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The children that run, by the number of their ticket.
    running: BTreeMap<u64, Running>,
    /// Those that wait, in the order in which they came.
    waiting: BTreeMap<u64, Ticket>,
    last: u64,
    /// Whether a thread looks after places that are not kept any more.
    watched: bool,
}

#[derive(Debug)]
struct Running {
    session: String,
    since: Instant,
}

#[derive(Debug)]
struct Ticket {
    session: String,
    progress: Progress,
}

#[derive(Debug)]
enum Progress {
    Waits(Option<Waker>),
    /// It may start; how many places its session has by now.
    Granted(usize),
}

/// The right to run one child.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Arc<Turns>,
    number: u64,
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
        let mut state = self.turns.state();
        state.running.remove(&self.number);
        self.turns.grant(state);
    }
}

impl Turns {
    fn new(most: usize, keeps: Duration) -> Self {
        Self {
            most,
            keeps,
            state: Mutex::default(),
            nobody_waits: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets those start whose turn it is, and wakes them. Somebody looks again when a place is given away, as long as
    /// anybody waits.
    fn grant(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        let woken = self.granted(&mut state);
        let has_waiting = state.has_waiting();
        if state.watched && !has_waiting {
            self.nobody_waits.notify_all();
        } else if !state.watched && has_waiting {
            let turns = Arc::clone(self);
            // Without a thread the places of those that end are still given on.
            state.watched = std::thread::Builder::new()
                .name("turns".into())
                .spawn(move || turns.watch())
                .is_ok();
        }
        drop(state);
        woken.into_iter().for_each(Waker::wake);
    }

    fn granted(&self, state: &mut State) -> Vec<Waker> {
        let mut woken = Vec::new();
        while let Some(waker) = state.next(self.most, self.keeps, Instant::now()) {
            woken.extend(waker);
        }
        woken
    }

    /// Gives places on that are not kept any more, until nobody waits.
    fn watch(&self) {
        loop {
            let waited = self.nobody_waits.wait_timeout(self.state(), self.keeps / 4);
            let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let woken = self.granted(&mut state);
            state.watched = state.has_waiting();
            let over = !state.watched;
            drop(state);
            woken.into_iter().for_each(Waker::wake);
            if over {
                return;
            }
        }
    }
}

impl State {
    fn has_waiting(&self) -> bool {
        self.waiting.values().any(Ticket::waits)
    }

    /// Gives the next turn, if anybody may have one: the session with the fewest places, then who waits longest.
    fn next(&mut self, most: usize, keeps: Duration, now: Instant) -> Option<Option<Waker>> {
        if self.running.len() >= most.saturating_mul(MOST_ON_THE_WHOLE) {
            return None;
        }
        let mut places: HashMap<&str, usize> = HashMap::new();
        let kept = |child: &&Running| now.saturating_duration_since(child.since) < keeps;
        for child in self.running.values().filter(kept) {
            *places.entry(&child.session).or_default() += 1;
        }
        let total: usize = places.values().sum();
        let waiting = self.waiting.iter().filter(|(_, ticket)| ticket.waits());
        let (count, number) = waiting
            .map(|(number, ticket)| {
                (
                    places.get(ticket.session.as_str()).copied().unwrap_or_default(),
                    *number,
                )
            })
            .min()?;
        let room = match count {
            0 => most.saturating_mul(2),
            _ => most,
        };
        if total >= room {
            return None;
        }
        let ticket = self.waiting.get_mut(&number)?;
        let before = std::mem::replace(&mut ticket.progress, Progress::Granted(count + 1));
        let child = Running {
            session: ticket.session.clone(),
            since: now,
        };
        self.running.insert(number, child);
        match before {
            Progress::Waits(waker) => Some(waker),
            Progress::Granted(_) => Some(None),
        }
    }
}

impl Ticket {
    fn waits(&self) -> bool {
        match self.progress {
            Progress::Waits(_) => true,
            Progress::Granted(_) => false,
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
        let count = match state.waiting.remove(&self.number).map(|ticket| ticket.progress) {
            Some(Progress::Granted(count)) => count,
            // It was taken before; nobody polls a future after that.
            Some(Progress::Waits(_)) | None => return Poll::Pending,
        };
        Poll::Ready(Turn {
            turns: Arc::clone(&self.turns),
            number: self.number,
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
        if state.waiting.remove(&self.number).is_some() {
            // It may have been granted, and nobody saw it.
            state.running.remove(&self.number);
            self.turns.grant(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    fn poll(waiting: &mut Waiting) -> Option<Turn> {
        let mut context = Context::from_waker(Waker::noop());
        match Pin::new(waiting).poll(&mut context) {
            Poll::Ready(turn) => Some(turn),
            Poll::Pending => None,
        }
    }

    #[test]
    fn a_session_with_many_waits_for_itself_and_nobody_else_for_it() {
        let turns = Arc::new(Turns::new(4, LONG));
        let mut many: Vec<Waiting> = (0..6).map(|_| Waiting::new(&turns, "many")).collect();
        let mut running: Vec<Turn> = many.iter_mut().filter_map(poll).collect();
        let nice: Vec<u8> = running.iter().map(Turn::niceness).collect();
        assert_eq!(nice, [NICE, NICER, NICER, NICER]);
        // One that runs nothing starts although all places are taken; its second waits like the others.
        let mut one = Waiting::new(&turns, "one");
        let first = poll(&mut one).unwrap();
        assert_eq!(first.niceness(), NICE);
        let mut second = Waiting::new(&turns, "one");
        assert!(poll(&mut second).is_none());
        // Five run: the next place is free when two have ended, and goes to who runs fewer, not to who came first.
        running.pop();
        assert!(many.iter_mut().skip(4).all(|waiting| poll(waiting).is_none()));
        running.pop();
        assert!(many.iter_mut().skip(4).all(|waiting| poll(waiting).is_none()));
        let second = poll(&mut second).unwrap();
        drop((first, second));
        assert_eq!(many.iter_mut().skip(4).filter_map(poll).count(), 2);
    }

    #[test]
    fn even_new_sessions_are_bounded() {
        let turns = Arc::new(Turns::new(2, LONG));
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
        let turns = Arc::new(Turns::new(1, LONG));
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
        assert_eq!((state.waiting.len(), state.running.len()), (0, 0));
    }

    /// Builds of hours keep nobody of their own session from a file.
    #[test]
    fn a_child_that_runs_long_gives_its_place_to_the_next() {
        let mut state = State::default();
        let mut waits = |number| {
            let ticket = Ticket {
                session: "a".to_owned(),
                progress: Progress::Waits(None),
            };
            state.waiting.insert(number, ticket);
        };
        (0..20).for_each(&mut waits);
        let (keeps, now) = (Duration::from_secs(2), Instant::now());
        let mut granted = |now| std::iter::from_fn(|| state.next(2, keeps, now)).count();
        assert_eq!((granted(now), granted(now)), (2, 0));
        assert_eq!(granted(now + keeps), 2);
        // On the whole there is an end to it, too.
        let later = (2..20).map(|times| granted(now + keeps * times));
        assert_eq!(later.sum::<usize>(), 2 * MOST_ON_THE_WHOLE - 4);
    }
}
