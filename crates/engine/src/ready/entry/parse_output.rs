//! What the output of a program means, by the entry of its bundle.

use serde_json::Value;

use super::error::EntryError;
use super::find::Entry;
use super::hooks::{DetectExpiryArgs, ParseOutputArgs, ParseOutputResult};
use super::request::ask;

/// Asks an entry what the output of a program means; none if it has no `parseOutput`.
///
/// # Errors
/// When the entry cannot be asked, does not answer, or gives something else than a result of the contract.
pub fn parse_output(entry: &Entry, args: &ParseOutputArgs) -> Result<Option<ParseOutputResult>, EntryError> {
    let Some(value) = ask(entry, "parseOutput", &json(args)?)? else {
        return Ok(None);
    };
    let result: ParseOutputResult = serde_json::from_value(value).map_err(unreadable)?;
    if !result.ok && result.error.is_none() {
        let why = "parseOutput says that it failed, and not why".to_owned();
        return Err(EntryError::Unreadable { why });
    }
    Ok(Some(result))
}

/// Asks an entry whether a program failed because its login is lost; none if it has no `detectExpiry`.
///
/// # Errors
/// When the entry cannot be asked, does not answer, or answers with something else than true or false.
pub fn detect_expiry(entry: &Entry, args: &DetectExpiryArgs) -> Result<Option<bool>, EntryError> {
    let Some(value) = ask(entry, "detectExpiry", &json(args)?)? else {
        return Ok(None);
    };
    match value {
        Value::Bool(lost) => Ok(Some(lost)),
        Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            let why = "detectExpiry gives neither true nor false".to_owned();
            Err(EntryError::Unreadable { why })
        }
    }
}

fn json(args: &impl serde::Serialize) -> Result<Value, EntryError> {
    serde_json::to_value(args).map_err(unreadable)
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
fn unreadable(error: serde_json::Error) -> EntryError {
    EntryError::Unreadable {
        why: error.to_string(),
    }
}
