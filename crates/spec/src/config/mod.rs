//! `config.json`: what a person has set. The format; where the file lies and who may write it is the engine's business.
//!
//! Read strictly: a value that is not understood is an error, because leaving out a rule would allow what it forbids.
//! A key that is not known is a warning with the nearest one.

mod decode;
mod glob;
mod model;
mod notify;
mod period;
mod reader;
mod secret;
mod server;
mod tools;

pub use decode::{KEYS, Loaded, UNKNOWN_KEY, decode};
pub use glob::Glob;
pub use model::{CallLimits, Config, McpServer, Network, RateLimit, Timeouts, ToolEntry, Transport};
pub use notify::Notify;
pub use period::{Period, PeriodError};
pub use secret::Secret;
