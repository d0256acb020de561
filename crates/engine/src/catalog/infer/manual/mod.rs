//! Pages of the manual, found and read as files. `man` is never started.
//!
//! Looked for beside the program first, since that is the page of this very version, and then where the system keeps
//! them. No page leads out of the directory that it was found in, and none is larger than some megabytes.

mod gzip;
mod shelf;

pub(super) use shelf::Manual;
