//! Usage lines: `tool [-ab] [-o FILE] <name>...`, as BSD, git, npm and docopt write them, and everybody else for words
//! without a flag.

mod bundle;
mod collect;
mod notation;
mod read;
mod tree;
mod walk;
mod word;

pub(crate) use bundle::{Style, is_bundle};
pub(crate) use collect::{Call, collect, opening};
pub(crate) use notation::{notation, without_rests};
pub(crate) use read::{Usage, UsageOption, UsageWord};
pub(crate) use word::{bare, is_command_word, is_options_word, without_dots};
