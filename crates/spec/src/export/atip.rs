//! The metadata itself, for another program that speaks ATIP. Nobody calls anything in this format.

use serde_json::{Value, json};

use super::call::Error;
use super::definition::Definition;
use super::format::Strictness;
use super::provider::{FailedCall, Provider, RawCall};
use crate::atip::Metadata;

/// No provider: metadata goes out as it came.
pub(crate) struct Atip;

impl Provider for Atip {
    fn definition(&self, _: &Definition<'_>, _: Strictness) -> (Value, Option<&'static str>) {
        (Value::Null, None)
    }

    fn calls(&self, _: &Value) -> Result<Vec<Result<RawCall, FailedCall>>, Error> {
        Err(Error::NoCalls)
    }
}

/// Returns the metadata of one tool as an object, of several as a list.
pub(crate) fn metadata(tools: &[Metadata]) -> Value {
    match tools {
        [tool] => json!(tool),
        tools => json!(tools),
    }
}
