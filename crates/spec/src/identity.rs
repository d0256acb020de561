//! What tells one file from another without reading it.
//!
//! The change time cannot be set back by a program, so a file that was written, or put in another's place, has
//! another identity even when its size and its modification time were restored.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::Diagnostic;
use crate::record::Record;

/// The identity of one file. Times are nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct Identity {
    /// The device it lies on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// How many bytes it has.
    pub size: u64,
    /// When its bytes were last changed, as anybody may set it.
    pub mtime: i64,
    /// When anything about it was last changed, as the kernel sets it.
    pub ctime: i64,
}

impl Identity {
    /// Takes the fields of an identity out of a larger record.
    ///
    /// # Errors
    /// When a field is missing or no number.
    pub(crate) fn take(fields: &mut Record<'_>) -> Result<Self, Diagnostic> {
        let mut whole = |key| {
            let number = fields.number(key)?;
            fields.need(key, number)
        };
        let (device, inode, size) = (whole("device")?, whole("inode")?, whole("size")?);
        let mut time = |key| {
            let number = fields.signed(key)?;
            fields.need(key, number)
        };
        Ok(Self {
            device,
            inode,
            size,
            mtime: time("mtime")?,
            ctime: time("ctime")?,
        })
    }
}
