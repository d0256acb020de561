//! `argrail lint`: whether files are well made, with line and column; `--fix` mends what needs no thought.

mod bundles;
mod files;
mod mend;
mod run;

pub(crate) use run::run;
