//! The full screen of `approvals --watch`: what waits on one side, all of it on the other, and a key for each answer.
//!
//! Pure in the middle: a key and a state make the next state and perhaps a decision ([`State::press`]), a state makes a
//! frame ([`draw`](draw::draw)). Only [`run`](run::run) knows the terminal, the clock and the store.

mod draw;
mod guard;
mod input;
mod key;
mod press;
mod run;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use run::{Desk, run};
