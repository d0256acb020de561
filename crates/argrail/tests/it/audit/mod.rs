//! `argrail audit`, and the record that every call leaves.

mod crash;
mod damage;
mod export;
mod flood;
mod full;
mod ground;
mod many;
mod recorded;
mod show;
