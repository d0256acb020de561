//! What confinement costs: starting a program, many at once, and moving bytes out of it.

mod contender;
mod row;
mod spawn;
mod throughput;

pub(super) use row::ROW;
