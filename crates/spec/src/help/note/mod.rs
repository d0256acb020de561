//! What descriptions say beside what they explain: defaults, values to choose from, variables, types.

mod kind;
mod list;
mod option;
mod other_names;
mod phrase;
mod stems;
mod tags;
mod undo;
mod unmarked;

pub(crate) use option::{found_value, option, require};
pub(crate) use unmarked::mark_values;
