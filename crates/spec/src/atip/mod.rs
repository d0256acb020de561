//! ATIP: the metadata of one tool, as the draft 0.1 has it and as later drafts write it.
//!
//! [`load`] is lenient: what can be understood is kept, what cannot is a warning with its place, and only what would
//! make the whole thing meaningless is refused. What was loaded is emitted again without loss.

mod decode;
mod effects;
mod flatten;
mod merge;
mod model;
mod name;
mod patterns;
mod policy;
mod spelling;

pub use decode::{AGENT_VERSION, Loaded, LoadedPatterns, decode, decode_part, decode_patterns, load};
pub use flatten::{Leaf, LeafOption, Leaves, leaves};
pub use merge::{Authority, Layer, Merged, merge};
pub use model::{
    Argument, Atip, AtipForm, AuthMethod, Authentication, Binary, Command, Commands, Cost, Duration, Effects,
    Extra, Filesystem, Filter, Interactive, Kind, Metadata, Omitted, Opt, Pattern, Step, Trust, Variable,
};
pub use name::{NameError, check_tool_name};
pub use patterns::{ExpandError, Expanded, Holes, Part, Problem, check, expand, layered};
pub use policy::{
    Delegation, DeniedCommand, Invocation, PermissionPolicy, Restriction, Verdict, decode_delegation,
    decode_permission_policy, judge,
};
pub(crate) use spelling::{spellings, style};
