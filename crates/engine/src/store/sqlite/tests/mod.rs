//! The SQLite file: who may have it, what becomes of damage, and everything that the contract wants.

mod contract;
mod file;
mod tables;
