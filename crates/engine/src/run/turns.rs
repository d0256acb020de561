//! Whose child starts next: a few for each processor at once, and by turns among accounts and their sessions.
//!
//! A session that asks for two hundred searches gets them one after the other, and takes nothing from one that asks for a
//! file: of those that wait, the account with the fewest children is next, of its sessions the one with the fewest, and
//! one with none need not wait for the others' to end. Sessions cost nothing, so it is the account (a credential, a
//! client) that nobody can have more of. A child that has run for a while gives its place to the next and goes on: builds and what waits for a
//! network would keep others from short work; of those there is another, higher limit. What is given up while it waits
//! is forgotten.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use argrail_acli::Caller;

/// How many children have a place at once for each processor. Two is a trade: with none a `cat` beside 64 searches of
/// another session waited for most of them, and more than two made it slower without making the searches faster. The row
/// `sessions` of the bench measures it.
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

/// Whose child it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChildOwner {
    /// Who the limits of calls count.
    pub account: String,
    /// The session of it.
    pub session: String,
}

impl ChildOwner {
    /// Returns the owner of a caller's children.
    pub fn of(caller: &Caller) -> Self {
        Self {
            account: caller.account().to_owned(),
            session: caller.id.clone(),
        }
    }
}

/// Waits until a child of this owner may start. It ends when what is returned is dropped.
pub(crate) async fn turn(owner: &ChildOwner) -> Turn {
    PendingTurn::new(turns(), owner).await
}

/// Who runs and who waits.
#[derive(Debug)]
struct Turns {
    /// How many have a place at once. Sessions that have none may go beyond, twice as far.
    most: usize,
    /// For how long a place is kept.
    keeps: Duration,
    state: Mutex<TurnQueue>,
    /// Tells whoever looks after places that there is nobody to look for.
    nobody_waits: Condvar,
}

#[derive(Debug, Default)]
struct TurnQueue {
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
    owner: ChildOwner,
    since: Instant,
}

#[derive(Debug)]
struct Ticket {
    owner: ChildOwner,
    progress: TicketState,
}

#[derive(Debug)]
enum TicketState {
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

