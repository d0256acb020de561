//! ATIP: the metadata of one tool, as the draft 0.1 has it and as later drafts write it.
//!
//! [`load`] is lenient: what can be understood is kept, what cannot is a warning with its place, and only what would
//! make the whole thing meaningless is refused. What was loaded is emitted again without loss.

mod agent_flag;
mod decode;
mod effects;
mod flatten;
#[cfg(feature = "clap")]
mod from_clap;
mod grammar;
mod inferred;
mod invoke;
mod level;
mod matching;
mod merge;
mod model;
mod name;
mod notes;
mod partial_view;
mod patterns;
mod policy;
mod redact;
mod schema_check;
mod spelling;
mod strictest;
mod tighten;
mod to_arg;
mod to_command;

pub use agent_flag::{AgentFlagError, AgentRequest};
pub use decode::{
    AGENT_VERSION, BEYOND_HEAD, Extent, Loaded, LoadedPatterns, decode, decode_head, decode_part,
    decode_patterns, load,
};
pub use flatten::{Leaf, LeafOption, Leaves, leaves};
#[cfg(feature = "clap")]
pub use from_clap::{answer_agent, from_clap};
pub(crate) use grammar::Grammar;
pub use inferred::{wording, wording_of};
pub(crate) use invoke::{EVERY_WORD, PLACE_SHAPES, PlaceShape};
pub use invoke::{
    ExitMeaning, Given, Inner, Invoked, OutputFormat, OutputShape, ProgramText, Raised, Reader, Unverified,
    Voice, Why, Word, host, host_pattern,
};
pub(crate) use level::Level;
pub(crate) use level::WHOLE_ID;
pub use level::{CommandShape, command_shape, described_options, known_options};
pub(crate) use matching::is_broken_expression;
pub use merge::{Authority, Layer, Merged, Provenance, gaps, merge};
pub use model::{
    Argument, Atip, AtipForm, AuthMethod, Authentication, Binary, Command, Commands, Cost, Duration, Effects,
    Extra, Filesystem, Filter, Interactive, Kind, Metadata, Omitted, Opt, Pattern, Step, Trust, Variable,
};
pub use name::{NameError, check_tool_name};
pub use notes::{Goal, goals, notes, tags};
pub use patterns::{ExpandError, Expanded, Holes, Part, Problem, check, expand, layered, variables};
pub use policy::{
    Certainty, Delegation, DeniedCommand, Estimate, Flag, Invocation, PermissionPolicy, Restriction, Verdict,
    allows_tool, claim, decode_delegation, decode_permission_policy, judge,
};
pub use redact::{is_redacted, redact};
pub(crate) use spelling::{is_operator, spellings, stands_last};
pub use to_arg::REQUIRED_BY_HANDLER;
pub use to_command::{Respond, Skipped, command, skipped};
