//! From bytes to data: what a tool printed, without secrets and terminal control, bounded, and as what it is.
//!
//! A [`Collector`] takes both streams as they come and never holds more than a few hundred KiB of them, whatever the tool
//! prints; the rest goes to the [`Keep`], for `x-output`. [`interpret`] makes the answer of it, or the error. Every word
//! of a tool stands in `data` or in a detail of an error, never in a message or hint.

mod collector;
pub(crate) mod command_mask;
mod end;
mod intake;
mod interpret;
mod keep;
mod masked;
mod parse;
mod redact;
mod shown;
mod stream;
mod strip;

pub use collector::{CAP, Collected, Collector, Plan};
pub use command_mask::CommandMask;
pub(crate) use command_mask::bounded_words;
pub use end::{End, Stop};
pub use intake::Taken;
pub use interpret::{interpret, seen};
pub use keep::{Draft, Keep, KeepError, KeepLimits, OutputId, Page, Want};
pub(crate) use masked::mask as mask_data;
pub use parse::{Unparsed, parse};
pub use redact::{Ending, REDACTED, Redactor, Secrets};
pub(crate) use redact::{Hidden, Mark, Sought, joined, marked};
pub(crate) use shown::show;
pub use shown::streams;
pub use stream::Stream;
pub use strip::Strip;

#[cfg(test)]
mod tests;
