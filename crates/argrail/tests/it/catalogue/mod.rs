//! `list`, `show`, `search` and what agents see of the catalogue, with the real binary.

mod agents;
mod config;
mod drift;
mod ground;
mod project;
mod read;
mod servers;
