//! AIP-19 `SECRETS.md`: names of secrets and who gets them, never a value.

mod access;
mod exposure;
mod manifest;
mod rules;

pub use access::{Access, Grant};
pub use exposure::{EnvExposure, Exposure, FileExposure, OtherExposure, SubstituteExposure};
pub use manifest::{Audit, SecretEntry, SecretKind, SecretsMd, load};

pub(crate) use rules::RULES;
