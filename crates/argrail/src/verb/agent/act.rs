//! Which of them it is.

use super::{list, run};
use crate::args::agent::{AgentAct, AgentArgs};
use crate::out::Report;

/// Does what was asked for, and returns the exit number.
pub(crate) fn act(args: &AgentArgs, report: Report) -> u8 {
    match &args.act {
        AgentAct::List => list::run(report),
        AgentAct::Run(args) => run::run(args, report),
    }
}
