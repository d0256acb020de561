//! AIP-19 `SECRETS.md`: names of secrets and who gets them, never a value.

mod access;
mod decode;
mod exposure;
mod manifest;
mod rules;

pub use access::{Access, Grant};
pub use decode::load;
pub use exposure::{
    EnvExposure, EnvWord, Exposure, FileExposure, FileWord, OtherExposure, SubstituteExposure, SubstituteWord,
};
pub use manifest::{Audit, SecretEntry, SecretKind, SecretsMd};

pub(crate) use decode::decode;
pub(crate) use rules::RULES;
