//! How pages are laid out: headings, lists in columns, tables.

mod columns;
mod entry;
mod section;
mod side_by_side;

pub(crate) use columns::columns;
pub(crate) use entry::{command_entry, fields, is_name, name_list, outer_name, without_bullet};
pub(crate) use section::{Topic, title, topic};
pub(crate) use side_by_side::{cells, is_column_of_letters};
