//! `argrail agent run`, with a real process that speaks ACP in a real sandbox.

mod ended;
mod ground;
mod refused;
mod terminal;
mod told;
mod tools;
