//! `argrail audit`: the record, read, checked, exported, and where it ends.

mod checkpoint;
mod export;
mod places;
mod run;
mod show;
mod verify;

pub(crate) use run::run;
