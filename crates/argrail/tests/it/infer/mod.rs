//! `argrail infer`, end to end: real programs, asked in the real sandbox, and texts from files.

mod asked;
mod catalogued;
mod ground;
mod hostile;
mod hosts;
mod saved;
mod sources;
mod text;
mod words;
