//! AIP-30 `DRIVER.md`: how tools are run. Of its kinds, `cli` is ours; a `CLI.md` is one with its own shape.

mod auth;
mod health_check;
mod implements;
mod manifest;
mod rules;

pub use auth::{DriverAuth, DriverCompletes, DriverExpiry, DriverLogin, DriverRefresh, HttpCheck};
pub use health_check::{HealthCheck, HealthMethod};
pub use implements::{CostOverride, Implements, RetryOverride, SchemaNarrowing};
pub use manifest::{DriverMd, load};

pub(crate) use rules::RULES;
