//! One file per verb of the command line.

pub(crate) mod agent;
pub(crate) mod approvals;
pub(crate) mod approve;
pub(crate) mod audit;
pub(crate) mod bundle;
mod bundle_call;
pub(crate) mod call;
pub(crate) mod deny;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod grants;
pub(crate) mod infer;
pub(crate) mod lint;
pub(crate) mod list;
pub(crate) mod new;
pub(crate) mod provider_call;
pub(crate) mod repl;
pub(crate) mod revoke;
pub(crate) mod run;
pub(crate) mod sandbox;
pub(crate) mod scan;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod trust;
pub(crate) mod why;
