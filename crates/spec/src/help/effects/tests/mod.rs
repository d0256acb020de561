//! Whether estimates are right, and whether they can be lulled. All tools here are invented.

mod check;
mod commands;
mod options;
mod properties;
mod tools;
