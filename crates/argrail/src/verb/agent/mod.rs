//! `argrail agent`: driving other agents.

mod act;
mod conversation;
mod list;
mod outcome;
mod prompt;
mod questions;
mod run;
mod signals;
mod telling;
mod turn;
mod unattended;

pub(crate) use act::act;
