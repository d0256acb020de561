//! Proof that the sandbox holds: real escapes, tried live by a real child, each seen to fail.
//!
//! The hostile child is this very program, started in a sandbox with an attempt's name. Every attempt gets a fresh
//! scratch ground with things worth stealing, does what it is allowed to do first (a sandbox in which nothing works
//! proves nothing), then what it is not, and says what came of it. The host then looks for itself whether anything
//! was taken, changed, reached, killed or left running: what it sees weighs more than what the child says.
//!
//! Attempts ask for as little as they can: where one succeeds, outside any sandbox and as root, nothing is harmed.

mod attempt;
mod facts;
mod ground;
mod hostile;
mod hostile_child;
mod smallest_program;
mod trial;

pub use trial::{Hold, Proof, ProofOptions, ProofOutcome, attempts, prove};

pub(crate) use hostile_child::act;
