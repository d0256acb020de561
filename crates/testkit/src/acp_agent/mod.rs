//! An agent that speaks ACP, for tests: it does what the prompt says, or what a hostile one would do.
//!
//! It is a program: a crate that needs it has an example of one line that calls [`run`], and starts it by its path.
//!
//! `agent [BEHAVIOUR [ARGUMENT]]`. Without a behaviour it is well-mannered, and each line of a prompt is an order: see
//! `orders`. The others are listed in `hostile`.

mod agent;
mod hostile;
mod orders;

pub use agent::run;
