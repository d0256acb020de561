//! What a child may touch, as a value: files, hosts, programs, variables, limits.
//!
//! Everything here is pure: text goes in, values come out. No file is looked at, no variable read, no clock
//! asked. What a value says is held elsewhere; what cannot be said is a [`Refusal`](crate::refusal::Refusal).

mod anchors;
mod block;
mod env_name;
mod exec;
mod grants;
mod host;
mod ingress;
mod limits;
mod narrow;
mod path;
mod protected;
mod steering;
mod widening;

pub use anchors::Anchors;
pub use block::{Aip29, Aip36, Aip36Policy};
pub use env_name::EnvName;
pub use exec::{Exec, Program};
pub use grants::Policy;
pub use host::HostPattern;
pub use ingress::Ingress;
pub use limits::{EffectiveLimits, Limits};
pub use path::{PathPattern, PatternShape};
pub(crate) use protected::{GIT, IN_GIT_DIRECTORY, is_below};
pub use protected::{Guard, Instructions, Protected, instructions};
pub use widening::Widening;
