//! May this run? A pure decision from facts and rules, with every reason behind it.
//!
//! Nothing here looks at a file, a clock or a process: [`decide`] is a function, so that `why`, MCP, `call` and `run`
//! cannot disagree. It never relaxes on a tool's own word: what a tool claims about itself is believed only where the
//! closed sandbox makes it true. The rules and their names are described in `docs/policy.md`.

mod aip14;
mod auto_approve;
mod case;
mod check;
mod decide;
mod decision;
mod defaults;
mod delegation;
mod facts;
mod grant;
mod host;
mod human_approval;
mod path_glob;
mod permission;
pub mod program;
mod refusal;
mod rules;
mod stranger;
mod trust;
mod wording;

#[cfg(test)]
pub(crate) mod tests;

pub use check::{Approved, Consent, Refused, check};
pub use decide::decide;
pub use decision::{Agreed, Confinement, Decision, Reason, Terms, Verdict};
pub use facts::{Approval, Basis, CostClass, Egress, Facts, Trust, Wish};
pub use grant::{
    CallShape, Danger, Grant, GrantId, Mismatch, OptionPattern, Pattern, PatternError, Values, WordPatterns,
};
pub(crate) use grant::{Suggestion, granted_tools, suggested};
pub use human_approval::{ApprovalMeans, Approver, HumanApproval, RequestId};
pub(crate) use path_glob::tidy;
pub use rules::{CarriedOut, Rules};
pub use stranger::Stranger;
