//! Learning what a tool can be told to do from texts about it (ATIP §6.3): its own help, the help of its commands, the
//! manual, completion scripts.
//!
//! Only on request: to ask for help is to run a stranger's program. It runs in the probing sandbox, with bounds on
//! processes and time, and nothing that a text offers is tried unless it can mean help and nothing else.

mod answer;
mod asker;
mod behind;
mod budget;
mod completion;
mod describe;
mod gathered;
mod heard;
mod lead;
mod manual;
mod memory;
mod prefix;
mod publish;
mod question;
mod request;
mod run;
mod shim;
mod version;
mod walk;
mod withhold;

pub use behind::behind;
pub use budget::{Bounds, DEEPEST};
pub use describe::{count, whole};
pub use gathered::Source;
pub use request::{Counts, Freshness, InferError, Inferred, Kept, Progress, Request};
pub use run::run;
pub use shim::save;
