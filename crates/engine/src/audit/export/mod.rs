//! The record in formats of other programs, one entry at a time.

mod csv;
mod ocsf;

pub use csv::{header as csv_header, row as csv_row};
pub use ocsf::{Machine, event as ocsf_event};
