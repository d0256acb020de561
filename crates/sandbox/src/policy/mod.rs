//! What a child may touch, as a value: files, hosts, programs, variables, limits.

mod host;

pub use host::HostPattern;
