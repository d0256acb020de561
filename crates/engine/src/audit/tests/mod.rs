//! The chain as a whole: written by many, damaged in every way, and what is said about it.

mod damage;
mod ground;
mod shared;
mod survives;
