//! `list`, `show`, `search` and what agents see of the catalogue, with the real binary.

mod agents;
mod config;
mod drift;
mod examples;
mod ground;
mod kept;
mod named;
mod project;
mod read;
mod servers;
