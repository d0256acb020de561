//! `argrail agent`: driving other agents.

mod outcome;
mod prompt;
mod questions;
mod signals;
mod telling;
mod turn;
