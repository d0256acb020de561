//! `x-argrail`: what argrail says about itself, and what this caller may use. An extension by ACLI §9.

mod about;
mod doctor;
mod path;
mod root;
mod wait;

pub(crate) use root::argrail;
