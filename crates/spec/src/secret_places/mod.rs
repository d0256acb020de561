//! Places that hold credentials wherever a home or a system has them, and what credentials are called.
//!
//! Harmless things (toolchains, caches) and secret ones (settings with a token in them) often lie in one directory. A
//! description that names the directory does not mean the token, and a program that lives beside it does not need it. So
//! whatever is at or below one of these places is a secret, whoever names it: it is shown only to a call that says so
//! (`x-secrets`) and may, and a wider path is shown without it.

mod family;
mod list;
mod names;
mod place;

pub use family::{CredentialFamily, credential_family};
pub use list::{is_too_wide, secret_places};
pub use names::{is_credential_name, says_credential};
pub use place::{Certainty, Relation, SecretPlace};
