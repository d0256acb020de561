//! Downloads: streamed to a file and hashed on the way, continued where they stopped, whole or not there.
//!
//! What a redirect leads to is judged like what was asked for; the machine itself and its neighbours are reached only
//! where the address in the manifest names them.

mod address;
mod agent;
mod error;
mod page;
mod partial;
mod proxy;
mod resolver;
mod roots;
mod transfer;

pub(super) use address::{Address, Promise, host_of};
pub use error::FetchError;
pub(super) use page::page;
pub(super) use transfer::{Source, fetch};
