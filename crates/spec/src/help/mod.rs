//! What a program can be told to do, read from texts about it: help, pages of the manual, completion scripts.
//!
//! Every reader turns text into a [`Page`] and invents nothing.

mod effects;
mod page;

pub use effects::{
    Class, Estimate, OptionEstimate, Place, Reason, Role, annotate, estimate, estimate_option, filler,
    page as page_of,
};
pub use page::{
    Confidence, FoundCommand, FoundOption, FoundPositional, FoundValue, Origin, Page, Seen, Takes,
};
