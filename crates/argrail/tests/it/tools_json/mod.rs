//! Tools of `tools.json`: in the catalogue once a person accepted them, exported to the letter, run as their draft says.

mod called;
mod catalogue;
mod ground;
mod manifest;
mod many;
mod run;
mod stopped;
