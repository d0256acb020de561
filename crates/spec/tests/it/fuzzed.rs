//! What `fuzz/` checks of any text, also run by stable tests on its seeds.

mod completion_script;
mod document;
mod help;
mod invoke;
mod launch;
mod man_page;
mod manifest;
mod provider_call;
mod template;

pub(crate) use completion_script::completion_script;
pub(crate) use document::document;
pub(crate) use help::help;
pub(crate) use invoke::invoke;
pub(crate) use launch::launch;
pub(crate) use man_page::man_page;
pub(crate) use manifest::manifest;
pub(crate) use provider_call::provider_call;
pub(crate) use template::template;
