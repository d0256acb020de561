//! A hostile child: does one forbidden thing and says how it ended.
//!
//! `hostile ATTACK [ARG…]` prints `blocked: …` and exits 0 when it was stopped, prints `ESCAPED: …` and exits 1 when
//! it got through, and exits 2 when it was called wrongly or could not try. What is allowed is shown by the same
//! attack on something that is granted: it gets through there, so its failure elsewhere means something.
//!
//! One file per group, each with a table of its attacks. `hostile start …` is no attack: it starts argrail as another
//! user and with descriptors that nobody asked for; see [`start`].

#![expect(
    unsafe_code,
    reason = "attacks are system calls that no safe interface offers"
)]
#![expect(clippy::print_stdout, reason = "the one line that it prints is its answer")]

mod descriptors;
mod errno;
mod exec;
mod files;
mod mounts;
mod network;
mod outcome;
mod own_network;
mod processes;
mod resources;
mod shared;
mod start;
mod terminal;

use std::process::ExitCode;

use crate::outcome::{Attack, Outcome};

/// Every group of attacks.
const GROUPS: &[&[Attack]] = &[
    files::ATTACKS,
    mounts::ATTACKS,
    processes::ATTACKS,
    descriptors::ATTACKS,
    network::ATTACKS,
    exec::ATTACKS,
    resources::ATTACKS,
    terminal::ATTACKS,
    shared::ATTACKS,
];

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    if name == "start" {
        println!("cannot start: {}", start::start(&rest));
        return ExitCode::from(2);
    }
    let Some(attack) = GROUPS
        .iter()
        .copied()
        .flatten()
        .find(|attack| attack.name == name)
    else {
        println!("no such attack: {name:?}");
        return ExitCode::from(2);
    };
    match (attack.act)(&rest) {
        Ok(Outcome::Blocked(how)) => {
            println!("blocked: {how}");
            ExitCode::SUCCESS
        }
        Ok(Outcome::Escaped(what)) => {
            println!("ESCAPED: {what}");
            ExitCode::FAILURE
        }
        Err(problem) => {
            println!("could not try {name}: {problem}");
            ExitCode::from(2)
        }
    }
}
