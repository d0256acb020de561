//! What learning a tool costs: help texts read, beside the same bytes looked at line by line; and `argrail infer git`,
//! beside the same number of processes with nothing around them.

mod git;
mod row;
mod texts;

pub(super) use row::ROW;
