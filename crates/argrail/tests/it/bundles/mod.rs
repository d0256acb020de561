//! `CLI.md` bundles, from a folder to an answer: real programs, started by real calls.

mod added;
mod altered;
mod called;
mod contracts;
mod draft;
mod exact;
mod ground;
mod hosts;
mod secrets;
mod sign_in;
