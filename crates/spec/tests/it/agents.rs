//! The vectors of `corpus/aip-45` beyond single fields: whole folders, and how agents are started.

pub(crate) mod folders;
pub(crate) mod launch;
mod profiles;
