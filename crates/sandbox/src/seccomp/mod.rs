//! Which system calls a child may make: rules, and the filter program they become.
//!
//! Written here rather than taken from a crate because the filter asks the host about some calls and must
//! see through x32 numbers; the crate that was tried can do neither.

mod looks;
mod program;
mod requests;
mod rules;

pub(crate) use looks::{
    CallLooks, ChangingCall, FileLooks, LastSymlink, NameArgument, NameEffect, NetworkLooks, OpeningCall,
    WRITING, change, opening,
};
pub(crate) use program::{ArgumentCondition, BpfInstruction, CallAction, CallRule, TooLong, assemble};
pub(crate) use rules::{FilterInputs, FirstProgram, SpawnPermission, WritePermission, rules};
