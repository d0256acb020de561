//! What a command line means on standard input: the JSON of `--json` as it was given, or one made from the options.
//!
//! Values get the types that their options have. What no option can say (`null`, a property that is no flag), `--json`
//! can.

use serde_json::Value;

use crate::atip::{Command, Invoked};
use crate::mcp_tools::{ArgumentError, WHOLE, arguments};

/// Returns what a tool reads when it is called so.
///
/// # Errors
/// When a value is not of its option's type, or `--json` is no object or stands beside another option.
pub fn input(command: &Command, invoked: &Invoked) -> Result<Vec<u8>, ArgumentError> {
    let arguments = arguments(command, invoked)?;
    let is_whole = |name: &str| {
        let mut named = command.options.iter().filter(|option| option.name == name);
        named.any(|option| option.extra.get(WHOLE) == Some(&Value::Bool(true)))
    };
    let whole = invoked.options.iter().find(|given| is_whole(&given.name));
    match whole.and_then(|given| given.values.first()) {
        Some(text) => Ok(text.clone().into_bytes()),
        None => Ok(Value::Object(arguments).to_string().into_bytes()),
    }
}
