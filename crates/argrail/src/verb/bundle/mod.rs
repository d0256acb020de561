//! `argrail add`, `install` and `status`: from a bundle or an agent to a program that is there, in range and confined.
//!
//! Nothing is installed that a person has not seen: what the bundle wants, and what would be done, come first. An
//! agent's call never comes here.

mod add;
mod bring;
mod given;
mod install;
mod known;
mod offer;
mod state;
mod status;
mod subject;

pub(crate) use add::run as add;
pub(crate) use install::run as install;
pub(crate) use status::run as status;
