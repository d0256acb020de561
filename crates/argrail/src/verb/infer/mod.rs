//! `argrail infer`: what a tool can be told to do, from its help, its manual and its completions.

mod program;
mod run;
mod text;
mod tool;

pub(crate) use program::find;
pub(crate) use run::run;
