//! From a command to an answer, end to end: what runs without a question, what is held, and what is stopped.
//!
//! Every forbidden act is really tried, and what counts is what is on the disk, on a socket or still alive afterwards;
//! beside it something like it is allowed and works. Only what every Linux has is called here, and tools that the tests
//! bring along; `tests/external/calls` does the same with git, curl and others.

mod absent;
mod bypass;
mod cancelled;
mod claims;
mod ground;
mod held;
mod host_limits;
mod liars;
mod output;
mod parallel;
mod partial;
mod prompts;
mod removed;
mod run;
mod secrets;
mod shell_syntax;
mod silent;
mod unstarted;
mod why;
