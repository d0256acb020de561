//! `argrail scan`, end to end: real programs, asked in the real sandbox, by root and by a plain user.

mod asked;
mod dialects;
mod directories;
mod hostile;
mod interrupted;
mod looked;
mod machine;
mod sealed;
