//! What a lead agent or a person allows (ATIP §4.3, §5.2): the formats, and the pure check of a delegation.

mod decode;
mod delegation;
mod restriction;
mod types;

pub use decode::{decode_delegation, decode_permission_policy};
pub use delegation::{Certainty, Flag, Invocation, Verdict, allows_tool, judge};
pub use restriction::{Estimate, claim};
pub use types::{Delegation, DeniedCommand, PermissionPolicy, Restriction};
