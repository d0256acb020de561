//! A person's yes, apart from the pure decision: what it holds for, how it is asked for, and what becomes of it.
//!
//! A yes is bound to a hash of everything that runs (`binding`), shown to a person as it will run (`shown`), taken
//! once from the store (`obtain`), and held against the call again right before that runs. Only here a [`HumanApproval`](crate::policy::HumanApproval) is
//! made, of which `policy` makes an approved call.
//!
//! Never starts anything of the tool, never takes silence for an answer.

mod binding;
mod caller_key;
mod client;
mod instructions;
mod leaving;
mod legible;
mod message;
mod named_files;
mod named_paths;
mod obtain;
mod only_read;
mod petition;
mod program_digest;
mod refusal;
mod shown;
mod snapshots;
mod text_words;

pub(crate) use binding::Bound;
pub use caller_key::caller_key;
pub use client::{Client, Question, Said, Through, Worth};
pub use leaving::Leaving;
pub(crate) use legible::Code;
pub(crate) use named_files::NamedFiles;
pub(crate) use obtain::Asking;
pub(crate) use petition::Petition;
pub(crate) use program_digest::ProgramDigests;
pub(crate) use refusal::changed;
pub(crate) use shown::{About, shown, snapshots};
pub(crate) use snapshots::Snapshots;
