//! Pages of the manual, as sources or rendered.

mod line;
mod roff;
