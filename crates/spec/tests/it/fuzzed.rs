//! What `fuzz/` checks of any text, also run by stable tests on its seeds.

mod document;
mod invoke;
mod manifest;
mod provider_call;

pub(crate) use document::document;
pub(crate) use invoke::invoke;
pub(crate) use manifest::manifest;
pub(crate) use provider_call::provider_call;
