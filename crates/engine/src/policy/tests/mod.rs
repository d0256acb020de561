//! What is decided: the vectors of `corpus/atip/policy.json`, the draft's examples, refusals, and what holds for any call.

mod elsewhere;
mod examples;
pub(crate) mod input;
mod lattice;
mod properties;
mod refusals;
mod vectors;
