//! From an agent's request to an audited answer.
//!
//! So far: where files live, the configuration, the catalogue's files, the commands argrail answers itself, and the
//! record of calls. Policy, runs and output join here behind the same door.
//!
//! Never prints and never reads the process environment or argv: both arrive as arguments.

#![forbid(unsafe_code)]

pub mod audit;
pub mod catalog;
pub mod config;
mod door;
mod extension;
pub mod output;
pub mod places;
pub mod policy;
pub mod profile;
pub mod ready;
pub mod recent;
pub mod run;

pub use door::{door, roots};
pub use extension::Stock;
