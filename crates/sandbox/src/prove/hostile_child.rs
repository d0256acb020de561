//! The hostile child itself: one attempt, by name, and one line about it.

use std::env::ArgsOs;
use std::io::{self, Read, Write};

use super::attempt::ProverAnswer;
use super::facts::{GroundFacts, SECRET_VARIABLE};
use super::hostile;
use crate::launch::NOTHING_ATTEMPT;
use crate::sys::{SoleThread, process};

/// The name of a process that others try to harm.
pub(super) const VICTIM_NAME: &str = "victim";

/// Plays the part that the next word names, and ends.
pub(crate) fn act(sole: Option<SoleThread>, mut words: ArgsOs) -> ! {
    let name = words.next().unwrap_or_default();
    if name == NOTHING_ATTEMPT {
        process::exit(0);
    }
    if name == VICTIM_NAME {
        process::exit(i32::from(suffer().is_err()));
    }
    let attempt = hostile::all().find(|attempt| name == attempt.name);
    let facts = words.next().and_then(|word| GroundFacts::decode(&word, sole));
    let said = match (attempt, facts) {
        (Some(attempt), Some(facts)) => ProverAnswer::of((attempt.run)(&facts)),
        (None, _) => ProverAnswer::Unproven("there is no attempt of this name".to_owned()),
        (Some(_), None) => ProverAnswer::Unproven("the facts cannot be read".to_owned()),
    };
    let told = io::stdout().lock().write_all(said.line().as_bytes());
    process::exit(i32::from(told.is_err()))
}

/// Says who it is and where its secret is, then answers every byte with itself, until there are no more.
fn suffer() -> io::Result<()> {
    let secret = std::env::var(SECRET_VARIABLE).unwrap_or_default();
    let mut out = io::stdout().lock();
    let pid = rustix::process::getpid().as_raw_nonzero();
    writeln!(out, "{pid} {}", secret.as_ptr().expose_provenance())?;
    out.flush()?;
    let mut byte = [0];
    let mut input = io::stdin().lock();
    while input.read(&mut byte)? > 0 {
        out.write_all(&byte)?;
        out.flush()?;
    }
    Ok(())
}
