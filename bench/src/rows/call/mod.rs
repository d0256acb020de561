//! A call of a tool, from the agent's string to the envelope: what it costs beside the confined child that it starts.

mod decide;
mod ground;
mod manifest;
mod output;
mod read;
mod row;

pub(super) use row::ROW;
