//! The attempts, by what they are after. One more is one function and one entry in its file's list.

mod files;
mod kernel;
mod list;
mod network;
mod processes;
mod programs;

pub(super) use list::all;
