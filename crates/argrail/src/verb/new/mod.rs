//! `argrail new`: a first version of something that a person then completes.

mod cli;
mod place;
mod run;

pub(crate) use run::run;
