//! The attack suite: a hostile child does each forbidden thing for real, under the real `argrail sandbox`, and fails.
//!
//! To add an attack: write the act as a function in `tests/hostile/<group>.rs` with a line in its table, and a test
//! in `attacks/<group>.rs` that runs it on every host ([`harness::each_host`]). A test shows two things: the act is
//! stopped ([`harness::Target::held`]), and what is allowed beside it works ([`harness::Target::allowed`] runs the
//! same act on something that is granted; [`harness::Target::outside`] runs it without a sandbox). An act that fails
//! everywhere proves nothing.
//!
//! ```text
//! each_host(|host| {
//!     let target = Target::new(host).file("work/secret/key", "hunter2").file("work/open/note", "hello");
//!     let policy = Policy::new().read("**").deny("secret/**");
//!     target.held(&policy, &["read", &target.path("work/secret/key")]);
//!     target.allowed(&policy, &["read", &target.path("work/open/note")]);
//! });
//! ```

mod descriptors;
mod exec;
mod fail_closed;
mod files;
pub(crate) mod harness;
mod local;
mod network;
mod outside;
mod policy;
mod processes;
mod programs;
mod protected;
mod repositories;
mod resources;
mod shared;

pub(crate) use outside::Server;
pub(crate) use programs::hostile;
