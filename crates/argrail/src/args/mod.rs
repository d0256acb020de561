//! The command line of people: verbs and their flags, one file for each group of verbs.

pub(crate) mod agent;
pub(crate) mod audit;
pub(crate) mod bundle;
pub(crate) mod command_line;
pub(crate) mod deciding;
pub(crate) mod infer;
pub(crate) mod new;
