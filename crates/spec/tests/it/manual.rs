//! Pages of the manual, completion scripts, and several pages made one.

mod completion;
mod growth;
mod merge;
mod properties;
mod rendered;
mod shown;
mod source;