    fn state(&self) -> MutexGuard<'_, TurnQueue> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets those start whose turn it is, and wakes them. Somebody looks again when a place is given away, as long as
    /// anybody waits.
    fn grant(self: &Arc<Self>, mut state: MutexGuard<'_, TurnQueue>) {
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

    fn granted(&self, state: &mut TurnQueue) -> Vec<Waker> {
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

impl TurnQueue {
    fn has_waiting(&self) -> bool {
        self.waiting.values().any(Ticket::waits)
    }

    /// Gives the next turn, if anybody may have one: the account with the fewest children, of its sessions the one with the
    /// fewest places, then who waits longest.
    fn next(&mut self, most: usize, keeps: Duration, now: Instant) -> Option<Option<Waker>> {
        let mut accounts: HashMap<&str, usize> = HashMap::new();
        let mut places: HashMap<&ChildOwner, usize> = HashMap::new();
        for child in self.running.values() {
            *accounts.entry(&child.owner.account).or_default() += 1;
            if now.saturating_duration_since(child.since) < keeps {
                *places.entry(&child.owner).or_default() += 1;
            }
        }
        let waiting = self.waiting.iter().filter(|(_, ticket)| ticket.waits());
        let (children, count, number) = waiting
            .map(|(number, ticket)| {
                let children = accounts.get(ticket.owner.account.as_str());
                let count = places.get(&ticket.owner);
                (
                    children.copied().unwrap_or_default(),
                    count.copied().unwrap_or_default(),
                    *number,
                )
            })
            .min()?;
        // Who has nothing of its own goes beyond what the others took, once.
        let beyond = |has: usize, most: usize| if has == 0 { most.saturating_mul(2) } else { most };
        let total: usize = places.values().sum();
        let on_the_whole = beyond(children, most.saturating_mul(MOST_ON_THE_WHOLE));
        if total >= beyond(count, most) || self.running.len() >= on_the_whole {
            return None;
        }
        let ticket = self.waiting.get_mut(&number)?;
        let before = std::mem::replace(&mut ticket.progress, TicketState::Granted(count + 1));
        let child = Running {
            owner: ticket.owner.clone(),
            since: now,
        };
        self.running.insert(number, child);
        match before {
            TicketState::Waits(waker) => Some(waker),
            TicketState::Granted(_) => Some(None),
        }
    }
}

impl Ticket {
    fn waits(&self) -> bool {
        match self.progress {
            TicketState::Waits(_) => true,
            TicketState::Granted(_) => false,
        }
    }
}

/// Somebody who waits for a turn.
#[derive(Debug)]
struct PendingTurn {
    turns: Arc<Turns>,
    number: u64,
}

impl PendingTurn {
    fn new(turns: &Arc<Turns>, owner: &ChildOwner) -> Self {
        let mut state = turns.state();
        state.last += 1;
        let number = state.last;
        let ticket = Ticket {
            owner: owner.clone(),
            progress: TicketState::Waits(None),
        };
        state.waiting.insert(number, ticket);
        turns.grant(state);
        Self {
            turns: Arc::clone(turns),
            number,
        }
    }
}

impl Future for PendingTurn {
    type Output = Turn;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Turn> {
        let mut state = self.turns.state();
        if let Some(Ticket {
            progress: TicketState::Waits(waker),
            ..
        }) = state.waiting.get_mut(&self.number)
        {
            *waker = Some(context.waker().clone());
            return Poll::Pending;
        }
        let count = match state.waiting.remove(&self.number).map(|ticket| ticket.progress) {
            Some(TicketState::Granted(count)) => count,
            // It was taken before; nobody polls a future after that.
            Some(TicketState::Waits(_)) | None => return Poll::Pending,
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

impl Drop for PendingTurn {
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

    fn owner(account: &str, session: &str) -> ChildOwner {
        ChildOwner {
            account: account.to_owned(),
            session: session.to_owned(),
        }
    }

    fn poll(waiting: &mut PendingTurn) -> Option<Turn> {
        let mut context = Context::from_waker(Waker::noop());
        match Pin::new(waiting).poll(&mut context) {
            Poll::Ready(turn) => Some(turn),
            Poll::Pending => None,
        }
    }

    #[test]
    fn a_session_with_many_waits_for_itself_and_nobody_else_for_it() {
        let turns = Arc::new(Turns::new(4, LONG));
        let mut many: Vec<PendingTurn> = (0..6)
            .map(|_| PendingTurn::new(&turns, &owner("one account", "many")))
            .collect();
        let mut running: Vec<Turn> = many.iter_mut().filter_map(poll).collect();
        let nice: Vec<u8> = running.iter().map(Turn::niceness).collect();
        assert_eq!(nice, [NICE, NICER, NICER, NICER]);
        // One that runs nothing starts although all places are taken; its second waits like the others.
        let mut one = PendingTurn::new(&turns, &owner("one account", "one"));
        let first = poll(&mut one).unwrap();
        assert_eq!(first.niceness(), NICE);
        let mut second = PendingTurn::new(&turns, &owner("one account", "one"));
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
        let mut sessions: Vec<PendingTurn> = (0..6)
            .map(|number| PendingTurn::new(&turns, &owner("one account", &number.to_string())))
            .collect();
        let running: Vec<Turn> = sessions.iter_mut().filter_map(poll).collect();
        assert_eq!(running.len(), 4);
        drop(running);
        assert_eq!(sessions.iter_mut().skip(4).filter_map(poll).count(), 2);
    }

    #[test]
    fn what_is_given_up_takes_no_place() {
        let turns = Arc::new(Turns::new(1, LONG));
        let mut first = PendingTurn::new(&turns, &owner("one account", "a"));
        let running = poll(&mut first).unwrap();
        let given_up = PendingTurn::new(&turns, &owner("one account", "a"));
        let mut last = PendingTurn::new(&turns, &owner("one account", "a"));
        drop(given_up);
        assert!(poll(&mut last).is_none());
        drop(running);
        // Granted, and dropped before anybody saw it.
        drop(last);
        let mut next = PendingTurn::new(&turns, &owner("one account", "a"));
        assert!(poll(&mut next).is_some());
        let state = turns.state();
        assert_eq!((state.waiting.len(), state.running.len()), (0, 0));
    }

    /// Builds of hours keep nobody of their own session from a file.
    #[test]
    fn a_child_that_runs_long_gives_its_place_to_the_next() {
        let mut state = TurnQueue::default();
        let mut waits = |number| {
            let ticket = Ticket {
                owner: owner("one account", "a"),
                progress: TicketState::Waits(None),
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

    /// Sessions are free for whoever has a credential; another's file does not wait for them.
    #[test]
    fn an_account_gains_nothing_by_many_sessions() {
        let turns = Arc::new(Turns::new(2, Duration::ZERO));
        let mut many: Vec<PendingTurn> = (0..40)
            .map(|number| PendingTurn::new(&turns, &owner("greedy", &number.to_string())))
            .collect();
        let running: Vec<Turn> = many.iter_mut().filter_map(poll).collect();
        assert_eq!(running.len(), 2 * MOST_ON_THE_WHOLE);
        let mut other = PendingTurn::new(&turns, &owner("modest", "one"));
        assert!(poll(&mut other).is_some());
        let mut again = PendingTurn::new(&turns, &owner("greedy", "new"));
        assert!(poll(&mut again).is_none());
    }
}
