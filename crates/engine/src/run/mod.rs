//! One approved call as a running child: started in its profile, listened to, ended when nobody waits for it.
//!
//! No shell, no terminal, no input that was not given. A child that asks a question is recognised by its last words
//! and ended, so that no call hangs; what it was refused becomes a sentence that says what would allow it.

mod apart;
mod error;
mod order;
mod promise;
mod prompt;
mod stall;
mod start;
mod tail;
mod tried;
mod turns;
mod weight;

pub(crate) use apart::apart;
pub use error::Error;
pub use order::Order;
pub use prompt::{Kind, Prompt, Stopped, recognise};
pub use start::{Ran, run};
pub(crate) use tail::Tail;
pub use tried::{Tried, tried};
pub use turns::ChildOwner;
pub(crate) use turns::turn;
pub use weight::Weight;
