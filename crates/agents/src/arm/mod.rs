//! The arms: one for each protocol that agents speak (AIP-45, protocol discriminator).
//!
//! An arm is a value: bytes and answers go in, steps come out. It touches no stream, no clock and no file, and whatever
//! its protocol looks like stays in its folder; the session does what the steps say.

pub(crate) mod acp;
mod contract;

pub(crate) use contract::{Answered, Arm, Ask, AskId, Failure, Scope, Step, TerminalId};
