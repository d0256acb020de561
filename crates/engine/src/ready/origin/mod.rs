//! Where a program on this machine comes from, and what it says about its version: for whoever writes a bundle of it.
//!
//! Package managers are not started: their own lists of files are read. The program is asked in the closed sandbox that
//! probing uses, without network, home or anything to write.

mod cargo;
mod catalogue;
mod dpkg;
mod found;
mod lists;
mod npm;
mod pip;
mod said;

pub use catalogue::packages;
pub use found::origins;
pub use said::said_version;

#[cfg(test)]
mod roundtrip;
