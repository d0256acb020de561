//! The methods of AIP-29, one file each: what it will do here, or why it is not tried.
//!
//! A method looks and asks; it never installs. Another one is a file, a line here, and an arm in [`choose`].

mod apt;
mod brew;
mod cargo;
mod choco;
mod choose;
mod curl;
mod dnf;
mod download;
mod go;
mod npm;
mod pacman;
mod pip;
mod scoop;
mod system;
mod vendored;

pub(super) use choose::recipe;
