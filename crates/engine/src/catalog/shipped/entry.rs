//! One description that is compiled in: compressed, and expanded only when somebody asks for it.

use std::iter;

use miniz_oxide::inflate::decompress_slice_iter_to_slice;

/// What argrail knows of one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// The name of the tool.
    pub name: &'static str,
    /// What it is for: the description of the text, so that a list has it without reading the text.
    pub description: &'static str,
    /// How many bytes the text has.
    pub(super) size: usize,
    /// The text, as `build.rs` packed it.
    pub(super) packed: &'static [u8],
}

impl Shipped {
    /// Returns the metadata, as JSON: what was written, without white space.
    ///
    /// Every call expands it anew; the longest takes a quarter of a millisecond. A text that is damaged comes out empty,
    /// which no reader takes for a description.
    pub fn text(&self) -> Vec<u8> {
        let mut text = vec![0; self.size];
        match decompress_slice_iter_to_slice(&mut text, iter::once(self.packed), false, true) {
            Ok(length) if length == self.size => text,
            Ok(_) | Err(_) => Vec::new(),
        }
    }
}
