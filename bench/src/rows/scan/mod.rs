//! What finding tools costs: a directory of scripts with and without programs that hang, and the machine's own `PATH`,
//! each beside the same programs started in the sandbox with nothing around it.

mod floor;
mod ours;
mod row;
mod scripts;

pub(super) use row::ROW;
