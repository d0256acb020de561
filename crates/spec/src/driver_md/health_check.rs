//! AIP-30 `health_check`: how a driver is known to work.

use super::auth::{HttpCheck, PageOrAddress};
use crate::declare::{Whole, manifest, words};
use crate::doc::fields::Complaints;
use crate::manifest::{CommandLine, Field, IsoDuration, VALUE};

manifest! {
    /// The check.
    pub struct HealthCheck closed, check check_method {
        /// How.
        need method: HealthMethod,
        /// What is run.
        may cmd: Option<CommandLine>,
        /// What is asked.
        may http: Option<HttpCheck> as PageOrAddress,
        /// The exit code that says yes.
        may expect_exit: Option<u64> as Whole<0, 255>,
        /// How often.
        may every: Option<IsoDuration>,
        /// How long it may take; five seconds unless told otherwise.
        may timeout_ms: Option<u64> as Whole<1>,
    }
}

words! {
    /// How a driver is asked.
    pub enum HealthMethod {
        /// By the protocol's own question.
        Ping = "ping",
        /// By a command.
        Exec = "exec",
        /// By a page.
        Http = "http",
        /// Not at all.
        Noop = "noop",
    }
}

fn check_method(check: &mut HealthCheck, field: &Field<'_>, out: &mut Complaints) {
    let needs = match check.method {
        HealthMethod::Exec => "cmd",
        HealthMethod::Http => "http",
        HealthMethod::Ping | HealthMethod::Noop => return,
    };
    if field.member(needs).is_none() {
        let complaint = field.refuse(VALUE, format!("this method needs {needs}"));
        out.push(complaint.hint(format!("add '{needs}: …'")));
    }
}
