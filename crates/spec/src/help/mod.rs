//! What a program can be told to do, read from texts about it: help, pages of the manual, completion scripts.
//!
//! Every reader turns text into a [`Page`] and invents nothing.

mod man;
mod page;

pub use page::{
    Confidence, FoundCommand, FoundOption, FoundPositional, FoundValue, Origin, Page, Seen, Takes,
};
