//! What a program can be told to do, read from texts about it: help, pages of the manual, completion scripts.
//!
//! Every reader turns text into a [`Page`] and invents nothing.

mod completion;
mod definition;
mod effects;
mod finish;
mod gathered;
mod head;
mod layout;
mod leads;
mod list;
mod man;
mod merge;
mod metadata;
mod note;
mod page;
mod preamble;
mod reader;
mod subject;
mod text;
mod usage;

pub use completion::{Shell, read_complete_answer, read_completion};
pub use effects::{
    Class, Estimate, OptionEstimate, Place, Reason, Role, annotate, estimate, estimate_option, filler,
    page as page_of,
};
pub use man::{man_includes, read_man};
pub use merge::merge_pages;
pub use metadata::{Fill, Tree, to_metadata};
pub use page::{
    Confidence, FoundCommand, FoundOption, FoundPositional, FoundValue, Origin, Page, Seen, Takes,
};
pub use reader::read_help;
pub use subject::Subject;
pub use text::{MAX_TEXT, clean};
