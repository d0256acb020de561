//! Several pages about one command, made one.
//!
//! The surer page wins, help before the manual before completion; the others add what it lacks. Nothing is in the
//! result that no page has, and two options that a surer page keeps apart stay apart.

mod commands;
mod options;
mod pages;
mod positionals;

pub use pages::merge_pages;
