//! The rows. One more is one more file here and one more line in [`ROWS`].

mod agent;
mod audit;
mod bundle;
mod call;
mod calls;
mod catalogue;
#[cfg(feature = "tokens")]
mod context;
mod dispatch;
mod infer;
mod memory;
mod sandbox;
mod scan;
mod sessions;
mod start;

use std::io;

use crate::server::Programs;
use crate::table::Line;

/// One thing that is measured. It may fill several lines of the table.
pub(crate) struct Row {
    /// What a filter names.
    pub(crate) name: &'static str,
    /// What is measured, in a few words.
    pub(crate) about: &'static str,
    /// Measures it, and its floor in the same run.
    pub(crate) measure: fn(&Programs) -> io::Result<Vec<Line>>,
}

/// All rows, in the order of the table.
pub(crate) const ROWS: &[Row] = &[
    dispatch::ROW,
    start::ROW,
    calls::ROW,
    memory::ROW,
    sandbox::ROW,
    scan::ROW,
    catalogue::ROW,
    infer::ROW,
    call::ROW,
    sessions::ROW,
    bundle::ROW,
    agent::ROW,
    audit::ROW,
    #[cfg(feature = "tokens")]
    context::ROW,
];
