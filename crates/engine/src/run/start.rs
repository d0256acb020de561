//! Running a child without holding up whoever waits for it.
//!
//! Each child has a thread that starts and watches it; the task that waits is woken at the end. A task that is
//! dropped ends its child, and everything that it started.

use argrail_sandbox::{Activity, Cancel, Report};

use super::apart::apart;
use super::error::Error;
use super::order::Order;
use super::prompt::{Prompt, recognise};
use super::stall::{Stall, Stream};
use super::turns::{Turn, turn};

/// A child that has ended.
#[derive(Debug)]
pub struct Ran {
    /// What happened.
    pub report: Report,
    /// The question that it asked, if its end looks like one.
    pub prompt: Option<Prompt>,
}

/// Runs a child to its end, when it is its session's turn. Dropping the future ends the child with all that it started.
///
/// # Errors
/// When it was not started, with the reason and what to do about it.
pub async fn run(mut order: Order) -> Result<Ran, Error> {
    let cancel = match order.cancel.take() {
        Some(cancel) => cancel,
        None => Cancel::new().map_err(|source| Error::Host {
            what: "descriptor",
            source,
        })?,
    };
    let switch = cancel.clone();
    let turn = match &order.owner {
        Some(owner) => Some(turn(owner).await),
        None => None,
    };
    let niceness = turn.as_ref().map_or(0, Turn::niceness);
    let ran = apart(switch, move || {
        let ran = watch(order, cancel, niceness);
        // Not before the child is gone, whoever waits for it meanwhile.
        drop(turn);
        ran
    });
    ran.await?
}

/// Starts the child and watches it, in this thread.
fn watch(mut order: Order, cancel: Cancel, niceness: u8) -> Result<Ran, Error> {
    let activity = Activity::default();
    let stall = Stall::new(cancel.clone(), activity.clone());
    let nowhere = || -> argrail_sandbox::OutputCallback { Box::new(|_| {}) };
    let stdout = std::mem::replace(&mut order.stdout, nowhere());
    let stderr = std::mem::replace(&mut order.stderr, nowhere());
    let command = order.command(
        stall.listen(Stream::Out, stdout),
        stall.listen(Stream::Err, stderr),
        cancel,
    );
    let command = command.activity_with(activity).niceness(niceness);
    let _listening = stall.until_dropped();
    let outcome = command.run();
    let heard = stall.end();
    let report = outcome?;
    let prompt = recognise(heard.out.bytes(), heard.err.bytes(), report.ended, heard.stopped);
    Ok(Ran { report, prompt })
}
