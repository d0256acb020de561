//! What goes into a tool and what comes out of it, held against its schemas (AIP-14: both are duties of the host).

use argrail_acli::{Code, Error, Text};
use serde_json::Value;

use super::model::BundleTool;
use crate::tools_json::{ArgumentCheck, ArgumentError, Schema, SchemaError};

/// The schema of what goes in, compiled.
#[derive(Debug)]
pub struct InputCheck(ArgumentCheck);

/// The schema of what comes out, compiled.
#[derive(Debug)]
pub struct OutputCheck(ArgumentCheck);

impl InputCheck {
    /// Compiles the schema of a tool.
    ///
    /// # Errors
    /// When it cannot be used; never for a bundle that was loaded.
    pub fn of(tool: &BundleTool) -> Result<Self, SchemaError> {
        compiled(&tool.tool.inputs).map(Self)
    }

    /// Checks an input.
    ///
    /// # Errors
    /// The first thing that does not fit, with its pointer.
    pub fn check(&self, input: &Value) -> Result<(), ArgumentError> {
        self.0.check_value(input)
    }
}

impl OutputCheck {
    /// Compiles the schema of a tool.
    ///
    /// # Errors
    /// When it cannot be used; never for a bundle that was loaded.
    pub fn of(tool: &BundleTool) -> Result<Self, SchemaError> {
        compiled(&tool.tool.outputs).map(Self)
    }

    /// Checks what came out.
    ///
    /// # Errors
    /// `OUTPUT_PARSE_FAILED` with the first thing that does not fit.
    pub fn check(&self, output: &Value, command: &str) -> Result<(), Error> {
        self.0.check_any(output).map_err(|wrong| {
            // What a program printed stands beside the message, never in it.
            let what = Text::new("the output of {} is not what its TOOL.md says").value(command);
            Error::new(Code::OutputParseFailed, what)
                .hint("The program may have changed: ask a person to compare 'outputs' in its TOOL.md")
                .detail("mismatch", wrong.message().to_string())
        })
    }
}

fn compiled(schema: &Value) -> Result<ArgumentCheck, SchemaError> {
    let schema = Schema::new(&schema.to_string()).map_err(|error| SchemaError::Invalid(error.to_string()))?;
    ArgumentCheck::new(Some(&schema))
}
